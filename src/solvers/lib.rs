//! Models unrolled for solvers: to CNF ([`unroll`] over [`sat`]) and to SMT-LIB ([`smt`] for [`smt_solver`]).
//!
//! The two translations share nothing, so that each checks the other. Knows nothing of facts and classes.
#![forbid(unsafe_code)]
#![warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)]

pub mod sat;
pub mod smt;
pub mod smt_solver;
pub mod unroll;
