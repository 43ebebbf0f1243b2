//! Results about branching-time properties: `cladist ctl`.

mod json;
mod page;
mod text;
mod words;

pub use page::ctl_page;
pub use text::ctl_dot;
use text::ctl_text;

use super::walk::entries;
use engines::ctl::{
    CtlEvidence, CtlGoal, CtlVerdict, EvidenceOutcome, Exhibit, NoPath, PreservationClass, WitnessShape,
};
use engines::decide::Basis;
use explicit::lts::StateId;
use kit::diagnostics::{Diagnostic, SourceMap};
use serde_json::Value as Json;

/// A state that is shown.
#[derive(Debug, Clone)]
pub struct CtlState {
    /// The number of the state in an explicit system.
    pub number: Option<StateId>,
    /// The variables with their values; none in an explicit system.
    pub values: Vec<CtlValue>,
    /// The places of the state, parts of variables, with their values as text.
    pub places: Vec<(String, String)>,
    /// Changes since the state that leads to it first, as lines of text.
    pub changes: Vec<String>,
}

/// A variable with its value in a state.
#[derive(Debug, Clone)]
pub struct CtlValue {
    /// The name of the variable.
    pub name: String,
    /// The value as text.
    pub text: String,
    /// The value in JSON.
    pub json: Json,
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
    /// Its purpose.
    pub goal: CtlGoal,
    /// Its form: a path, a lasso or a subgraph.
    pub shape: WitnessShape,
    /// The states that are shown, an initial one first.
    pub states: Vec<CtlState>,
    /// The steps between them.
    pub steps: Vec<CtlStep>,
    /// The purposes of its states and steps; states are indices.
    pub evidence: Vec<CtlEvidence>,
    /// True if there is no smaller one.
    pub minimal: bool,
    /// If it is a subgraph, why it is no path.
    pub no_path: Option<NoPath>,
}

impl CtlShown {
    /// The evidence of a verdict, with descriptions of states, of which some have a predecessor that is shown before them, and the
    /// labels of steps.
    ///
    /// # Errors
    /// If nothing was found: why, a sentence.
    pub fn new<S>(
        found: EvidenceOutcome<S>,
        mut state: impl FnMut(&S, Option<&S>) -> CtlState,
        mut labels: impl FnMut(&S, &S) -> Vec<String>,
    ) -> Result<Self, String> {
        let Exhibit { goal, witness, evidence, minimal, no_path } = match found {
            EvidenceOutcome::Shown(exhibit) => *exhibit,
            EvidenceOutcome::Nothing(why) => return Err(why),
        };
        let entries = entries(witness.states.len(), witness.edges.iter().copied());
        let before = |at: usize| entries[at].map(|edge| &witness.states[witness.edges[edge].0]);
        let states = (0..witness.states.len()).map(|at| state(&witness.states[at], before(at)));
        let states = states.collect();
        let steps = witness.edges.iter().map(|&(from, to)| CtlStep {
            from,
            to,
            labels: labels(&witness.states[from], &witness.states[to]),
        });
        let steps = steps.collect();
        Ok(Self { goal, shape: witness.shape, states, steps, evidence, minimal, no_path })
    }
}

/// The result of `cladist ctl`.
#[derive(Debug)]
pub struct CtlReport<'a> {
    /// The file as the user wrote it.
    pub file: &'a str,
    /// The name of the property, if it has one.
    pub property: Option<&'a str>,
    /// The formula.
    pub formula: String,
    /// Its class.
    pub class: PreservationClass,
    /// Conditions that every path quantifier demands infinitely often of its paths.
    pub fairness: Vec<String>,
    /// And the steps that they take infinitely often if these are possible infinitely often.
    pub strong_fairness: Vec<String>,
    /// The verdict.
    pub verdict: CtlVerdict,
    /// The basis of the verdict.
    pub basis: Basis,
    /// The counterexample or witness, if one is shown.
    pub shown: Option<CtlShown>,
    /// If none is shown: why, a sentence.
    pub nothing_shown: Option<String>,
    /// Findings about the input.
    pub warnings: &'a [Diagnostic],
    /// The sources that spans refer to.
    pub sources: &'a SourceMap,
    /// How long it took.
    pub seconds: f64,
}
