//! Classifications of finite traces, as they are stored.

use super::nullable;
use super::parts::{
    Fewest, LengthsWord, Mode, StoredBaseline, StoredCombination, StoredCount, StoredFinding, StoredImage,
    StoredIndividual, StoredNecessary, StoredProofs, StoredRefinement, StoredRepair, StoredShared,
    StoredSource, WhyEnded,
};
use super::trace::StoredTrace;
use lang::model::TraceFormulaText;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

/// The verdict of a classification, as documents name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClassifyVerdict {
    /// No violation up to the bound.
    Holds,
    /// No violation in traces of any length.
    HoldsUnbounded,
    /// Violated; the classes cover all counterexamples up to the bound.
    Complete,
    /// Violated; the classes cover all counterexamples of every length.
    CompleteUnbounded,
    /// Violated; there may be other classes.
    Partial,
    /// Violated; the cover leaves some of it over.
    Remainder,
    /// Violated; the vocabulary cannot tell a violation from an accepted trace.
    TooWeak,
    /// The budget ended before any result.
    Undecided,
}

impl ClassifyVerdict {
    /// Whether the search for classes came to its end, so that nothing is left out for want of time.
    pub fn is_finished(self) -> bool {
        !matches!(self, Self::Partial | Self::Undecided | Self::TooWeak)
    }

    /// Whether the classes cover all counterexamples.
    pub fn is_complete(self) -> bool {
        matches!(self, Self::Complete | Self::CompleteUnbounded)
    }

    /// Whether it is about traces of every length.
    pub fn is_unbounded(self) -> bool {
        matches!(self, Self::HoldsUnbounded | Self::CompleteUnbounded)
    }

    /// Whether there is no violation.
    pub fn holds(self) -> bool {
        matches!(self, Self::Holds | Self::HoldsUnbounded)
    }
}

/// The document of a classification.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Classified {
    pub schema: String,
    pub version: String,
    pub model: String,
    pub file: String,
    pub sources: Vec<StoredSource>,
    #[serde(default)]
    pub set: Map<String, Json>,
    pub constants: Map<String, Json>,
    pub property: String,
    pub bound: usize,
    pub lengths: LengthsWord,
    pub vocabulary: String,
    #[serde(default)]
    pub chosen: Option<StoredChoice>,
    pub prefer: Vec<String>,
    pub hide: Vec<String>,
    pub ground: Vec<String>,
    pub seed: u64,
    pub verdict: ClassifyVerdict,
    pub summary: String,
    #[serde(deserialize_with = "nullable")]
    pub reason: Option<WhyEnded>,
    #[serde(deserialize_with = "nullable")]
    pub depth: Option<usize>,
    #[serde(deserialize_with = "nullable")]
    pub cover: Option<Fewest>,
    pub mode: Mode,
    pub classes: Vec<StoredClass>,
    #[serde(default)]
    pub within: Option<String>,
    /// Missing in results of earlier versions.
    #[serde(default)]
    pub within_formula: Option<TraceFormulaText>,
    #[serde(deserialize_with = "nullable")]
    pub combinations: Option<Vec<StoredCombination>>,
    #[serde(deserialize_with = "nullable")]
    pub all_combinations: Option<bool>,
    #[serde(deserialize_with = "nullable")]
    pub remainder: Option<StoredTrace>,
    #[serde(deserialize_with = "nullable")]
    pub necessary: Option<Vec<String>>,
    #[serde(default)]
    pub necessary_facts: Option<StoredNecessary<StoredShared<TraceFormulaText>>>,
    #[serde(deserialize_with = "nullable")]
    pub unclassified: Option<StoredTrace>,
    #[serde(deserialize_with = "nullable")]
    pub too_weak: Option<StoredPair>,
    #[serde(default)]
    pub repairs: Vec<StoredRepair>,
    #[serde(default)]
    pub horizon: Option<StoredHorizon>,
    #[serde(default)]
    pub horizon_missed: Option<usize>,
    #[serde(default)]
    pub unbounded: Option<StoredUnbounded>,
    #[serde(default)]
    pub counts: Option<StoredCounts>,
    pub statistics: StoredStatistics,
    pub warnings: Vec<StoredFinding>,
    pub solver: String,
    #[serde(deserialize_with = "nullable")]
    pub checked_by: Option<String>,
    pub rerun: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proofs: Option<StoredProofs>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<StoredBaseline>,
}

/// How the program chose a vocabulary.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredChoice {
    pub declaration: String,
    pub tried: usize,
    pub cut_short: usize,
    pub text: String,
}

/// A class.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredClass {
    pub id: usize,
    pub constraint: String,
    pub words: Vec<String>,
    pub formula: TraceFormulaText,
    pub positions: Map<String, Json>,
    pub individuals: Vec<StoredIndividual>,
    pub facts: Vec<StoredFact>,
    pub representative: StoredTrace,
    pub violates: Vec<String>,
    #[serde(deserialize_with = "nullable")]
    pub canonical: Option<StoredTrace>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisive: Vec<StoredDecisive>,
    pub redundant: bool,
    pub sufficient: bool,
    pub restates: bool,
    pub restates_step: bool,
    #[serde(deserialize_with = "nullable")]
    pub rests_on_bound: Option<StoredLonger>,
    pub initial_facts: usize,
    pub images: Vec<StoredImage<StoredClass>>,
    #[serde(default)]
    pub causes: Option<Vec<StoredClass>>,
    #[serde(default)]
    pub refined: Option<StoredRefinement>,
}

/// A fact of a class.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredFact {
    pub text: String,
    pub words: String,
    pub kind: FactWord,
    #[serde(deserialize_with = "nullable")]
    pub predicate: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub title: Option<String>,
    pub positions: Vec<String>,
    pub individuals: Vec<String>,
    #[serde(deserialize_with = "nullable")]
    pub source: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub needed: Option<StoredTrace>,
}

/// What a fact is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FactWord {
    Predicate,
    Observable,
    Absence,
    Order,
    Individuals,
}

/// A decisive step of a representative.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredDecisive {
    position: usize,
    right: Vec<StoredRight>,
    may_rest: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredRight {
    label: String,
    leads_to: FateWord,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum FateWord {
    Safe,
    Open,
}

/// A trace that is longer than the bound.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredLonger {
    pub steps: usize,
    #[serde(deserialize_with = "nullable")]
    pub trace: Option<StoredTrace>,
}

/// A violation and an accepted trace with the same facts.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredPair {
    pub counterexample: StoredTrace,
    pub accepting: StoredTrace,
    pub constraint: String,
    pub formula: TraceFormulaText,
    pub differs: Vec<String>,
}

/// What traces beyond the bound say.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredHorizon {
    #[serde(deserialize_with = "nullable")]
    pub steps: Option<usize>,
    #[serde(deserialize_with = "nullable")]
    pub sufficient_up_to: Option<usize>,
    #[serde(deserialize_with = "nullable")]
    pub uncovered: Option<StoredLonger>,
}

/// What is known of every length.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredUnbounded {
    pub proved: bool,
    pub text: String,
    #[serde(deserialize_with = "nullable")]
    pub method: Option<BasisWord>,
    #[serde(deserialize_with = "nullable")]
    pub states: Option<usize>,
    #[serde(deserialize_with = "nullable")]
    pub steps: Option<usize>,
    #[serde(deserialize_with = "nullable")]
    pub combinations: Option<usize>,
    #[serde(deserialize_with = "nullable")]
    pub bounds: Option<Vec<usize>>,
    #[serde(deserialize_with = "nullable")]
    pub checked_by: Option<String>,
    #[serde(deserialize_with = "nullable")]
    pub reason: Option<ObstacleWord>,
}

/// What a proof for every length rests on.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BasisWord {
    States,
    Induction,
}

/// Why there is no proof, or no number.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ObstacleWord {
    States,
    Choices,
    Class,
    Combinations,
    Broken,
    Nodes,
    Time,
    Memory,
    Interrupt,
}

/// How many violating traces there are.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredCounts {
    #[serde(deserialize_with = "nullable")]
    first_violations: Option<Vec<StoredCount>>,
    #[serde(deserialize_with = "nullable")]
    violating: Option<Vec<StoredCount>>,
    #[serde(deserialize_with = "nullable")]
    method: Option<CountedBy>,
    #[serde(default)]
    orbits: Option<bool>,
    #[serde(deserialize_with = "nullable")]
    reason: Option<ObstacleWord>,
    #[serde(deserialize_with = "nullable")]
    text: Option<String>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum CountedBy {
    States,
    Diagrams,
}

/// What a classification took.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredStatistics {
    counterexamples: usize,
    redundant: usize,
    solver_calls: u64,
    seconds: StoredSeconds,
    peak_variables: usize,
    peak_clauses: usize,
    #[serde(deserialize_with = "nullable")]
    cpu_seconds: Option<f64>,
    #[serde(deserialize_with = "nullable")]
    peak_memory_kb: Option<u64>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredSeconds {
    unroll: f64,
    search: f64,
    facts: f64,
    minimise: f64,
    block: f64,
    redundancy: f64,
    #[serde(default)]
    necessary: f64,
    verify: f64,
    #[serde(default)]
    prove: f64,
    #[serde(default)]
    count: f64,
    #[serde(default)]
    vocabularies: f64,
    total: f64,
}
