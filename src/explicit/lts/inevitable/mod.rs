//! Inevitability: every maximal trace contains given actions in their order, with anything between them; or it is answered
//! again and again, and does not wait for ever.
//!
//! After G. Barbon, V. Leroy, G. Salaün: *Counterexample simplification for liveness property violation* (SEFM
//! 2018). The analysis computes for each state the shortest and the longest prefix of the sequence before it, and
//! the shortest and the longest suffix after it; these determine the tags of transitions. For answers, the tags follow from what maximal
//! traces from each state can do ([`Answers`]). A maximal trace is infinite, or ends in a state without transitions.

mod affixes;
mod analysis;
mod goal;
mod lasso;
mod layers;
mod neighbourhood;
mod shortest;

pub use affixes::Affixes;
pub use analysis::{InevitabilityAnalysis, NeighbourhoodEntry};
pub use goal::{Answers, RunGoal};
pub use neighbourhood::{InevitabilitySizes, neighbourhoods};
pub use shortest::{RunWithoutGoal, closed, shortest};
