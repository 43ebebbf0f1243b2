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
mod value;
mod words;

pub use chart::{Binding, Chart, ChartEvent, ChartRun, Charts, Happening};
pub use model::translate;
pub use scope::{Loss, Matching, Reveals, Scope};

/// A protocol as a model.
#[derive(Debug, Clone)]
pub struct Translation {
    /// The model, in the specification language.
    pub text: String,
    /// What the roles claim, in the order of the file.
    pub claims: Vec<ClaimedProperty>,
    /// The type of runs, which are numbered in the order in which they begin.
    pub runs: &'static str,
    /// Expressions of the model: who should take part in traces that are shown, the most wanted first.
    pub wishes: Vec<String>,
    /// What it takes to draw traces of the model.
    pub charts: Charts,
    /// Variables of any type that could take terms of more forms than are looked at: attacks may be missed.
    pub cut: Vec<String>,
    /// The most forms of terms that a variable of any type can have in the model.
    pub forms: usize,
}

/// A claim and the property that it became.
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
    /// What is claimed: `Secret`.
    pub claim: &'static str,
    /// Of what, if of something.
    pub term: Option<String>,
    /// True if it asks for a way to its place: what violates the property is an answer, and no attack.
    pub reachability: bool,
    /// An expression of the model: whether a run that the claim is about has come to it.
    pub reached: String,
}
