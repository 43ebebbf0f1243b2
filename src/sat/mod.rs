//! SAT: one solver trait, its back ends, and gates over them. Knows nothing of models.

mod circuit;
mod solver;

pub use circuit::Circuit;
pub use rustsat::types::{Lit, Var};
pub use solver::{Answer, Backend, Solver};
