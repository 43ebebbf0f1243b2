//! What several documents of stored results have in common.

use super::trace::StoredTrace;
use lang::model::ParameterText;
use serde::{Deserialize, Serialize};
use solvers::unroll::Lengths;

/// A text that a result is about.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredSource {
    /// Its path as it was read.
    pub file: String,
    /// SHA-256 of its bytes, as 64 hexadecimal digits.
    pub sha256: String,
}

/// How a bound is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LengthsWord {
    /// Traces of up to so many steps.
    UpTo,
    /// Traces of exactly so many steps.
    Exactly,
}

impl From<Lengths> for LengthsWord {
    fn from(lengths: Lengths) -> Self {
        match lengths {
            Lengths::UpTo(_) => Self::UpTo,
            Lengths::Exactly(_) => Self::Exactly,
        }
    }
}

/// Why a search ended before there was a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhyEnded {
    Time,
    Memory,
    Interrupt,
    MaxClasses,
    StartWith,
}

/// What is asked of classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Each implies a violation.
    Sufficient,
    /// Every counterexample is in one.
    Cover,
}

/// How few the classes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fewest {
    Minimum,
    NonRedundant,
}

/// What a symmetry makes of a class.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredImage<C> {
    pub by: String,
    pub moves: Vec<StoredMove>,
    pub unmoved: Vec<StoredUnmoved>,
    pub class: C,
}

/// Where a value goes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredMove {
    #[serde(rename = "type")]
    pub ty: String,
    pub from: String,
    pub to: String,
}

/// Records that stay as they are.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredUnmoved {
    #[serde(rename = "type")]
    pub ty: String,
    pub field: String,
    pub value: String,
}

/// An individual of a class.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredIndividual {
    pub name: String,
    #[serde(rename = "type")]
    pub ty: String,
    pub value: String,
}

impl StoredIndividual {
    /// Whether it is the one that a parameter of a formula stands for.
    pub fn is(&self, parameter: &ParameterText) -> bool {
        self.name == parameter.name.trim_end_matches('_') && self.ty == parameter.ty
    }
}

/// Classes that occur together.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredCombination {
    pub classes: Vec<usize>,
    pub steps: usize,
    pub trace: StoredTrace,
}

/// What violating traces have in common.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredNecessary<S> {
    full: bool,
    pub every_length: bool,
    pub always: Vec<S>,
    pub never: Vec<S>,
    undecided: Vec<String>,
    skipped: Vec<String>,
    more: usize,
}

/// A fact that all have, or none.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredShared<F> {
    pub constraint: String,
    pub formula: F,
    #[serde(default)]
    pub of_each: bool,
    telling: bool,
}

/// An addition to a vocabulary.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredRepair {
    add: String,
    classes: usize,
    restating: usize,
    length: usize,
}

/// What is known of the traces of a class beside its causes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredRefinement {
    necessary: Vec<String>,
    #[serde(deserialize_with = "super::nullable")]
    remainder: Option<StoredTrace>,
    minimum: bool,
    #[serde(deserialize_with = "super::nullable")]
    reason: Option<WhyEnded>,
}

/// A finding about the input.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredFinding {
    severity: SeverityWord,
    message: String,
    #[serde(deserialize_with = "super::nullable")]
    place: Option<StoredPlace>,
    notes: Vec<String>,
    related: Vec<StoredRelated>,
    #[serde(deserialize_with = "super::nullable")]
    help: Option<String>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SeverityWord {
    Error,
    Warning,
    Note,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredPlace {
    file: String,
    line: usize,
    column: usize,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredRelated {
    place: StoredPlace,
    message: String,
}

/// Proofs of unsatisfiable answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredProofs {
    folder: String,
    proved: usize,
    missing: Vec<StoredMissing>,
    without: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredMissing {
    claim: String,
    reason: String,
}

/// What the result is beside a stored one.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredBaseline {
    file: String,
    verdict: NewsWord,
    classes: Vec<StoredNovelty>,
    not_repeated: Vec<StoredKnown>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum NewsWord {
    NothingNew,
    New,
    Open,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredNovelty {
    id: usize,
    novelty: NoveltyWord,
    #[serde(deserialize_with = "super::nullable")]
    same_as: Option<usize>,
    #[serde(deserialize_with = "super::nullable")]
    trace: Option<StoredTrace>,
    #[serde(deserialize_with = "super::nullable")]
    reason: Option<WhyEnded>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum NoveltyWord {
    Same,
    Covered,
    New,
    Open,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredKnown {
    id: usize,
    constraint: String,
    restored: bool,
}

/// How many traces there are of one length.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredCount {
    steps: usize,
    total: String,
    outside: String,
    classes: Vec<StoredShare>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredShare {
    id: usize,
    total: String,
    only: String,
}
