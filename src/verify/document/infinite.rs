//! Classifications of infinite traces, as they are stored.

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
    /// The texts of the model and of what it imports, with their digests.
    pub sources: Vec<StoredSource>,
    /// What `--set` gave, as text.
    pub set: Map<String, Json>,
    /// Constants with their values for this run.
    pub constants: Map<String, Json>,
    /// The property's name.
    pub property: String,
    /// Infinite traces that repeat after up to so many steps were looked at.
    pub bound: usize,
    /// Classes suffice for those that repeat after up to so many steps.
    pub horizon: usize,
    /// How many conditions of fairness they met.
    pub fairness: usize,
    /// Whether the conditions of the model were ignored.
    pub ignore_fairness: bool,
    /// The conditions that were given beside, weak ones of actions or those of states, as they were written.
    #[serde(default)]
    pub fair: Vec<String>,
    /// The strong ones of actions.
    #[serde(default)]
    pub strongly_fair: Vec<String>,
    /// The vocabulary's name.
    pub vocabulary: String,
    /// Its declaration, if the program chose it; `null` for a vocabulary of the model.
    #[serde(deserialize_with = "nullable")]
    pub declaration: Option<String>,
    /// Names in it whose facts were asked to be preferred.
    pub prefer: Vec<String>,
    /// Names in it whose facts were not used.
    pub hide: Vec<String>,
    /// Names of types whose values were not to become individuals, as given on the command line; `all`, `none`.
    pub ground: Vec<String>,
    /// What decided the order in which the solvers search; 0 is the usual one.
    pub seed: u64,
    /// `holds`, `complete`, `partial`, `remainder`, `too_weak` or `undecided`; the first two with `_unbounded` if they are about all infinite traces.
    pub verdict: ClassifyVerdict,
    /// The verdict in one sentence.
    pub summary: String,
    /// Why it is partial or undecided: `time`, `memory`, `interrupt`, `max_classes`.
    #[serde(deserialize_with = "nullable")]
    pub reason: Option<WhyEnded>,
    /// With `complete`: `minimum` if no smaller choice of the constraints that were made covers every counterexample, otherwise
    /// `non_redundant`.
    #[serde(deserialize_with = "nullable")]
    pub cover: Option<Fewest>,
    /// `sufficient` if each class implies a violation, `cover` if every counterexample has one of them and they need not.
    pub mode: Mode,
    /// Of a cover: the constraint of the class whose counterexamples were covered; `null` where these are all.
    #[serde(deserialize_with = "nullable")]
    pub within: Option<String>,
    /// The same in the language of models.
    #[serde(default)]
    pub within_formula: Option<LassoFormulaText>,
    /// Of a cover: which classes occur together, shortest traces first; `null` otherwise.
    #[serde(deserialize_with = "nullable")]
    pub combinations: Option<Vec<StoredCombination>>,
    /// Of a cover: whether these are all combinations that occur; `null` otherwise.
    #[serde(deserialize_with = "nullable")]
    pub all_combinations: Option<bool>,
    /// Of a cover: a shortest counterexample in which nothing happens that the vocabulary names.
    #[serde(deserialize_with = "nullable")]
    pub remainder: Option<StoredTrace>,
    /// Of a cover: what every counterexample has and tells nothing apart; `null` otherwise.
    #[serde(deserialize_with = "nullable")]
    pub necessary: Option<Vec<String>>,
    /// The classes, shortest representatives first.
    pub classes: Vec<StoredLassoClass>,
    /// With `partial`: a counterexample that is known and in none of the classes.
    #[serde(deserialize_with = "nullable")]
    pub unclassified: Option<StoredTrace>,
    /// With `too_weak`: two infinite traces that share all facts.
    #[serde(deserialize_with = "nullable")]
    pub too_weak: Option<StoredLassoPair>,
    /// With `too_weak`: additions to the vocabulary with which all classes are known; each was tried.
    pub repairs: Vec<StoredRepair>,
    /// What all infinite counterexamples have in common; `null` where nothing is violated.
    #[serde(deserialize_with = "nullable")]
    pub necessary_facts: Option<StoredNecessary<LassoFormulaText>>,
    /// What is known of all infinite traces; `null` where that was not asked.
    #[serde(deserialize_with = "nullable")]
    pub unbounded: Option<StoredEveryLength>,
    /// What it took.
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
    /// What the result is beside a stored one; missing unless that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<StoredBaseline>,
}

/// A class of infinite counterexamples.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredLassoClass {
    /// From 1.
    pub id: usize,
    /// The constraint.
    pub constraint: String,
    /// The constraint in the language of models.
    pub formula: LassoFormulaText,
    /// The constraint in words, one line a fact.
    pub words: Vec<String>,
    /// Its individuals.
    pub individuals: Vec<StoredIndividual>,
    /// Its facts.
    pub facts: Vec<StoredLassoFact>,
    /// What it says of the individuals alone: which of them differ.
    pub distinct: Vec<String>,
    /// A shortest counterexample of the class.
    pub representative: StoredTrace,
    /// A shortest counterexample that is in no other class.
    #[serde(deserialize_with = "nullable")]
    pub canonical: Option<StoredTrace>,
    /// The decisive step of the representative; `null` where that is not known, and of causes.
    #[serde(deserialize_with = "nullable")]
    pub decisive: Option<StoredDecision>,
    /// Whether the constraint implies a violation; only classes of a cover need not.
    pub sufficient: bool,
    /// Of a class that does not: a shortest infinite trace of it that satisfies the property.
    #[serde(deserialize_with = "nullable")]
    pub accepted: Option<StoredTrace>,
    /// True if the constraint violates the property by itself, whatever the model does; `null` if that was not decided.
    #[serde(deserialize_with = "nullable")]
    pub restates: Option<bool>,
    /// True if it restates the property in names of actions: so it is of infinite traces from a first state in which each
    /// position is reached by a step of the model, from whatever state that makes the state formulas of the property as true as the
    /// position before does; `null` if that was not decided.
    #[serde(default)]
    pub restates_step: Option<bool>,
    /// What symmetries of the model make of it: it stands for these as well.
    pub images: Vec<StoredImage<StoredLassoClass>>,
    /// What tells its counterexamples apart, each again a class; `null` where that was not asked.
    #[serde(deserialize_with = "nullable")]
    pub causes: Option<Vec<StoredLassoClass>>,
    /// What is known of its counterexamples beside the causes; `null` where that was not asked.
    #[serde(deserialize_with = "nullable")]
    pub refined: Option<StoredRefinement>,
    /// For each part of the constraint why it is needed; empty if the budget ended before.
    pub needed: Vec<StoredWithout>,
}

impl StoredLassoClass {
    /// The class itself and its images.
    pub fn with_images(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(self.images.iter().map(|image| &image.class))
    }
}

/// A fact of a class of infinite counterexamples.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredLassoFact {
    /// As text.
    pub text: String,
    /// `once`, `again` or `forever`.
    pub when: Recurrence,
}

/// The decisive step of an infinite counterexample.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredDecision {
    /// The first position from which on the property cannot be met, counted on through the rounds of the loop; `null` if no step decides.
    #[serde(deserialize_with = "nullable")]
    pub position: Option<usize>,
    /// Whether all infinite traces were looked at; otherwise those that repeat within the horizon.
    pub of_all: bool,
    /// The same in words.
    pub words: String,
}

/// Why a part of a class is needed.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredWithout {
    /// The constraint without that part.
    pub without: String,
    /// An infinite trace that satisfies it, and the property.
    pub trace: StoredTrace,
}

/// An infinite counterexample and an infinite trace that satisfies the property, with the same facts.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredLassoPair {
    /// It violates the property.
    pub counterexample: StoredTrace,
    /// It satisfies the property.
    pub accepting: StoredTrace,
    /// The facts about single atoms that they share.
    pub constraint: String,
    /// The same in the language of models.
    pub formula: LassoFormulaText,
}

/// What is known of all infinite traces.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredEveryLength {
    /// Whether the verdict is about all of them.
    pub proved: bool,
    /// How many states were listed for that.
    #[serde(deserialize_with = "nullable")]
    pub states: Option<usize>,
    /// The bounds at which classes were looked for.
    pub bounds: Vec<usize>,
    /// Why it is not proved.
    #[serde(deserialize_with = "nullable")]
    pub reason: Option<String>,
}

/// What a classification of infinite traces took.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredLassoStatistics {
    /// Counterexamples that were looked at.
    pub counterexamples: usize,
    /// Solver calls.
    pub solver_calls: u64,
    /// Seconds in total.
    pub seconds: f64,
    /// Seconds of processor time; `null` where the system does not tell.
    #[serde(deserialize_with = "nullable")]
    pub cpu_seconds: Option<f64>,
    /// The greatest resident memory, in units of 1024 bytes; `null` where the system does not tell.
    #[serde(default)]
    pub peak_memory_kb: Option<u64>,
}
