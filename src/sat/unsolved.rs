//! A place for a circuit that is never solved.

use super::{Answer, Lit, Solver};

/// Takes clauses and forgets them: for circuits that are only read, or recorded.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unsolved;

impl Solver for Unsolved {
    fn name(&self) -> &'static str {
        "none"
    }

    fn add_clause(&mut self, _: &[Lit]) {}

    fn solve(&mut self, _: &[Lit]) -> Answer {
        unreachable!("a circuit without a solver is never solved")
    }

    fn value(&self, _: Lit) -> bool {
        unreachable!("a circuit without a solver has no assignment")
    }

    fn core(&self) -> Vec<Lit> {
        unreachable!("a circuit without a solver has no core")
    }
}
