//! Stored kinds of violation by their causes.

use super::check::StoredFairness;
use super::parts::{StoredDecisive, StoredFinding, StoredSource, WhyEnded};
use super::trace::StoredTrace;
use lang::model::{LassoFormulaText, TraceFormulaText};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

/// The document of a causal tree.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CausesDocument {
    /// `cladist/causes-1`.
    pub schema: String,
    /// Version of this program.
    pub version: String,
    /// The model's name.
    pub model: String,
    /// The file of the model, as the user wrote it.
    pub file: String,
    /// The texts of the model and its imports, with their digests.
    pub sources: Vec<StoredSource>,
    /// The values of `--set`, as text.
    #[cfg_attr(feature = "schemas", schemars(with = "std::collections::BTreeMap<String, String>"))]
    pub set: Map<String, Json>,
    /// Constants with their values for this run.
    pub constants: Map<String, Json>,
    /// The property's name.
    pub property: String,
    /// For a linear-time property, its fairness conditions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fairness: Option<StoredFairness>,
    /// The greatest number of steps.
    pub bound: usize,
    /// The result of the search.
    pub verdict: CausesVerdict,
    /// The verdict in one sentence.
    pub summary: String,
    /// The limit that ended the search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<WhyEnded>,
    /// The kinds, those with the shortest traces first.
    pub kinds: Vec<StoredKind>,
    /// Actions of which every violating trace up to the bound has a step.
    pub always: Vec<String>,
    /// The greatest number of steps up to which every violating trace is of one of the kinds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complete_to: Option<usize>,
    /// The number of steps from which on traces with the deciding steps of a shorter one were omitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub narrowed_from: Option<usize>,
    /// The violating traces of every length, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every_length: Option<StoredEveryTrace>,
    /// The constants that stop kinds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub defences: Option<StoredDefences>,
    /// The number of questions to the solver.
    pub solver_calls: u64,
    /// Seconds from start to end.
    pub seconds: f64,
    /// The solver that confirmed that the kinds are all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked_by: Option<String>,
    /// Findings about the input.
    pub warnings: Vec<StoredFinding>,
    /// The command line that gives this result again.
    pub rerun: String,
}

/// The result of a search for kinds by their causes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CausesVerdict {
    /// There is no violation up to the bound (exit code 0).
    Holds,
    /// Every violating trace up to the bound is of one of the kinds (10).
    Complete,
    /// There may be other kinds (11).
    Partial,
    /// No violation was found before a limit (5; 130 if interrupted).
    Undecided,
}

/// The result of a search for violating traces of every length.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum StoredEveryTrace {
    /// All of them are of one of the kinds; with the number of visited pairs of a state and the steps before it, or `null` for a symbolic proof.
    Covered(Option<usize>),
    /// The number of steps of a shortest one that is of no kind.
    Longer(usize),
}

/// A kind of violation.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredKind {
    /// The kind in one line.
    pub title: String,
    /// The steps that violate the property.
    pub breaks: String,
    /// The conjuncts of the condition under which they do, in the case of the first trace.
    pub condition: Vec<String>,
    /// True if there is no other case, or other kinds cover the other cases.
    pub is_whole: bool,
    /// The deciding steps.
    pub after: Vec<String>,
    /// True if the same steps in another order are another kind.
    pub in_this_order: bool,
    /// The step of the first trace from which on the violation is unavoidable, if known.
    pub decisive: Option<StoredDecisive>,
    /// The number of steps of its shortest traces.
    pub steps: usize,
    /// The traces that have these steps, in any order.
    pub pattern: StoredPattern,
    /// Its irreducible traces, one of each pattern.
    #[cfg_attr(feature = "schemas", schemars(length(min = 1)))]
    pub ways: Vec<StoredWay>,
    /// Kinds with more steps that contain this one.
    pub variants: Vec<StoredKind>,
}

/// The traces with some steps, in the language of models.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StoredPattern {
    /// Finite ones.
    Finite(TraceFormulaText),
    /// Infinite ones.
    Infinite(LassoFormulaText),
}

/// An irreducible trace.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredWay {
    /// The trace.
    pub trace: StoredTrace,
    /// The traces that have its steps.
    pub pattern: StoredPattern,
    /// The reasons of its steps.
    pub reasons: Vec<StoredReason>,
}

/// A part of the condition of a step with the steps that it is due to.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredReason {
    /// The number of the step, from 1; missing for an infinite trace as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub step: Option<usize>,
    /// The part.
    pub condition: String,
    /// The numbers of the steps that it is due to.
    #[cfg_attr(feature = "schemas", schemars(length(min = 1), inner(range(min = 1))))]
    pub because: Vec<usize>,
}

/// The constants that stop kinds.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredDefences {
    /// The constants that were tried.
    pub constants: Vec<StoredDefence>,
    /// The smallest sets of constants with which the property holds up to the bound, by their numbers from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schemars(inner(inner(range(min = 1)))))]
    pub sufficient: Option<Vec<Vec<usize>>>,
    /// By set the actions that happen within the bound as the model is, and no longer with the set; empty also where that is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub costs: Vec<Vec<String>>,
    /// The limit that ended the search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<WhyEnded>,
}

/// A constant with its other value.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredDefence {
    /// The constant.
    pub constant: String,
    /// The value other than that in the model.
    pub value: bool,
    /// The numbers of the kinds that it stops, from 1.
    #[cfg_attr(feature = "schemas", schemars(inner(range(min = 1))))]
    pub stops: Vec<usize>,
    /// True if it stops all kinds, and violations of other kinds appear.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub others_appear: bool,
}

impl StoredKind {
    /// Returns the kind and its variants.
    pub fn with_variants(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(&self.variants)
    }
}
