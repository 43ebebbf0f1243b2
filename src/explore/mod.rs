//! Explores a model state by state, without a solver: initial states, successors, reachable states.
//!
//! Everything it finds is confirmed by the reference semantics ([`crate::model::eval`]); what it adds is
//! not to try every value of every variable. Where values are free (initial states, `modifies`,
//! `x' in S`) it decides them part by part and drops a part as soon as some formula is bound to be false.

mod compiled;
mod decide;
mod graph;
mod limits;
mod packed;
mod partial;
mod program;
mod reachable;
mod reached;
mod search;
mod space;
mod state_space;
mod stop;
mod successors;
mod traces;

pub use graph::{Arrival, Graph};
pub use reachable::{Exploration, Visited, reachable, shortest_violation, visit};
pub use reached::{Edge, Reachable};
pub use search::initial_states;
pub use space::Space;
pub use state_space::{Labelling, state_space};
pub use stop::Stop;
pub use successors::successors;
pub use traces::all_traces;

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
