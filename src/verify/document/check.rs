//! Checks, as they are stored.

use super::nullable;
use super::parts::{LengthsWord, StoredFinding, StoredProofs, StoredSource};
use super::trace::StoredTrace;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

/// The verdict of a check, as documents name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckVerdict {
    /// The input is in order; nothing else was asked.
    Checked,
    /// No property is violated up to the bound, or in traces of any length if that was proved.
    Holds,
    /// Some property is violated, and all others were decided.
    Violated,
    /// Some property is violated, others were not decided: within the budget, or because they are temporal.
    Partial,
    /// No violation was found, and not everything was decided.
    Undecided,
}

/// The document of a check.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checked {
    pub schema: String,
    pub version: String,
    pub kind: FileKindWord,
    #[serde(deserialize_with = "nullable")]
    pub model: Option<String>,
    pub file: String,
    #[serde(default)]
    pub sources: Vec<StoredSource>,
    #[serde(default)]
    pub set: Map<String, Json>,
    pub constants: Map<String, Json>,
    #[serde(deserialize_with = "nullable")]
    pub bound: Option<usize>,
    #[serde(deserialize_with = "nullable")]
    pub lengths: Option<LengthsWord>,
    pub unbounded: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fairness: Option<StoredFairness>,
    pub verdict: CheckVerdict,
    pub properties: Vec<StoredProperty>,
    pub warnings: Vec<StoredFinding>,
    #[serde(deserialize_with = "nullable")]
    pub solver: Option<String>,
    pub seconds: f64,
    pub rerun: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<StoredClaim>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<StoredRuns>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proofs: Option<StoredProofs>,
}

/// What was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileKindWord {
    Model,
    Library,
}

/// Which infinite traces count.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredFairness {
    pub ignored: bool,
    pub fair: Vec<String>,
    pub strongly_fair: Vec<String>,
}

/// The runs of a protocol that were looked at.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredRuns {
    pub at_most: usize,
    pub all_interleavings: bool,
}

/// A property and what came of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredProperty {
    pub name: String,
    pub kind: PropertyKindWord,
    pub verdict: PropertyVerdict,
    #[serde(deserialize_with = "nullable")]
    pub proof: Option<StoredProof>,
    #[serde(deserialize_with = "nullable")]
    pub counterexample: Option<StoredTrace>,
    pub violates: Vec<String>,
    #[serde(deserialize_with = "nullable")]
    pub reason: Option<WhyUndecided>,
    #[serde(deserialize_with = "nullable")]
    pub depth: Option<usize>,
}

/// The kind of a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PropertyKindWord {
    Invariant,
    Deadlock,
    Ltl,
    Ctl,
}

/// What came of a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PropertyVerdict {
    TypesOnly,
    Holds,
    Violated,
    Undecided,
}

/// Why a property is undecided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhyUndecided {
    Time,
    Memory,
    Interrupt,
    Temporal,
    Choices,
    States,
    Formula,
}

/// Why a property holds in traces of every length.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredProof {
    pub method: ProofMethod,
    #[serde(deserialize_with = "nullable")]
    pub states: Option<u64>,
    #[serde(deserialize_with = "nullable")]
    pub visited: Option<usize>,
    pub symmetric: Vec<String>,
    #[serde(deserialize_with = "nullable")]
    pub k: Option<usize>,
    pub invariant: Vec<String>,
    #[serde(deserialize_with = "nullable")]
    pub checked_by: Option<String>,
}

/// How a proof goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProofMethod {
    Explicit,
    KInduction,
    Ic3,
    Loops,
}

/// A claim of a protocol and what came of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredClaim {
    pub protocol: String,
    pub role: String,
    pub label: String,
    pub claim: ClaimWord,
    #[serde(deserialize_with = "nullable")]
    pub term: Option<String>,
    pub verdict: PropertyVerdict,
    #[serde(deserialize_with = "nullable")]
    pub steps: Option<usize>,
    #[serde(deserialize_with = "nullable")]
    pub reached: Option<bool>,
    pub property: String,
}

/// What a protocol claims, in the words of its language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClaimWord {
    Secret,
    #[serde(rename = "SKR")]
    Skr,
    Alive,
    Weakagree,
    Niagree,
    Nisynch,
    Commit,
    Reachable,
}
