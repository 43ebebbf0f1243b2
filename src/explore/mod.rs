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
mod successors;
mod traces;

pub use graph::{Arrival, Graph};
pub use limits::{DEFAULT_SEARCH_LIMIT, Stop, TooMany};
pub use reachable::{Exploration, Visited, reachable, shortest_violation, visit};
pub use reached::{Edge, Reachable};
pub use search::initial_states;
pub use space::Space;
pub use state_space::{Labelling, state_space};
pub use successors::successors;
pub use traces::all_traces;
