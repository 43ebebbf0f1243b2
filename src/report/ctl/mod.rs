//! Results about branching-time properties: `cladist ctl`.

mod dot;
mod json;
mod text;
mod words;

pub use dot::ctl_dot;
pub use json::{CtlDocument, ctl_document};
pub use text::ctl_text;

use crate::ctl::{Class, Evidence, Goal, NoPath, Shape};
use crate::diagnostics::{Diagnostic, SourceMap};
use serde_json::Value as Json;

/// Whether the formula holds in all initial states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CtlVerdict {
    /// It does.
    Holds,
    /// It does not.
    Violated,
    /// What was looked at does not tell, for this reason, a sentence.
    Undecided(String),
}

/// What a verdict rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CtlBasis {
    /// All reachable states were listed.
    States {
        /// How many there are.
        states: usize,
        /// How many steps lead from one to another.
        transitions: usize,
    },
    /// Parts of up to so many states.
    Scope(usize),
    /// A proof without listing the states: in a few words.
    Proof(String),
}

/// A state that is shown.
#[derive(Debug, Clone)]
pub struct CtlState {
    /// Its number in the system, if it has one.
    pub number: Option<u32>,
    /// Its variables with their values, as text and as JSON; none in an explicit system.
    pub values: Vec<(String, String, Json)>,
    /// What changed since the state that leads to it first, as lines of text.
    pub changes: Vec<String>,
}

/// A step that is shown, between states by their index.
#[derive(Debug, Clone)]
pub struct CtlStep {
    /// From this state.
    pub from: usize,
    /// To this one.
    pub to: usize,
    /// Labels with which it can be taken.
    pub labels: Vec<String>,
}

/// A counterexample, or a witness.
#[derive(Debug, Clone)]
pub struct CtlShown {
    /// What it shows.
    pub goal: Goal,
    /// Its shape.
    pub shape: Shape,
    /// Its states, an initial one first.
    pub states: Vec<CtlState>,
    /// Its steps.
    pub steps: Vec<CtlStep>,
    /// What they are for; states are indices.
    pub evidence: Vec<Evidence>,
    /// Whether there is no smaller one.
    pub minimal: bool,
    /// If it is a subgraph, why it is no path.
    pub no_path: Option<NoPath>,
}

/// What is reported.
#[derive(Debug)]
pub struct CtlRequest<'a> {
    /// The file as the user wrote it.
    pub file: &'a str,
    /// The name of the property, if it has one.
    pub property: Option<&'a str>,
    /// The formula.
    pub formula: String,
    /// Its class.
    pub class: Class,
    /// What every path quantifier asks of its paths.
    pub fairness: Vec<String>,
    /// The verdict.
    pub verdict: CtlVerdict,
    /// What it rests on.
    pub basis: CtlBasis,
    /// The counterexample or witness, if one is shown.
    pub shown: Option<CtlShown>,
    /// If none is shown: why, a sentence.
    pub nothing_shown: Option<String>,
    /// Findings about the input.
    pub warnings: &'a [Diagnostic],
    /// What they point into.
    pub sources: &'a SourceMap,
    /// How long it took.
    pub seconds: f64,
}
