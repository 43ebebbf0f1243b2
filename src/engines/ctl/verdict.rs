//! Verdicts about formulas, with their evidence.

use super::evidence::CtlEvidence;
use super::extract::{ExplainedWitness, NoPath};
use super::goal::CtlGoal;
use super::witness::Witness;

/// The verdict that a formula holds in all initial states, or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CtlVerdict {
    /// The formula holds in all initial states.
    Holds,
    /// Some initial state violates it.
    Violated,
    /// The examined part of the system does not decide the formula; the reason is a sentence.
    Undecided(String),
}

/// The evidence for a verdict.
#[derive(Debug, Clone)]
pub enum EvidenceOutcome<S> {
    /// A counterexample or a witness.
    Shown(Box<Exhibit<S>>),
    /// No evidence; the reason is a sentence.
    Nothing(String),
}

/// A counterexample or a witness.
#[derive(Debug, Clone)]
pub struct Exhibit<S> {
    /// The goal that it shows.
    pub goal: CtlGoal,
    /// Its states and steps. State 0 is an initial one.
    pub witness: Witness<S>,
    /// Their purposes; states are indices into those of the witness.
    pub evidence: Vec<CtlEvidence>,
    /// True if it is proved that there is no smaller one of its shape.
    pub minimal: bool,
    /// For a subgraph, the reason why it is not a path.
    pub no_path: Option<NoPath>,
}

impl<S> Exhibit<S> {
    /// Combines the results.
    pub(super) fn new(
        goal: CtlGoal,
        shown: ExplainedWitness<S>,
        minimal: bool,
        no_path: Option<NoPath>,
    ) -> Self {
        let ExplainedWitness { witness, evidence } = shown;
        Self { goal, witness, evidence, minimal, no_path }
    }
}

impl<S> EvidenceOutcome<S> {
    /// Returns no evidence, for this reason.
    pub fn nothing(why: &str) -> Self {
        EvidenceOutcome::Nothing(why.to_owned())
    }

    /// Renames the states.
    pub fn map<T>(self, name: impl FnMut(S) -> T) -> EvidenceOutcome<T> {
        match self {
            EvidenceOutcome::Nothing(why) => EvidenceOutcome::Nothing(why),
            EvidenceOutcome::Shown(exhibit) => {
                let Exhibit { goal, witness, evidence, minimal, no_path } = *exhibit;
                let witness = witness.map(name);
                EvidenceOutcome::Shown(Box::new(Exhibit { goal, witness, evidence, minimal, no_path }))
            }
        }
    }
}
