//! Explicit systems: labelled transition systems with their files and analyses ([`lts`]), formulas of the µ-calculus
//! ([`mucalc`]), and process texts ([`process`]).
//!
//! What `lts tag` says is decided in `lts/safety` and `lts/inevitable`, what `lts bugs` counts in `lts/bugs`. Knows neither models nor
//! solvers.
#![forbid(unsafe_code)]

pub mod lts;
pub mod mucalc;
pub mod process;
