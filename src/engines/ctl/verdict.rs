//! Verdicts about formulas, with their evidence.

use super::evidence::Evidence;
use super::extract::{NoPath, Shown};
use super::goal::Goal;
use super::witness::Witness;

/// The verdict that a formula holds in all initial states, or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The formula holds in all initial states.
    Holds,
    /// Some initial state violates it.
    Violated,
    /// The examined part of the system does not decide the formula; the reason is a sentence.
    Undecided(String),
}

/// The evidence for a verdict.
#[derive(Debug, Clone)]
pub enum Found<S> {
    /// A counterexample or a witness.
    Shown(Box<Exhibit<S>>),
    /// No evidence; the reason is a sentence.
    Nothing(String),
}

/// A counterexample or a witness.
#[derive(Debug, Clone)]
pub struct Exhibit<S> {
    /// The goal that it shows.
    pub goal: Goal,
    /// Its states and steps. State 0 is an initial one.
    pub witness: Witness<S>,
    /// Their purposes; states are indices into those of the witness.
    pub evidence: Vec<Evidence>,
    /// True if it is proved that there is no smaller one of its shape.
    pub minimal: bool,
    /// For a subgraph, the reason why it is not a path.
    pub no_path: Option<NoPath>,
}

impl<S> Exhibit<S> {
    /// Combines the results.
    pub(super) fn new(goal: Goal, shown: Shown<S>, minimal: bool, no_path: Option<NoPath>) -> Self {
        let Shown { witness, evidence } = shown;
        Self { goal, witness, evidence, minimal, no_path }
    }
}

impl<S> Found<S> {
    /// Returns no evidence, for this reason.
    pub fn nothing(why: &str) -> Self {
        Found::Nothing(why.to_owned())
    }

    /// Renames the states.
    pub fn map<T>(self, name: impl FnMut(S) -> T) -> Found<T> {
        match self {
            Found::Nothing(why) => Found::Nothing(why),
            Found::Shown(exhibit) => {
                let Exhibit { goal, witness, evidence, minimal, no_path } = *exhibit;
                let witness = witness.map(name);
                Found::Shown(Box::new(Exhibit { goal, witness, evidence, minimal, no_path }))
            }
        }
    }
}
