//! The bugs of a process text: the occurrences of last actions that violate a safety property, each of which can be
//! corrected separately ([`crate::lts::bugs`]). A dummy omits an action, and nothing of it is observed. The system is
//! generated with all dummies under labels of their own.

mod count;
mod escapes;
mod marked;

pub use count::{CountLimits, TextBugs, count, count_by_parts};
pub use escapes::{Escape, EscapeKind, Escapes, escapes};

use super::semantics::StopReason;
use crate::lts::safety::AnalysisError;
use kit::budget::Exhausted;

/// The bugs of a text cannot be counted.
#[derive(Debug)]
pub enum BugsError {
    /// The automaton of the property has too many states.
    Automaton,
    /// The system cannot be generated: for example, a value cannot be computed.
    Failure(StopReason),
    /// The budget was exhausted.
    Exhausted(Exhausted),
    /// The product of system and property is too large.
    TooLarge,
}

impl std::fmt::Display for BugsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BugsError::Automaton => f.write_str("the automaton of the property has too many states"),
            BugsError::Failure(reason) => reason.fmt(f),
            BugsError::Exhausted(why) => why.fmt(f),
            BugsError::TooLarge => f.write_str("the product of system and property has too many positions"),
        }
    }
}

impl std::error::Error for BugsError {}

impl From<Exhausted> for BugsError {
    fn from(why: Exhausted) -> Self {
        BugsError::Exhausted(why)
    }
}

impl From<AnalysisError> for BugsError {
    fn from(stopped: AnalysisError) -> Self {
        match stopped {
            AnalysisError::Exhausted(why) => BugsError::Exhausted(why),
            AnalysisError::TooLarge { .. } => BugsError::TooLarge,
        }
    }
}
