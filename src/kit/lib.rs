//! Tools for readers and engines: diagnostics with places, budgets, the parser kit, decision diagrams, proofs of
//! unsatisfiability and their checker ([`proof`]), pseudo-random numbers.
//!
//! Independent of models and solvers.
#![forbid(unsafe_code)]

pub mod budget;
pub mod diagnostics;
pub mod diagram;
mod index;
pub mod number;
pub mod parsing;
pub mod proof;
pub mod random;
