#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

// Links the solver. First, because linkers that read libraries once find it after the crates that use it then.
extern crate cladist_cadical_cpp as _;

// What needs no solver is built apart, and is here under its name.
#[doc(inline)]
pub use cladist_base::{
    aiger, budget, diagnostics, diagram, explore, lts, model, mucalc, parsing, process, proof, protocol,
    quint, random, smv, syntax, trace,
};

pub mod batch;
pub mod classify;
pub mod ctl;
pub mod decide;
pub mod ltl;
pub mod prove;
pub mod relations;
pub mod report;
pub mod sat;
pub mod smt;
pub mod smt_solver;
pub mod symmetry;
pub mod unroll;
pub mod verify;
pub mod vocabulary;

// Unit tests share the random models of the integration tests, which name the crate.
#[cfg(test)]
extern crate self as cladist;
