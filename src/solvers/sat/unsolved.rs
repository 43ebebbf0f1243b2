//! A solver stub for circuits that are never solved.

use super::{Answer, Lit, Solver};

/// Discards all clauses: for circuits that are only inspected or recorded.
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
