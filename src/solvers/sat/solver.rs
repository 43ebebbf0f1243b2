//! The interface to SAT solvers.

use super::Lit;
use kit::budget::{Exhausted, Limited};

/// The answer of a solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Satisfiable; [`SatSolver::value`] gives the assignment.
    Sat,
    /// Unsatisfiable under the assumptions; [`SatSolver::core`] gives the failed ones.
    Unsat,
    /// The budget was exhausted first.
    Unknown(Exhausted),
}

impl Answer {
    /// True if satisfiable; an error if the budget was exhausted first.
    pub fn is_sat(self) -> Limited<bool> {
        match self {
            Self::Sat => Ok(true),
            Self::Unsat => Ok(false),
            Self::Unknown(why) => Err(why),
        }
    }
}

/// An incremental SAT solver.
pub trait SatSolver {
    /// Name and version, for reports.
    fn name(&self) -> &'static str;
    /// Adds a clause permanently. Variables need not be declared. The empty clause is allowed: it makes the
    /// clauses unsatisfiable.
    fn add_clause(&mut self, clause: &[Lit]);
    /// Decides the clauses added so far under `assumptions`. They may repeat or contradict each other and
    /// may mention new variables.
    fn solve(&mut self, assumptions: &[Lit]) -> Answer;
    /// Limits each later call to this many conflicts, after which its answer is [`Answer::Unknown`] with any reason;
    /// `None` removes the limit. A solver that cannot count them ignores it.
    fn limit_conflicts(&mut self, _most: Option<u32>) {}
    /// The value of a literal after [`Answer::Sat`]; a variable the solver never saw is false.
    ///
    /// The next clause or call of [`SatSolver::solve`] invalidates the assignment: read everything needed before.
    ///
    /// # Panics
    /// If the last call was not answered by [`Answer::Sat`], or a clause was added since.
    fn value(&self, lit: Lit) -> bool;
    /// After [`Answer::Unsat`]: assumptions that cannot hold together, in the order they were given, each
    /// once. Empty if the clauses alone are unsatisfiable. Not necessarily minimal. Valid until the next
    /// call of [`SatSolver::solve`]; empty after other answers.
    fn core(&self) -> Vec<Lit>;
}

/// Discards all clauses: for circuits that are only inspected or recorded.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unsolved;

impl SatSolver for Unsolved {
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
