//! Properties `[R] false`: no trace of the system has a prefix that the regular formula R describes.
//!
//! They are formulas of the µ-calculus, whose parser reads them; [`LabelAutomaton::new`] turns them into the least deterministic
//! automaton over the labels of one system.

mod automaton;
mod formula;
pub mod pattern;
mod subset;

pub use automaton::{AutomatonTooLarge, LabelAutomaton, MOST_STATES};
pub use formula::{Closure, ForbiddenTraces, LabelAtom, LabelSet, Regular};
pub use pattern::LabelPattern;
pub use subset::Phase;
