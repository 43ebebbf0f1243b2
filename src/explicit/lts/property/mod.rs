//! Properties `[R] false`: no trace of the system has a prefix that the regular formula R describes.
//!
//! [`parse`] reads what people write for CADP's Evaluator (MCL); [`Automaton::new`] turns it into the least
//! deterministic automaton over the labels of one system.

mod automaton;
mod formula;
mod minimal;
mod parse;
pub mod pattern;
mod subset;
mod token;

pub use automaton::{Automaton, AutomatonTooLarge, MOST_STATES};
pub use formula::{Action, Atom, Closure, Property, Regular};
pub use parse::{in_one_line, parse};
pub use pattern::Pattern;
pub use subset::Phase;
