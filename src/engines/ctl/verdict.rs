//! Verdicts about formulas, and what is shown for them.

use super::evidence::Evidence;
use super::extract::{NoPath, Shown};
use super::goal::Goal;
use super::witness::Witness;

/// Whether a formula holds in all initial states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It does.
    Holds,
    /// Some initial state violates it.
    Violated,
    /// What was examined does not tell, for this reason, a sentence.
    Undecided(String),
}

/// What can be shown for a verdict.
#[derive(Debug, Clone)]
pub enum Found<S> {
    /// A counterexample or a witness.
    Shown(Box<Exhibit<S>>),
    /// Nothing; why, a sentence.
    Nothing(String),
}

/// A counterexample or a witness.
#[derive(Debug, Clone)]
pub struct Exhibit<S> {
    /// What it shows.
    pub goal: Goal,
    /// Its states and steps. The first state is an initial one.
    pub witness: Witness<S>,
    /// What each of them is for; states are indices into those of the witness.
    pub evidence: Vec<Evidence>,
    /// Whether it is proved that there is no smaller one of its shape.
    pub minimal: bool,
    /// If it is a subgraph: why it is no path.
    pub no_path: Option<NoPath>,
}

impl<S> Exhibit<S> {
    /// Puts together what was found.
    pub(super) fn new(goal: Goal, shown: Shown<S>, minimal: bool, no_path: Option<NoPath>) -> Self {
        let Shown { witness, evidence } = shown;
        Self { goal, witness, evidence, minimal, no_path }
    }
}

impl<S> Found<S> {
    /// Nothing, for this reason.
    pub fn nothing(why: &str) -> Self {
        Found::Nothing(why.to_owned())
    }

    /// The same with other names for the states.
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
