//! From protocols to models: runs of roles, a network that is the attacker, and claims as invariants.

mod actions;
mod attacker;
mod claims;
mod condition;
mod forms;
mod given;
mod model;
mod names;
mod script;
mod terms;
mod threats;
mod tickets;
mod translation;
mod value;
mod words;

pub use model::translate;
pub use threats::Reveals;
pub use translation::{ClaimedProperty, Matching, Scope, Translation};
