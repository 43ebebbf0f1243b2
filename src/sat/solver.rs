//! The one interface to SAT solvers.

use super::Lit;
use crate::budget::{Budget, Exhausted};

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
    /// Adds a clause for good. Variables come into being by being mentioned.
    fn add_clause(&mut self, clause: &[Lit]);
    /// Decides the clauses added so far under `assumptions`.
    fn solve(&mut self, assumptions: &[Lit]) -> Answer;
    /// The value of a literal after [`Answer::Sat`]; a literal the solver never saw is false.
    fn value(&self, lit: Lit) -> bool;
    /// After [`Answer::Unsat`]: assumptions that cannot hold together, in the order they were given.
    fn core(&self) -> Vec<Lit>;
}

/// The back ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Backend {
    /// CaDiCaL, C++.
    Cadical,
    /// varisat, Rust.
    Varisat,
}

impl Backend {
    /// A new, empty solver that stops when `budget` ends.
    pub fn start(self, budget: &Budget) -> Box<dyn Solver> {
        let _ = budget;
        unimplemented!("back ends")
    }
}
