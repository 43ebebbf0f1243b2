//! The one interface to SAT solvers.

use super::Lit;
use crate::budget::Exhausted;

/// What a solver found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Satisfiable; [`Solver::value`] tells the assignment.
    Sat,
    /// Unsatisfiable under the assumptions; [`Solver::core`] tells which of them are to blame.
    Unsat,
    /// The budget ended first.
    Unknown(Exhausted),
}

/// An incremental SAT solver.
pub trait Solver {
    /// Name and version, for reports.
    fn name(&self) -> &'static str;
    /// Adds a clause for good. Variables come into being by being mentioned. The empty clause is
    /// allowed: nothing is satisfiable after it.
    fn add_clause(&mut self, clause: &[Lit]);
    /// Decides the clauses added so far under `assumptions`. They may repeat or contradict each other and
    /// may mention new variables.
    fn solve(&mut self, assumptions: &[Lit]) -> Answer;
    /// The value of a literal after [`Answer::Sat`]; a variable the solver never saw is false.
    ///
    /// The assignment is the solver's own and is gone with the next clause or call of
    /// [`Solver::solve`]: read what is needed before.
    ///
    /// # Panics
    /// If the last call was not answered by [`Answer::Sat`], or a clause was added since.
    fn value(&self, lit: Lit) -> bool;
    /// After [`Answer::Unsat`]: assumptions that cannot hold together, in the order they were given, each
    /// once. Empty if the clauses alone are unsatisfiable. Not necessarily minimal. Stays until the next
    /// call of [`Solver::solve`]; empty after other answers.
    fn core(&self) -> Vec<Lit>;
}
