//! SAT: one solver trait, its back ends, and gates over them. Knows nothing of models.
//!
//! [`Backend::start`] gives a [`Solver`] that stops when its budget ends; [`Circuit`] puts gates with
//! structural sharing on top. The back ends stand behind rustsat's traits, so one more is an adapter and
//! a line in [`Backend`].

mod backend;
mod budgeted;
mod cadical;
mod circuit;
mod dimacs;
mod gates;
mod minimal_core;
mod shuffled;
mod solver;
mod unsolved;
mod varisat;

pub use backend::{Backend, Setup, UnknownBackend};
pub use circuit::{Circuit, Constraint};
pub use dimacs::Cnf;
pub use gates::{Definition, Gate};
pub use minimal_core::minimise_core;
pub use rustsat::types::{Lit, Var};
pub use solver::{Answer, Solver};
pub use unsolved::Unsolved;
