//! Properties `[R] false`: no trace of the system has a prefix that the regular formula R describes.
//!
//! They are formulas of the µ-calculus, whose parser reads them; [`Automaton::new`] turns them into the least deterministic
//! automaton over the labels of one system.

mod automaton;
mod formula;
pub mod pattern;
mod subset;

pub use automaton::{Automaton, AutomatonTooLarge, MOST_STATES};
pub use formula::{Action, Atom, Closure, Property, Regular};
pub use pattern::Pattern;
pub use subset::Phase;
