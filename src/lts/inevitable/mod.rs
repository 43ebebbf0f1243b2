//! Inevitability: whether every run has certain actions in a certain order, and where this is decided.
//!
//! After G. Barbon, V. Leroy, G. Salaün: *Counterexample simplification for liveness property violation* (SEFM
//! 2018). A run ends only in a state without transitions. Affixes are computed as fixpoints, so that transitions
//! are typed exactly: correct if every run through them has the actions, incorrect if none has.

mod affixes;
mod analysis;
mod counterexample;

pub use affixes::Affixes;
pub use analysis::{Incoming, Inevitable, InevitableCounts};
pub use counterexample::{Counterexample, Shape, shortest_counterexample};
