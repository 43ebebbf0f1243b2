//! Stored checks.

use super::nullable;
use super::parts::{LengthsWord, StoredFinding, StoredProofs, StoredSource};
use super::trace::StoredTrace;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

/// The verdict of a check in documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CheckVerdict {
    /// The input is correct; only this was asked (exit code 0).
    Checked,
    /// No property is violated up to the bound, or in traces of any length if that was proved (0).
    Holds,
    /// Some property is violated, and all others were decided (10).
    Violated,
    /// Some property is violated; others were not decided, because the budget ended or because they are temporal (11).
    Partial,
    /// No violation was found, and not every property was decided (5; 130 if interrupted).
    Undecided,
}

/// The document of a check.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CheckDocument {
    /// `cladist/check-1`.
    pub schema: String,
    /// Version of this program.
    pub version: String,
    /// `model` or `library`.
    pub kind: FileKindWord,
    /// The model's name; `null` for a library.
    #[serde(deserialize_with = "nullable")]
    pub model: Option<String>,
    /// The file, as the user wrote it.
    pub file: String,
    /// The texts of the model and its imports, with their digests.
    #[serde(default)]
    pub sources: Vec<StoredSource>,
    /// The values of `--set`, as text.
    #[serde(default)]
    #[cfg_attr(feature = "schemas", schemars(with = "std::collections::BTreeMap<String, String>"))]
    pub set: Map<String, Json>,
    /// Constants with their values for this run.
    pub constants: Map<String, Json>,
    /// The bound in steps; `null` when only types were checked.
    #[serde(deserialize_with = "nullable")]
    pub bound: Option<usize>,
    /// The meaning of the bound: the greatest or the only number of steps.
    #[serde(deserialize_with = "nullable")]
    pub lengths: Option<LengthsWord>,
    /// True if proofs for traces of every length were requested.
    pub unbounded: bool,
    /// The fairness conditions given by the user; missing if no property needs them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fairness: Option<StoredFairness>,
    /// The verdict of the check as a whole, for which a claim `Reachable` is violated if its place is not reached.
    pub verdict: CheckVerdict,
    /// The requested properties.
    pub properties: Vec<StoredProperty>,
    /// Findings about the input, including predicates and actions that never occur.
    pub warnings: Vec<StoredFinding>,
    /// The solver; `null` when none was used.
    #[serde(deserialize_with = "nullable")]
    pub solver: Option<String>,
    /// Seconds from start to end.
    pub seconds: f64,
    /// The command line that gives this result again.
    pub rerun: String,
    /// The number of examined runs of a protocol; missing for a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<StoredRuns>,
    /// The claims of the roles of a protocol; missing for a model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<StoredClaim>,
    /// The proofs of unsatisfiable answers; missing unless requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proofs: Option<StoredProofs>,
}

/// The kind of the checked file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FileKindWord {
    /// A model.
    Model,
    /// A library.
    Library,
}

/// The fairness conditions of infinite traces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredFairness {
    /// True if the conditions of the model are ignored.
    pub ignored: bool,
    /// The given conditions, weak ones of actions or those of states, as written.
    pub fair: Vec<String>,
    /// The given strong conditions of actions, as written.
    pub strongly_fair: Vec<String>,
}

/// The examined runs of a protocol.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredRuns {
    /// The most runs.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub at_most: usize,
    /// True if the verdicts cover all interleavings of this many runs, and not only those of up to `bound` steps.
    pub all_interleavings: bool,
}

/// A property with its result.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredProperty {
    /// The declared name.
    pub name: String,
    /// `invariant`, `deadlock`, `ltl` or `ctl`.
    pub kind: PropertyKindWord,
    /// `types_only`, `holds`, `violated` or `undecided`.
    pub verdict: PropertyVerdict,
    /// The proof for traces of every length, if there is one.
    #[serde(deserialize_with = "nullable")]
    pub proof: Option<StoredProof>,
    /// With `violated`: a shortest violating trace.
    #[serde(deserialize_with = "nullable")]
    pub counterexample: Option<StoredTrace>,
    /// With `violated`: the conjuncts of the property that fail at its end.
    pub violates: Vec<String>,
    /// With `undecided`: `time`, `memory`, `interrupt`, `temporal` if this command does not decide it, `choices` or
    /// `states` if there are too many to list, or `formula` if it is too large for this method.
    #[serde(deserialize_with = "nullable")]
    pub reason: Option<WhyUndecided>,
    /// With `undecided` for lack of budget: traces of fewer steps than this do not violate it.
    #[serde(deserialize_with = "nullable")]
    pub depth: Option<usize>,
}

/// The kind of a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PropertyKindWord {
    /// An invariant.
    Invariant,
    /// The absence of states without successor.
    Deadlock,
    /// A linear-time property.
    Ltl,
    /// A branching-time property.
    Ctl,
}

/// The result for a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PropertyVerdict {
    /// Only its types were checked.
    TypesOnly,
    /// The property holds.
    Holds,
    /// The property is violated.
    Violated,
    /// The property was not decided.
    Undecided,
}

/// The reason why a property is undecided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WhyUndecided {
    /// The time ran out.
    Time,
    /// The memory ran out.
    Memory,
    /// The run was interrupted.
    Interrupt,
    /// The command does not decide such properties.
    Temporal,
    /// Some state has too many choices to list.
    Choices,
    /// There are too many states to list, or for decision diagrams.
    States,
    /// The formula is too large to be decided over a list of states, or depends on more than the state.
    Formula,
}

/// The reason why a property holds in traces of every length.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredProof {
    /// `explicit`, `diagrams`, `k_induction`, `ic3`, `affine` or `loops`.
    pub method: StoredProofMethod,
    /// With `explicit` and `diagrams`: the number of reachable states; `null` if only their orbits are known, or from 2⁶⁴ on.
    #[serde(deserialize_with = "nullable")]
    pub states: Option<u64>,
    /// With `explicit`: the number of visited states, if symmetries made others superfluous.
    #[serde(deserialize_with = "nullable")]
    pub visited: Option<usize>,
    /// With `visited`: the symmetries, in words.
    pub symmetric: Vec<String>,
    /// With `k_induction`: the property holds before position k, and after k consecutive states in which it holds.
    #[serde(deserialize_with = "nullable")]
    pub k: Option<usize>,
    /// With `ic3`: the conjuncts, in the language, of an invariant that holds initially, is preserved by every step,
    /// and implies the property. With `affine`: the relations.
    pub invariant: Vec<String>,
    /// The solver that checked it again; `null` with `explicit`, `diagrams` and `affine`.
    #[serde(deserialize_with = "nullable")]
    pub checked_by: Option<String>,
}

/// The method of a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StoredProofMethod {
    /// All states were visited.
    Explicit,
    /// The reachable states were computed as decision diagrams.
    Diagrams,
    /// k-induction.
    KInduction,
    /// IC3.
    Ic3,
    /// Affine relations between integers.
    Affine,
    /// No loop violates it, as proved over a model extended by an observer of loops.
    Loops,
}

/// A claim of a protocol with its result.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredClaim {
    /// The protocol.
    pub protocol: String,
    /// The claiming role.
    pub role: String,
    /// The label, as in the file.
    pub label: String,
    /// The kind of claim: `Secret`.
    pub claim: ClaimWord,
    /// The claimed term; `null` if there is none.
    #[serde(deserialize_with = "nullable")]
    pub term: Option<String>,
    /// `holds`, `violated` or `undecided`.
    pub verdict: PropertyVerdict,
    /// With `violated`: the steps of a shortest attack.
    #[serde(deserialize_with = "nullable")]
    pub steps: Option<usize>,
    /// True if a run that the claim refers to reaches it within the bound; `null` if that was not decided.
    #[serde(deserialize_with = "nullable")]
    pub reached: Option<bool>,
    /// The answer of attack patterns; missing where the runs that are looked at were given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patterns: Option<StoredPatterns>,
    /// The name of the property.
    pub property: String,
}

/// The answer of attack patterns to a claim, for any number of runs.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StoredPatterns {
    /// `holds`, `attacked` or `open`.
    pub verdict: PatternsWord,
    /// With `attacked`: the fewest runs of an attack. With `open`: there is no attack with up to so many runs. Otherwise `null`.
    #[serde(deserialize_with = "nullable")]
    pub runs: Option<usize>,
}

/// The verdict of attack patterns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PatternsWord {
    /// There is no attack with any number of runs.
    Holds,
    /// There is one.
    Attacked,
    /// More runs may have one.
    Open,
}

/// The claims of protocols, in the words of their language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub enum ClaimWord {
    /// Only the partners know a term.
    Secret,
    /// Only its partners know a session key.
    #[serde(rename = "SKR")]
    Skr,
    /// The partners have been running the protocol.
    Alive,
    /// … since the run of the claimant began.
    Recentalive,
    /// The partners have been running the protocol with the claimant.
    Weakagree,
    /// The partners agree on the messages.
    Niagree,
    /// The partners agree on the messages and their order.
    Nisynch,
    /// The partners agree on a term.
    Commit,
    /// The partners agree on a term, each run of one with a run of its own of the other.
    Icommit,
    /// A run reaches this point.
    Reachable,
}

impl ClaimWord {
    const ALL: [Self; 10] = [
        Self::Secret,
        Self::Skr,
        Self::Alive,
        Self::Recentalive,
        Self::Weakagree,
        Self::Niagree,
        Self::Nisynch,
        Self::Commit,
        Self::Icommit,
        Self::Reachable,
    ];

    /// Returns the claim with this word in the language of protocols.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|claim| claim.word() == word)
    }

    /// Returns its word in the language of protocols.
    pub fn word(self) -> &'static str {
        match self {
            Self::Secret => "Secret",
            Self::Skr => "SKR",
            Self::Alive => "Alive",
            Self::Recentalive => "Recentalive",
            Self::Weakagree => "Weakagree",
            Self::Niagree => "Niagree",
            Self::Nisynch => "Nisynch",
            Self::Commit => "Commit",
            Self::Icommit => "Icommit",
            Self::Reachable => "Reachable",
        }
    }
}
