//! A certificate of a classification for traces of every length, checked without the graph.
//!
//! For each state that a non-violating trace can end in, the certificate gives the possible states of the automata
//! and the memories of which they have one. It must hold in all initial states; every step from a state where it
//! holds (reachable or not) must lead to such a state; and it must exclude insufficient classes and uncovered
//! violations. The steps are those of the encoding, so only the encoding is trusted, not the exploration.
//!
//! If each label leads to one successor, the encoding of a step is simulated on all states of the
//! certificate. Otherwise a solver searches for a step on which the certificate fails.

mod claims;
mod initial;
mod simulated;
mod solved;

use super::memory::ProductMemory;
use crate::automata::automaton::{Automaton, AutomatonStates};
use crate::facts::problem::Problem;
use engines::explore::Graph;
use kit::budget::{Budget, Limited};
use solvers::sat::{Backend, Circuit};

/// An inductive invariant of a model and the automata of classes.
pub struct ProductCertificate<'a> {
    /// The graph, whose states the certificate lists.
    pub graph: &'a Graph,
    /// The automata of all classes.
    pub automata: &'a [Automaton],
    /// The classes that contain no non-violating trace.
    pub sufficient: &'a [usize],
    /// The classes that together contain all first violations.
    pub covering: &'a [usize],
    /// For each state, true if it violates the invariant; the certificate is about the others.
    pub violates: &'a [bool],
    /// For each class and each state of the graph, the possible states of the automaton; it is in these, or
    /// in states simulated by them.
    pub possible: Vec<Vec<AutomatonStates>>,
    /// For each state of the graph, memories of the covering classes; the automata have one of these, or one
    /// that accepts more.
    pub memories: Vec<Vec<ProductMemory>>,
}

/// The effort of the check.
#[derive(Debug, Clone, PartialEq)]
pub struct Confirmed {
    /// The checker: a solver with its version, or simulation and a solver.
    pub by: String,
    /// The number of solver calls.
    pub solver_calls: u64,
    /// The greatest number of variables in one solver.
    pub variables: usize,
    /// The greatest number of clauses in one solver.
    pub clauses: usize,
}

/// A certificate that is not inductive, or excludes too little.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refuted {
    /// The place where the certificate fails.
    pub at: &'static str,
}

impl std::fmt::Display for Refuted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the certificate fails at {}", self.at)
    }
}

impl std::error::Error for Refuted {}

impl Confirmed {
    /// Reports a check by the solver of these circuits.
    fn by_solver(circuits: &[&Circuit]) -> Self {
        Self {
            by: circuits.first().map_or_else(String::new, |circuit| circuit.solver_name().to_owned()),
            solver_calls: circuits.iter().map(|circuit| circuit.solver_calls()).sum(),
            variables: circuits.iter().map(|circuit| circuit.variables()).max().unwrap_or(0),
            clauses: circuits.iter().map(|circuit| circuit.clauses()).max().unwrap_or(0),
        }
    }
}

impl ProductCertificate<'_> {
    /// Checks the certificate by simulation if possible, otherwise with a solver. `Err(Refuted)` if it proves nothing.
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
