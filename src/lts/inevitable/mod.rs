//! Inevitability: every maximal trace has certain actions in their order, with anything between them.
//!
//! After G. Barbon, V. Leroy, G. Salaün: *Counterexample simplification for liveness property violation* (SEFM
//! 2018). For each state it is known how much of the sequence is done before it and how much will be done after
//! it, at least and at most; from this follows what every transition decides. A maximal trace ends in a state
//! without transitions or goes on for ever.

mod affixes;
mod analysis;
mod counts;
mod lasso;
mod layers;
mod neighbourhood;
mod shortest;

pub use affixes::Affixes;
pub use analysis::{Analysis, Entered};
pub use counts::Counts;
pub use neighbourhood::{Neighbourhood, Step, neighbourhoods};
pub use shortest::{Run, closed, shortest};
