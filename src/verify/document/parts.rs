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
    /// The time ran out.
    Time,
    /// The memory ran out.
    Memory,
    /// The run was interrupted.
    Interrupt,
    /// There are as many classes as were asked for.
    MaxClasses,
    /// Only the counterexamples to start with were looked at.
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
    /// No smaller choice covers every counterexample.
    Minimum,
    /// None of them can be left out.
    NonRedundant,
}

/// What a symmetry makes of a class.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredImage<C> {
    /// The cycles of values that change places, in words.
    pub by: String,
    /// Where the values go that do not stay.
    pub moves: Vec<StoredMove>,
    /// Records that stay as they are, although values in them move.
    pub unmoved: Vec<StoredUnmoved>,
    /// It as a class, with the id of the class that stands for it.
    pub class: C,
}

/// Where a value goes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredMove {
    /// The name of its type.
    #[serde(rename = "type")]
    pub ty: String,
    /// The value.
    pub from: String,
    /// What takes its place.
    pub to: String,
}

/// Records that stay as they are.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredUnmoved {
    /// The name of their type.
    #[serde(rename = "type")]
    pub ty: String,
    /// The field by which they are told.
    pub field: String,
    /// Its value in these records.
    pub value: String,
}

/// An individual of a class.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredIndividual {
    /// Its name in the constraint.
    pub name: String,
    /// The name of its type.
    #[serde(rename = "type")]
    pub ty: String,
    /// Its value in the representative.
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
    /// The ids of the classes.
    pub classes: Vec<usize>,
    /// The length of the trace.
    pub steps: usize,
    /// A shortest violating trace with these classes and no others.
    pub trace: StoredTrace,
}

/// What violating traces have in common.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredNecessary<F> {
    /// Whether everything was asked for, and not only what is told quickly.
    pub full: bool,
    /// Whether it is so of violating traces of every length, and not only up to the bound.
    pub every_length: bool,
    /// What every violating trace has.
    pub always: Vec<StoredShared<F>>,
    /// What no violating trace has.
    pub never: Vec<StoredShared<F>>,
    /// What was not decided, in the paper's notation.
    pub undecided: Vec<String>,
    /// Observables with too many values, which were not looked at.
    pub skipped: Vec<String>,
    /// How many facts were left out of a short list.
    pub more: usize,
}

/// A fact that all have, or none.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredShared<F> {
    /// In the paper's notation.
    pub constraint: String,
    /// In the language of models.
    pub formula: F,
    /// Whether it is so of each of its individuals by itself; missing where the formula says that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of_each: Option<bool>,
    /// Whether it tells violating traces from others.
    pub telling: bool,
}

/// An addition to a vocabulary.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredRepair {
    /// What is added, as it stands between the braces of a vocabulary.
    pub add: String,
    /// How many classes there are with it; these are all.
    pub classes: usize,
    /// How many of them only restate the property.
    pub restating: usize,
    /// Facts, positions and individuals of all classes.
    pub length: usize,
}

/// What is known of the traces of a class beside its causes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredRefinement {
    /// What all of them have, in the paper's notation.
    pub necessary: Vec<String>,
    /// A shortest one without any of the causes.
    #[serde(deserialize_with = "super::nullable")]
    pub remainder: Option<StoredTrace>,
    /// Whether no smaller choice of causes does.
    pub minimum: bool,
    /// What ended the search before there was a result.
    #[serde(deserialize_with = "super::nullable")]
    pub reason: Option<WhyEnded>,
}

/// A finding about the input.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredFinding {
    /// `error`, `warning` or `note`.
    pub severity: SeverityWord,
    /// One sentence.
    pub message: String,
    /// The place it is about.
    #[serde(deserialize_with = "super::nullable")]
    pub place: Option<StoredPlace>,
    /// Causes without a place.
    pub notes: Vec<String>,
    /// Other places that explain it.
    pub related: Vec<StoredRelated>,
    /// What to do about it.
    #[serde(deserialize_with = "super::nullable")]
    pub help: Option<String>,
}

/// The severity of a finding.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeverityWord {
    /// An error.
    Error,
    /// A warning.
    Warning,
    /// A note.
    Note,
}

/// A place in a source.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredPlace {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

/// Another place that explains a finding.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredRelated {
    /// The place.
    pub place: StoredPlace,
    /// What to say there.
    pub message: String,
}

/// Proofs of unsatisfiable answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredProofs {
    /// The folder, as the user wrote it.
    pub folder: String,
    /// How many unsatisfiable answers have a proof there that was checked.
    pub proved: usize,
    /// What has no proof.
    pub missing: Vec<StoredMissing>,
    /// What the result rests on that is no unsatisfiable answer, in words.
    pub without: Vec<String>,
}

/// An answer without a proof.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredMissing {
    /// What would be proved, in words.
    pub claim: String,
    /// Why there is no proof.
    pub reason: String,
}

/// What the result is beside a stored one.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredBaseline {
    /// The stored result, as the user wrote it.
    pub file: String,
    /// `nothing_new`, `new`, or `open`, where the budget ended before or not all classes are known.
    pub verdict: NewsWord,
    /// For each class of the result what it is.
    pub classes: Vec<StoredNovelty>,
    /// The classes of the stored result that no class repeats word for word.
    pub not_repeated: Vec<StoredKnown>,
}

/// The comparison of a result with a stored one.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NewsWord {
    /// Nothing is new.
    NothingNew,
    /// A class is new.
    New,
    /// Not everything was compared.
    Open,
}

/// What a class is.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredNovelty {
    /// The id of the class.
    pub id: usize,
    /// `same`, `covered`, `new` or `open`.
    pub novelty: NoveltyWord,
    /// With `same`: the id of the class in the stored result.
    #[serde(deserialize_with = "super::nullable")]
    pub same_as: Option<usize>,
    /// With `new`: a shortest violating trace that is in no class of the stored result.
    #[serde(deserialize_with = "super::nullable")]
    pub trace: Option<StoredTrace>,
    /// With `open`: what ended the comparison.
    #[serde(deserialize_with = "super::nullable")]
    pub reason: Option<WhyEnded>,
}

/// The standing of a class beside a stored result.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoveltyWord {
    /// A class there says the same.
    Same,
    /// Classes there have all of its violating traces.
    Covered,
    /// No class there has one of its violating traces.
    New,
    /// It was not compared.
    Open,
}

/// A class of the stored result.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredKnown {
    /// Its id there.
    pub id: usize,
    /// Its constraint in the paper's notation.
    pub constraint: String,
    /// Whether the model still has what it speaks of; if not, it covers nothing.
    pub restored: bool,
}

/// How many traces there are of one length.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredCount {
    /// The number of steps.
    pub steps: usize,
    /// All of them.
    pub total: String,
    /// Those in no class.
    pub outside: String,
    /// Those of each class, in the order of the classes.
    pub classes: Vec<StoredShare>,
}

/// The number of traces in a class.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredShare {
    /// The class, from 1.
    pub id: usize,
    /// Those in the class.
    pub total: String,
    /// Those in this class and no other.
    pub only: String,
}
