//! Stored classifications of infinite traces.

use super::finite::ClassifyVerdict;
use super::nullable;
use super::parts::{
    Fewest, Mode, StoredBaseline, StoredCombination, StoredFinding, StoredImage, StoredIndividual,
    StoredNecessary, StoredRefinement, StoredRepair, StoredSource, WhyEnded,
};
use super::trace::StoredTrace;
use lang::model::{LassoFormulaText, Recurrence};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

/// The document of a classification of infinite traces.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LassoDocument {
    /// `cladist/classify-lassos-1`.
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
    pub set: Map<String, Json>,
    /// Constants with their values for this run.
    pub constants: Map<String, Json>,
    /// The property's name.
    pub property: String,
    /// The bound: infinite traces that repeat after up to this many steps were examined.
    pub bound: usize,
    /// The horizon: classes suffice for those that repeat after up to this many steps.
    pub horizon: usize,
    /// The number of fairness conditions.
    pub fairness: usize,
    /// True if the conditions of the model were ignored.
    pub ignore_fairness: bool,
    /// The further given conditions, weak ones of actions or those of states, as written.
    #[serde(default)]
    pub fair: Vec<String>,
    /// The given strong conditions of actions, as written.
    #[serde(default)]
    pub strongly_fair: Vec<String>,
    /// The vocabulary's name.
    pub vocabulary: String,
    /// Its declaration, if the program chose it; `null` for a vocabulary of the model.
    #[serde(deserialize_with = "nullable")]
    pub declaration: Option<String>,
    /// Names in it whose facts are preferred, as requested.
    pub prefer: Vec<String>,
    /// Names in it whose facts were not used.
    pub hide: Vec<String>,
    /// Names of types whose values were not to become individuals, as given on the command line; `all`, `none`.
    pub ground: Vec<String>,
    /// The seed of the solvers' search order; 0 is the default.
    pub seed: u64,
    /// `holds`, `complete`, `partial`, `remainder`, `too_weak` or `undecided`; the first two with `_unbounded` if they are about all infinite traces.
    pub verdict: ClassifyVerdict,
    /// The verdict in one sentence.
    pub summary: String,
    /// The reason why it is partial or undecided: `time`, `memory`, `interrupt`, `max_classes`.
    #[serde(deserialize_with = "nullable")]
    pub reason: Option<WhyEnded>,
    /// With `complete`: `minimum` if no smaller choice of the found constraints covers every counterexample, otherwise
    /// `non_redundant`.
    #[serde(deserialize_with = "nullable")]
    pub cover: Option<Fewest>,
    /// `sufficient` if each class implies a violation, `cover` if every counterexample has one of them and they need not.
    pub mode: Mode,
    /// For a cover: the constraint of the class whose counterexamples were covered; `null` if all were.
    #[serde(deserialize_with = "nullable")]
    pub within: Option<String>,
    /// Like `within`, in the language of models.
    #[serde(default)]
    pub within_formula: Option<LassoFormulaText>,
    /// For a cover: the combinations of classes that occur, shortest traces first; `null` otherwise.
    #[serde(deserialize_with = "nullable")]
    pub combinations: Option<Vec<StoredCombination>>,
    /// For a cover: true if these are all combinations that occur; `null` otherwise.
    #[serde(deserialize_with = "nullable")]
    pub all_combinations: Option<bool>,
    /// For a cover: a shortest counterexample in which no fact of the vocabulary occurs.
    #[serde(deserialize_with = "nullable")]
    pub remainder: Option<StoredTrace>,
    /// For a cover: the facts that every counterexample has; `null` otherwise.
    #[serde(deserialize_with = "nullable")]
    pub necessary: Option<Vec<String>>,
    /// The classes, shortest representatives first.
    pub classes: Vec<StoredLassoClass>,
    /// With `partial`: a known counterexample that is in none of the classes.
    #[serde(deserialize_with = "nullable")]
    pub unclassified: Option<StoredTrace>,
    /// With `too_weak`: two infinite traces that share all facts.
    #[serde(deserialize_with = "nullable")]
    pub too_weak: Option<StoredLassoPair>,
    /// With `too_weak`: additions to the vocabulary with which all classes are known; each was tried.
    pub repairs: Vec<StoredRepair>,
    /// The facts common to all infinite counterexamples; `null` without a violation.
    #[serde(deserialize_with = "nullable")]
    pub necessary_facts: Option<StoredNecessary<LassoFormulaText>>,
    /// The result for all infinite traces; `null` if not requested.
    #[serde(deserialize_with = "nullable")]
    pub unbounded: Option<StoredEveryLength>,
    /// The resources used.
    pub statistics: StoredLassoStatistics,
    /// Findings about the input.
    pub warnings: Vec<StoredFinding>,
    /// The solver.
    pub solver: String,
    /// The solver that checked the result again; `null` if that was not done.
    #[serde(deserialize_with = "nullable")]
    pub checked_by: Option<String>,
    /// The command line that gives this result again.
    pub rerun: String,
    /// The comparison with a stored result; missing unless requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<StoredBaseline>,
}

/// A class of infinite counterexamples.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredLassoClass {
    /// The number of the class, from 1.
    pub id: usize,
    /// The constraint.
    pub constraint: String,
    /// The constraint in the language of models.
    pub formula: LassoFormulaText,
    /// The constraint in words, one line for each fact.
    pub words: Vec<String>,
    /// Its individuals.
    pub individuals: Vec<StoredIndividual>,
    /// Its facts.
    pub facts: Vec<StoredLassoFact>,
    /// The constraints on the individuals alone: which of them differ.
    pub distinct: Vec<String>,
    /// A shortest counterexample of the class.
    pub representative: StoredTrace,
    /// A shortest counterexample that is in no other class.
    #[serde(deserialize_with = "nullable")]
    pub canonical: Option<StoredTrace>,
    /// The decisive step of the representative; `null` if unknown, and for causes.
    #[serde(deserialize_with = "nullable")]
    pub decisive: Option<StoredDecision>,
    /// True if the constraint implies a violation; only classes of a cover need not.
    pub sufficient: bool,
    /// For a class that does not: a shortest infinite trace of it that satisfies the property.
    #[serde(deserialize_with = "nullable")]
    pub accepted: Option<StoredTrace>,
    /// True if the constraint violates the property by itself, independently of the model; `null` if that was not
    /// decided.
    #[serde(deserialize_with = "nullable")]
    pub restates: Option<bool>,
    /// True if it restates the property in names of actions: it violates the property on all infinite traces from an
    /// initial state in which each position is reached by a step of the model from any state that agrees with the
    /// previous position on the state formulas of the property; `null` if that was not decided.
    #[serde(default)]
    pub restates_step: Option<bool>,
    /// Its images under symmetries of the model, for which it stands as well.
    pub images: Vec<StoredImage<StoredLassoClass>>,
    /// Its causes, which distinguish its counterexamples, each again a class; `null` if not requested.
    #[serde(deserialize_with = "nullable")]
    pub causes: Option<Vec<StoredLassoClass>>,
    /// The results about its counterexamples beside the causes; `null` if not requested.
    #[serde(deserialize_with = "nullable")]
    pub refined: Option<StoredRefinement>,
    /// The reason why each part of the constraint is needed; empty if the budget ended before.
    pub needed: Vec<StoredWithout>,
}

impl StoredLassoClass {
    /// Returns the class and its images.
    pub fn with_images(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(self.images.iter().map(|image| &image.class))
    }
}

/// A fact of a class of infinite counterexamples.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredLassoFact {
    /// The fact as text.
    pub text: String,
    /// `once`, `again` or `forever`.
    pub when: Recurrence,
}

/// The decisive step of an infinite counterexample.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredDecision {
    /// The first position from which on the property cannot be met, counted on through the rounds of the loop; `null`
    /// if no step decides.
    #[serde(deserialize_with = "nullable")]
    pub position: Option<usize>,
    /// True if all infinite traces were examined; otherwise those that repeat within the horizon.
    pub of_all: bool,
    /// The decisive step in words.
    pub words: String,
}

/// The reason why a part of a class is needed.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredWithout {
    /// The constraint without that part.
    pub without: String,
    /// An infinite trace that satisfies this constraint and the property.
    pub trace: StoredTrace,
}

/// An infinite counterexample and an infinite trace that satisfies the property, with the same facts.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredLassoPair {
    /// The trace that violates the property.
    pub counterexample: StoredTrace,
    /// The trace that satisfies the property.
    pub accepting: StoredTrace,
    /// The facts about single atoms that they share.
    pub constraint: String,
    /// Like `constraint`, in the language of models.
    pub formula: LassoFormulaText,
}

/// The result for all infinite traces.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredEveryLength {
    /// True if the verdict is about all of them.
    pub proved: bool,
    /// The number of states listed for that.
    #[serde(deserialize_with = "nullable")]
    pub states: Option<usize>,
    /// The bounds at which classes were searched for.
    pub bounds: Vec<usize>,
    /// The reason why it is not proved.
    #[serde(deserialize_with = "nullable")]
    pub reason: Option<String>,
}

/// The resources used by a classification of infinite traces.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredLassoStatistics {
    /// The number of examined counterexamples.
    pub counterexamples: usize,
    /// The number of solver calls.
    pub solver_calls: u64,
    /// Seconds in total.
    pub seconds: f64,
    /// Seconds of processor time; `null` where the system does not report it.
    #[serde(deserialize_with = "nullable")]
    pub cpu_seconds: Option<f64>,
    /// The greatest resident memory, in units of 1024 bytes; `null` where the system does not report it.
    #[serde(default)]
    pub peak_memory_kb: Option<u64>,
}
