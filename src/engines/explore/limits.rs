//! Limits of searches, and the reasons why they end early.

use kit::budget::{Budget, Exhausted};

/// The default limit: large enough for models that can sensibly be explored, and reached within seconds.
pub const DEFAULT_SEARCH_LIMIT: usize = 1_000_000;

/// A search exceeded its limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TooMany {
    /// The objects of the search: `initial states`, `successors of a state by action forge`.
    pub what: String,
    /// The limit that was reached.
    pub limit: usize,
}

impl std::fmt::Display for TooMany {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "too many {}: the search was given up after {} tries", self.what, self.limit)
    }
}

impl std::error::Error for TooMany {}

/// The reason why an exploration ended early.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// There are more states than allowed.
    States(usize),
    /// There are too many choices in a state to list.
    Choices(TooMany),
    /// The budget was used up.
    Budget(Exhausted),
}

impl Stop {
    /// Returns the limit of a search without any other.
    pub(super) fn into_too_many(self) -> TooMany {
        match self {
            Stop::Choices(too_many) => too_many,
            Stop::States(limit) => TooMany { what: "reachable states".into(), limit },
            Stop::Budget(_) => unreachable!("an unlimited budget does not end"),
        }
    }
}

/// The limits of a search.
#[derive(Clone, Copy)]
pub struct SearchLimits<'a> {
    /// The most tries for the choices of one action with one list of arguments, and for the initial states.
    pub tries: usize,
    /// Time and memory.
    pub budget: &'a Budget,
}
