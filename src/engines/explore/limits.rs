//! How long searches go on, and why they end early.

use kit::budget::{Budget, Exhausted};

/// A limit that is enough for models one would explore at all, and reached within seconds.
pub const DEFAULT_SEARCH_LIMIT: usize = 1_000_000;

/// A search took more steps than it was allowed to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TooMany {
    /// What was searched for: `initial states`, `successors of a state by action forge`.
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

/// How long a search goes on.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// The most tries for the choices of one action with one list of arguments, and for the first states.
    pub tries: usize,
    /// Time and memory.
    pub budget: &'a Budget,
}
