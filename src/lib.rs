#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod aiger;
pub mod batch;
pub mod budget;
pub mod classify;
pub mod ctl;
pub mod decide;
pub mod diagnostics;
pub mod diagram;
pub mod explore;
mod index;
pub mod ltl;
pub mod lts;
pub mod model;
pub mod mucalc;
pub mod parsing;
pub mod process;
pub mod proof;
pub mod protocol;
pub mod prove;
pub mod quint;
pub mod random;
pub mod relations;
pub mod report;
pub mod sat;
pub mod smt;
pub mod smt_solver;
pub mod smv;
pub mod symmetry;
pub mod syntax;
pub mod trace;
pub mod unroll;
pub mod verify;
pub mod vocabulary;

// Unit tests share the random models of the integration tests, which name the crate.
#[cfg(test)]
extern crate self as cladist;
