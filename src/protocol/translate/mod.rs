//! From protocols to models: runs of roles, a network that is the attacker, and claims as invariants.

mod actions;
mod attacker;
mod bindings;
mod claims;
mod condition;
mod forms;
mod given;
mod model;
mod names;
mod script;
mod terms;
mod tickets;
mod translation;
mod value;
mod words;

pub use model::translate;
pub use translation::{ClaimedProperty, Scope, Translation};
