//! Inevitability: every maximal trace contains given actions in their order, with anything between them.
//!
//! After G. Barbon, V. Leroy, G. Salaün: *Counterexample simplification for liveness property violation* (SEFM
//! 2018). The analysis computes for each state the shortest and the longest prefix of the sequence before it, and
//! the shortest and the longest suffix after it; these determine the tags of transitions. A maximal trace is infinite, or
//! ends in a state without transitions.

mod affixes;
mod analysis;
mod counts;
mod lasso;
mod layers;
mod neighbourhood;
mod shortest;

pub use affixes::Affixes;
pub use analysis::{Analysis, Entered, Step};
pub use counts::Counts;
pub use neighbourhood::{Neighbourhood, neighbourhoods};
pub use shortest::{Run, closed, shortest};
