//! Parts common to several documents of stored results.

use super::trace::StoredTrace;
use lang::model::ParameterText;
use serde::{Deserialize, Serialize};
use solvers::unroll::Lengths;

/// A text of a result's model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredSource {
    /// Its path as read.
    pub file: String,
    /// SHA-256 of its bytes, as 64 hexadecimal digits.
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = "^[0-9a-f]{64}$")))]
    pub sha256: String,
}

/// The meaning of a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum LengthsWord {
    /// Traces of up to this many steps.
    UpTo,
    /// Traces of exactly this many steps.
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

/// The reason why a search ended before there was a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WhyEnded {
    /// The time ran out.
    Time,
    /// The memory ran out.
    Memory,
    /// The run was interrupted.
    Interrupt,
    /// There are as many classes as requested.
    MaxClasses,
    /// Only the given counterexamples were examined.
    StartWith,
}

/// The requirement on classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ClassRequirement {
    /// Each implies a violation.
    Sufficient,
    /// Every counterexample is in one.
    Cover,
}

/// The minimality of the number of classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Fewest {
    /// No smaller choice covers every counterexample.
    Minimum,
    /// None of them can be omitted.
    NonRedundant,
}

/// The image of a class under a symmetry.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredImage<C> {
    /// The cycles of exchanged values, in words.
    pub by: String,
    /// The moves of the values that do not stay fixed.
    #[cfg_attr(feature = "schemas", schemars(length(min = 1)))]
    pub moves: Vec<StoredMove>,
    /// Records that stay fixed, although values in them move.
    pub unmoved: Vec<StoredUnmoved>,
    /// The image as a class, with the id of the class that stands for it.
    pub class: C,
}

/// The move of a value.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredMove {
    /// The name of its type.
    #[serde(rename = "type")]
    pub ty: String,
    /// The value.
    pub from: String,
    /// The value in its place.
    pub to: String,
}

/// Records that stay fixed.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredUnmoved {
    /// The name of their type.
    #[serde(rename = "type")]
    pub ty: String,
    /// The field that identifies them.
    pub field: String,
    /// Its value in these records.
    pub value: String,
}

/// An individual of a class.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
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
    /// True for the individual that a parameter of a formula stands for.
    pub fn is(&self, parameter: &ParameterText) -> bool {
        self.name == parameter.name.trim_end_matches('_') && self.ty == parameter.ty
    }
}

/// Classes that occur together.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredCombination {
    /// The ids of the classes.
    #[cfg_attr(feature = "schemas", schemars(inner(range(min = 1))))]
    pub classes: Vec<usize>,
    /// The length of the trace.
    pub steps: usize,
    /// A shortest violating trace with these classes and no others.
    pub trace: StoredTrace,
}

/// The facts common to violating traces.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredNecessary<F> {
    /// True if everything was examined, and not only quickly decided facts.
    pub full: bool,
    /// True if they are common to violating traces of every length, and not only up to the bound.
    pub every_length: bool,
    /// The facts that every violating trace has.
    pub always: Vec<StoredShared<F>>,
    /// The facts that no violating trace has.
    pub never: Vec<StoredShared<F>>,
    /// The undecided facts, in the paper's notation.
    pub undecided: Vec<String>,
    /// Observables with too many values, which were not examined.
    pub skipped: Vec<String>,
    /// The number of facts omitted from a short list.
    pub more: usize,
}

/// A fact that all violating traces have, or none.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredShared<F> {
    /// The fact in the paper's notation.
    pub constraint: String,
    /// The fact in the language of models.
    pub formula: F,
    /// True if it holds for each of its individuals separately; missing if the formula expresses that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of_each: Option<bool>,
    /// True if it distinguishes violating traces from others.
    pub telling: bool,
}

/// An addition to a vocabulary.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredRepair {
    /// The declarations of its predicates that the model lacks; missing if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub predicates: Vec<String>,
    /// The addition, as it stands between the braces of a vocabulary.
    pub add: String,
    /// The number of classes with it, which are all.
    pub classes: usize,
    /// The number of them that only restate the property.
    pub restating: usize,
    /// The total number of facts, positions and individuals of all classes.
    pub length: usize,
}

/// A decisive step of a representative.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredDecisive {
    /// The position that it leads to.
    pub position: usize,
    /// The alternative steps that do not lose.
    pub right: Vec<StoredRight>,
    /// True if omitting the step does not lose, either.
    pub may_rest: bool,
}

/// A step that does not lose.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredRight {
    /// Its label.
    pub label: String,
    /// The worst fate of the states it leads to: `safe` or `open`.
    pub leads_to: StoredFate,
}

/// The fate of the worst state that a step leads to.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StoredFate {
    /// No violation can follow.
    Safe,
    /// A violation can follow, but need not.
    Open,
}

/// A finding about the input.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredFinding {
    /// `error`, `warning` or `note`.
    pub severity: SeverityWord,
    /// One sentence.
    pub message: String,
    /// The place it refers to.
    #[serde(deserialize_with = "super::nullable")]
    pub place: Option<StoredPlace>,
    /// Causes without a place.
    pub notes: Vec<String>,
    /// Other places that explain it.
    pub related: Vec<StoredRelated>,
    /// Advice on how to correct it.
    #[serde(deserialize_with = "super::nullable")]
    pub help: Option<String>,
}

/// The severity of a finding.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredPlace {
    /// The file.
    pub file: String,
    /// The line, from 1.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub line: usize,
    /// The column in characters, from 1.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub column: usize,
}

/// Another place that explains a finding.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredRelated {
    /// The place.
    pub place: StoredPlace,
    /// The remark.
    pub message: String,
}

/// Proofs of unsatisfiable answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredProofs {
    /// The folder, as the user wrote it.
    pub folder: String,
    /// The number of unsatisfiable answers with a checked proof there.
    pub proved: usize,
    /// The answers without a proof.
    pub missing: Vec<StoredMissing>,
    /// The grounds of the result beside unsatisfiable answers, in words.
    pub without: Vec<String>,
}

/// An answer without a proof.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredMissing {
    /// The claim to be proved, in words.
    pub claim: String,
    /// The reason why there is no proof.
    pub reason: String,
}

/// The comparison of the result with a stored one.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredBaseline {
    /// The stored result, as the user wrote it.
    pub file: String,
    /// `nothing_new`, `new`, or `open`, if the budget ended before or not all classes are known.
    pub verdict: NewsWord,
    /// The comparison of each class of the result.
    pub classes: Vec<StoredNovelty>,
    /// The classes of the stored result that no class repeats word for word.
    pub not_repeated: Vec<StoredKnown>,
}

/// The comparison of a result with a stored one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum NewsWord {
    /// Nothing is new.
    NothingNew,
    /// A class is new.
    New,
    /// Some classes were not compared.
    Open,
}

/// The comparison of a class.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredNovelty {
    /// The id of the class.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub id: usize,
    /// `same`, `covered`, `new` or `open`.
    pub novelty: NoveltyWord,
    /// With `same`: the id of the class in the stored result.
    #[serde(deserialize_with = "super::nullable")]
    pub same_as: Option<usize>,
    /// With `new`: a shortest violating trace that is in no class of the stored result.
    #[serde(deserialize_with = "super::nullable")]
    pub trace: Option<StoredTrace>,
    /// With `open`: the limit that ended the comparison.
    #[serde(deserialize_with = "super::nullable")]
    pub reason: Option<WhyEnded>,
}

/// The standing of a class beside a stored result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum NoveltyWord {
    /// A class there has the same constraint.
    Same,
    /// Classes there have all of its violating traces.
    Covered,
    /// No class there has one of its violating traces.
    New,
    /// The class was not compared.
    Open,
}

/// A class of the stored result.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredKnown {
    /// Its id there.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub id: usize,
    /// Its constraint in the paper's notation.
    pub constraint: String,
    /// True if the model still has the names in it; otherwise it covers nothing.
    pub restored: bool,
}

/// The numbers of traces of one length.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredCount {
    /// The number of steps.
    pub steps: usize,
    /// All of them.
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = "^[0-9]+$")))]
    pub total: String,
    /// Those in no class.
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = "^[0-9]+$")))]
    pub outside: String,
    /// Those of each class, in the order of the classes.
    pub classes: Vec<StoredShare>,
}

/// The number of traces in a class.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredShare {
    /// The class, from 1.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub id: usize,
    /// Those in the class.
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = "^[0-9]+$")))]
    pub total: String,
    /// Those in this class and no other.
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = "^[0-9]+$")))]
    pub only: String,
}
