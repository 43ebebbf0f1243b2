//! Safety: transitions that lead to a violation of `[R] false`, and the choices that could have avoided it.
//!
//! After G. Barbon, V. Leroy, G. Salaün: *Debugging of concurrent systems using counterexample analysis* (FSEN
//! 2017), with the tags and faulty states of *Counting bugs in behavioural models using counterexample analysis*
//! (FormaliSE 2022). Everything lives on the product of the system and the property's automaton, whose states
//! are called positions; it is never built, only sets of positions are kept.

mod analysis;
mod neighbourhood;
mod product;
mod shortest;
mod tagged;

pub(in crate::lts) use analysis::are_different;
pub use analysis::{AnalysisError, Incorrect, SafetyAnalysis, Tag, TaggedStep};
pub use neighbourhood::{Counts, faulty_kind};
pub use neighbourhood::{Neighbourhood, neighbourhoods};
pub use product::{LtsProduct, PositionSet, ProductPosition};
pub use shortest::{Keep, ShortestViolation, shortest};
pub use tagged::CounterexampleLts;
