//! Explicit systems: labelled transition systems with their files and analyses ([`lts`]), formulas of the µ-calculus
//! ([`mucalc`]), and process texts ([`process`]).
//!
//! Tags of steps are decided in `lts/safety/analysis.rs` (`lts tag`; for an invariant of a model from the fates of its states, `lts/decisive`) and in
//! `lts/inevitable` (`lts inevitable`), bugs are counted in `lts/bugs`. Knows neither models nor solvers.
#![forbid(unsafe_code)]

pub mod lts;
pub mod mucalc;
pub mod process;
