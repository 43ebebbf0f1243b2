//! What proves a classification for traces of every length, checked again without the graph.
//!
//! The certificate says of each state that a trace without violation can end in how the automata stand there:
//! which of their states are excluded, and of which memories they have one. It must be true of all initial states, every
//! step from a state of which it is true (reachable or not) must lead to one of which it is true, and it must
//! exclude everything that must not happen. Steps are those of the encoding. So only that is trusted, not the exploration.
//!
//! Where a label leaves no choice, the encoding of one step is simulated on all states of the certificate.
//! Otherwise a solver decides whether there is a step on which it fails.

mod claims;
mod initial;
mod simulated;
mod solved;

use super::memory::Memory;
use crate::automata::automaton::{Automaton, Bits};
use crate::facts::problem::Problem;
use engines::explore::Graph;
use kit::budget::{Budget, Limited};
use solvers::sat::{Backend, Circuit};

/// An inductive invariant of a model beside the automata of classes.
pub struct Certificate<'a> {
    /// The states, and the automata it speaks of.
    pub graph: &'a Graph,
    /// The automata of all classes.
    pub automata: &'a [Automaton],
    /// The classes that no trace without violation has.
    pub sufficient: &'a [usize],
    /// The classes that together have all first violations.
    pub covering: &'a [usize],
    /// For each state whether it violates the invariant; the certificate is about the others.
    pub violates: &'a [bool],
    /// For each class and each state of the graph, states of the automaton; it can be in these, or in ones that accept no
    /// more.
    pub possible: Vec<Vec<Bits>>,
    /// For each state of the graph, memories of the covering classes; the automata have one of these, or one
    /// that accepts more.
    pub memories: Vec<Vec<Memory>>,
}

/// What the check took.
#[derive(Debug, Clone, PartialEq)]
pub struct Confirmed {
    /// What confirmed it: a solver with its version, or simulation and a solver.
    pub by: String,
    /// Solver calls.
    pub solver_calls: u64,
    /// The greatest number of variables in one solver.
    pub variables: usize,
    /// The greatest number of clauses in one solver.
    pub clauses: usize,
}

/// A certificate that is not inductive, or excludes too little.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refuted {
    /// Where it fails.
    pub at: &'static str,
}

impl std::fmt::Display for Refuted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the certificate fails at {}", self.at)
    }
}

impl std::error::Error for Refuted {}

impl Confirmed {
    /// By a solver that was asked about these circuits.
    fn by_solver(circuits: &[&Circuit]) -> Self {
        Self {
            by: circuits.first().map_or_else(String::new, |circuit| circuit.solver_name().to_owned()),
            solver_calls: circuits.iter().map(|circuit| circuit.solver_calls()).sum(),
            variables: circuits.iter().map(|circuit| circuit.variables()).max().unwrap_or(0),
            clauses: circuits.iter().map(|circuit| circuit.clauses()).max().unwrap_or(0),
        }
    }
}

impl Certificate<'_> {
    /// Checks it by simulation, as far as that is possible, and with a solver. `Err(Refuted)` if it proves nothing.
    pub fn check(
        &self,
        problem: Problem<'_>,
        backend: Backend,
        budget: &Budget,
    ) -> Limited<Result<Confirmed, Refuted>> {
        match self.check_by_simulation(problem, backend, budget)? {
            Some(checked) => Ok(checked),
            None => self.check_by_solver(problem, backend, budget),
        }
    }
}
