//! From protocols to models: runs of roles, a network that is the attacker, and claims as invariants.

mod actions;
mod attacker;
mod bindings;
mod chart;
mod claims;
mod condition;
mod forms;
mod frame;
mod given;
pub mod merging;
mod model;
mod names;
pub mod scope;
pub mod script;
mod terms;
mod threats;
mod tickets;
mod translation;
mod value;
mod words;

pub use chart::{Binding, Chart, ChartEvent, ChartRun, Charts, Happening};
pub use model::translate;
pub use scope::{Loss, Matching, Reveals, Scope};
pub use translation::{ClaimedProperty, Translation};
