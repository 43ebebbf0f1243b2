//! Explores a model state by state, without a solver: initial states, successors, reachable states.
//!
//! States are packed into words ([`StateSpace`]); the conditions, assignments and constraints of actions are compiled once
//! into closures over these. The other expressions are evaluated by the reference semantics ([`lang::model::eval`]);
//! random tests compare the compiled steps with it. Where values are free (initial states, `modifies`, `x' in S`), a
//! search decides them part by part and drops a part as soon as some formula is certainly false; the reference
//! semantics confirms the results.

mod bugs;
mod columns;
pub mod compiled;
pub mod crew;
mod decide;
mod describe;
mod fates;
mod first_violation;
pub mod graph;
pub mod limits;
pub mod orbits;
pub mod pace;
pub mod packed;
mod partial;
pub mod producer;
pub mod program;
mod reachable;
pub mod reached;
mod response;
pub mod search;
pub mod space;
mod state_space;
mod successors;
mod unlabelled;

pub use bugs::{Forbidden, ModelBugs, ModelBugsError, kept, model_bugs};
pub use describe::describe;
pub use fates::{DecisivePlace, ListedFates, RightStep, with_fates};
pub use first_violation::{first_violation, least_violation};
pub use graph::{Arrival, Graph};
pub use limits::{DEFAULT_SEARCH_LIMIT, Stop, TooMany};
pub use orbits::Orbits;
pub use reachable::{Exploration, ReachabilityResult, VisitedOrbits, reachable, visit, visit_orbits};
pub use reached::{Reachable, ReachedEdge};
pub use response::{Response, Waiting};
pub use search::initial_states;
pub use space::StateSpace;
pub use state_space::{Labelling, state_space};
pub use successors::successors;
pub use unlabelled::{Replay, Unlabelled, find_labels, follow};
