//! Why an exploration ended early.

use super::TooMany;
use crate::budget::Exhausted;

/// Why an exploration ended before everything was explored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// There are more states than allowed.
    States(usize),
    /// The choices in a state are too many to be listed.
    Choices(TooMany),
    /// The budget was used up.
    Budget(Exhausted),
}

impl Stop {
    /// The limit of a search without any other.
    pub(super) fn into_too_many(self) -> TooMany {
        match self {
            Stop::Choices(too_many) => too_many,
            Stop::States(limit) => TooMany { what: "reachable states".into(), limit },
            Stop::Budget(_) => unreachable!("an unlimited budget does not end"),
        }
    }
}
