//! Tools for readers and engines: diagnostics with places, budgets, the parser kit, decision diagrams, proofs of
//! unsatisfiability and their checker ([`proof`]), pseudo-random numbers.
//!
//! Knows neither models nor solvers.
#![forbid(unsafe_code)]

pub mod budget;
pub mod diagnostics;
pub mod diagram;
mod index;
pub mod parsing;
pub mod proof;
pub mod random;
