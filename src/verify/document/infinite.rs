//! Classifications of infinite traces, as they are stored.

use super::finite::ClassifyVerdict;
use super::nullable;
use super::parts::{
    Fewest, Mode, StoredBaseline, StoredCombination, StoredFinding, StoredImage, StoredIndividual,
    StoredNecessary, StoredRefinement, StoredRepair, StoredShared, StoredSource, WhyEnded,
};
use super::trace::StoredTrace;
use lang::model::{LassoFormulaText, Recurrence};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

/// The document of a classification of infinite traces.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LassoClassified {
    pub schema: String,
    pub version: String,
    pub model: String,
    pub file: String,
    pub sources: Vec<StoredSource>,
    pub set: Map<String, Json>,
    pub constants: Map<String, Json>,
    pub property: String,
    pub bound: usize,
    pub horizon: usize,
    pub fairness: usize,
    pub ignore_fairness: bool,
    #[serde(default)]
    pub fair: Vec<String>,
    #[serde(default)]
    pub strongly_fair: Vec<String>,
    pub vocabulary: String,
    #[serde(deserialize_with = "nullable")]
    pub declaration: Option<String>,
    pub prefer: Vec<String>,
    pub hide: Vec<String>,
    pub ground: Vec<String>,
    pub seed: u64,
    pub verdict: ClassifyVerdict,
    pub summary: String,
    #[serde(deserialize_with = "nullable")]
    pub reason: Option<WhyEnded>,
    #[serde(deserialize_with = "nullable")]
    pub cover: Option<Fewest>,
    pub mode: Mode,
    #[serde(deserialize_with = "nullable")]
    pub within: Option<String>,
    /// Missing in results of earlier versions.
    #[serde(default)]
    pub within_formula: Option<LassoFormulaText>,
    #[serde(deserialize_with = "nullable")]
    pub combinations: Option<Vec<StoredCombination>>,
    #[serde(deserialize_with = "nullable")]
    pub all_combinations: Option<bool>,
    #[serde(deserialize_with = "nullable")]
    pub remainder: Option<StoredTrace>,
    #[serde(deserialize_with = "nullable")]
    pub necessary: Option<Vec<String>>,
    pub classes: Vec<StoredLassoClass>,
    #[serde(deserialize_with = "nullable")]
    pub unclassified: Option<StoredTrace>,
    #[serde(deserialize_with = "nullable")]
    pub too_weak: Option<StoredLassoPair>,
    pub repairs: Vec<StoredRepair>,
    #[serde(deserialize_with = "nullable")]
    pub necessary_facts: Option<StoredNecessary<StoredShared<LassoFormulaText>>>,
    #[serde(deserialize_with = "nullable")]
    pub unbounded: Option<StoredEveryLength>,
    pub statistics: StoredLassoStatistics,
    pub warnings: Vec<StoredFinding>,
    pub solver: String,
    #[serde(deserialize_with = "nullable")]
    pub checked_by: Option<String>,
    pub rerun: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<StoredBaseline>,
}

/// A class of infinite counterexamples.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredLassoClass {
    pub id: usize,
    pub constraint: String,
    pub formula: LassoFormulaText,
    pub words: Vec<String>,
    pub individuals: Vec<StoredIndividual>,
    pub facts: Vec<StoredLassoFact>,
    pub distinct: Vec<String>,
    pub representative: StoredTrace,
    #[serde(deserialize_with = "nullable")]
    pub canonical: Option<StoredTrace>,
    #[serde(deserialize_with = "nullable")]
    pub decisive: Option<StoredDecision>,
    pub sufficient: bool,
    /// Of a class of a cover that does not suffice.
    #[serde(deserialize_with = "nullable")]
    pub accepted: Option<StoredTrace>,
    pub restates: bool,
    pub images: Vec<StoredImage<StoredLassoClass>>,
    #[serde(deserialize_with = "nullable")]
    pub causes: Option<Vec<StoredLassoClass>>,
    #[serde(deserialize_with = "nullable")]
    pub refined: Option<StoredRefinement>,
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
    pub text: String,
    pub when: Recurrence,
}

/// The decisive step of an infinite counterexample.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredDecision {
    #[serde(deserialize_with = "nullable")]
    position: Option<usize>,
    of_all: bool,
    words: String,
}

/// Why a part of a class is needed.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredWithout {
    pub without: String,
    pub trace: StoredTrace,
}

/// An infinite counterexample and an infinite trace that satisfies the property, with the same facts.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredLassoPair {
    pub counterexample: StoredTrace,
    pub accepting: StoredTrace,
    pub constraint: String,
    pub formula: LassoFormulaText,
}

/// What is known of all infinite traces.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredEveryLength {
    pub proved: bool,
    #[serde(deserialize_with = "nullable")]
    pub states: Option<usize>,
    pub bounds: Vec<usize>,
    #[serde(deserialize_with = "nullable")]
    pub reason: Option<String>,
}

/// What a classification of infinite traces took.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredLassoStatistics {
    counterexamples: usize,
    solver_calls: u64,
    seconds: f64,
    #[serde(deserialize_with = "nullable")]
    cpu_seconds: Option<f64>,
    #[serde(default)]
    peak_memory_kb: Option<u64>,
}
