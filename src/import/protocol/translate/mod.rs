//! Translates protocols to models: runs of roles, a network that is the attacker, and claims as invariants.

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
mod value;
mod words;

pub(super) use chart::{ALL_LOST, Ground, Intruder};
pub use chart::{Chart, ChartEvent, ChartRun, Charts, Happening, SentPart};
pub(super) use frame::DISHONEST as ATTACKERS;
pub use model::translate;
pub use scope::{ClaimsAsked, Loss, Matching, ProtocolScope, Reveals};

/// A protocol as a model.
#[derive(Debug, Clone)]
pub struct Translation {
    /// The model, in the specification language.
    pub text: String,
    /// The claims of the roles, in the order of the file.
    pub claims: Vec<ClaimedProperty>,
    /// The type of runs, which are numbered in the order in which they begin.
    pub runs: &'static str,
    /// Expressions of the model: preferences for traces that are shown, the most important first.
    pub wishes: Vec<String>,
    /// The data needed to draw traces of the model.
    pub charts: Charts,
    /// Variables of any type with more possible forms than the limit: attacks may be missed.
    pub cut: Vec<String>,
    /// True if variables can be sums, of a limited number of terms.
    pub variable_sums: bool,
    /// True if runs disclose sums: the attacker does not add those of several runs.
    pub given_sums: bool,
    /// The greatest number of forms of terms that a variable of any type has in the model.
    pub forms: usize,
}

/// A claim and the property generated from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedProperty {
    /// The name of the property in the model.
    pub property: String,
    /// The protocol.
    pub protocol: String,
    /// The role that claims it.
    pub role: String,
    /// The label of the claim, as in the file.
    pub label: String,
    /// The name of the claim: `Secret`.
    pub claim: &'static str,
    /// The claimed term, if any.
    pub term: Option<String>,
    /// True for reachability: a violation of the property is the desired trace, not an attack.
    pub reachability: bool,
    /// An expression of the model that is true if a run that the claim is about has reached it.
    pub reached: String,
}
