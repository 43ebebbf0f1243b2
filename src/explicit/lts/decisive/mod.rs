//! Decisive steps: after which of them a violation of a property of states can no longer be avoided.
//!
//! A state is *lost* if the violation is unavoidable there, *safe* if it is impossible, and *open* otherwise: the
//! incorrect, correct and neutral of G. Barbon, V. Leroy, G. Salaün, *Debugging of concurrent systems using
//! counterexample analysis* (FSEN 2017), said of states. A step is *decisive* if it leads from an open state to a lost
//! one. Where some labels belong to an environment, a state is lost if the environment can complete the violation by
//! itself: its part of a safety game whose other player may rest.

mod fates;
mod steps;

pub use fates::{FateCounts, Fates, StateFate};
pub use steps::{DecisiveLabel, Instead, decisive_labels, without_losing};
