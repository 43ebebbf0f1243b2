//! Why bugs cannot be counted.

use crate::budget::Exhausted;
use crate::lts::safety::Stopped;
use crate::process::semantics::StopReason;

/// Why there is no result.
#[derive(Debug)]
pub enum NoResult {
    /// The automaton of the property has too many states.
    Automaton,
    /// A value cannot be computed.
    Failure(StopReason),
    /// The budget ended.
    Exhausted(Exhausted),
    /// System and property are too large together.
    TooLarge,
}

impl From<Exhausted> for NoResult {
    fn from(why: Exhausted) -> Self {
        NoResult::Exhausted(why)
    }
}

impl From<Stopped> for NoResult {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Exhausted(why) => NoResult::Exhausted(why),
            Stopped::TooLarge { .. } => NoResult::TooLarge,
        }
    }
}
