//! SAT: a solver trait, its back ends, and circuits. Independent of models.
//!
//! [`Backend::start`] returns a [`SatSolver`] that stops when its budget is exhausted; [`Circuit`] adds gates
//! with structural hashing. Literals are those of rustsat. Another back end takes an adapter ([`budgeted::Interruptible`])
//! and a line in [`Backend`].

mod backend;
pub mod budgeted;
pub mod cadical;
mod circuit;
pub mod dimacs;
mod gates;
mod minimal_core;
pub mod refutation;
mod shuffled;
pub mod simulation;
mod solver;
mod varisat;

pub use backend::{Backend, Setup, UnknownBackend};
pub use circuit::{Circuit, CircuitConstraint};
pub use dimacs::{ClauseObligation, Cnf};
pub use gates::{Gate, GateDefinition};
pub use minimal_core::minimise_core;
pub use refutation::{Refutation, refute, refuting_solver};
pub use rustsat::types::{Lit, Var};
pub use simulation::{LANES, Lanes, Signal, Simulation};
pub use solver::{Answer, SatSolver, Unsolved};
