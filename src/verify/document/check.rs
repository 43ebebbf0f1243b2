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
    /// The texts of the model and of what it imports, with their digests.
    #[serde(default)]
    pub sources: Vec<StoredSource>,
    /// What `--set` gave, as text.
    #[serde(default)]
    pub set: Map<String, Json>,
    /// Constants with their values for this run.
    pub constants: Map<String, Json>,
    /// The bound in steps; `null` when only types were checked.
    #[serde(deserialize_with = "nullable")]
    pub bound: Option<usize>,
    /// Whether the bound is the greatest or the only number of steps.
    #[serde(deserialize_with = "nullable")]
    pub lengths: Option<LengthsWord>,
    /// Whether proofs for traces of every length were asked for.
    pub unbounded: bool,
    /// Which infinite traces count, as the user said; missing where nothing is asked of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fairness: Option<StoredFairness>,
    /// How the check as a whole ended.
    pub verdict: CheckVerdict,
    /// The properties that were asked for.
    pub properties: Vec<StoredProperty>,
    /// Findings about the input, with what never happens.
    pub warnings: Vec<StoredFinding>,
    /// The solver; `null` when none was used.
    #[serde(deserialize_with = "nullable")]
    pub solver: Option<String>,
    /// Seconds from start to end.
    pub seconds: f64,
    /// The command line that gives this result again.
    pub rerun: String,
    /// How many runs of a protocol were looked at; missing for a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<StoredRuns>,
    /// What the roles of a protocol claim; missing for a model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<StoredClaim>,
    /// The proofs of unsatisfiable answers; missing unless they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proofs: Option<StoredProofs>,
}

/// What was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileKindWord {
    /// A model.
    Model,
    /// A library.
    Library,
}

/// Which infinite traces count.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredFairness {
    /// True if the conditions of the model are ignored.
    pub ignored: bool,
    /// The conditions that were given, weak ones of actions or those of states, as they were written.
    pub fair: Vec<String>,
    /// The strong ones of actions.
    pub strongly_fair: Vec<String>,
}

/// The runs of a protocol that were looked at.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredRuns {
    /// The most runs.
    pub at_most: usize,
    /// Whether the verdicts are about all interleavings of so many runs, and not only about those of up to `bound` steps.
    pub all_interleavings: bool,
}

/// A property and what came of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredProperty {
    /// The declared name.
    pub name: String,
    /// `invariant`, `deadlock`, `ltl` or `ctl`.
    pub kind: PropertyKindWord,
    /// `types_only`, `holds`, `violated` or `undecided`.
    pub verdict: PropertyVerdict,
    /// Why it holds in traces of every length, where that was proved.
    #[serde(deserialize_with = "nullable")]
    pub proof: Option<StoredProof>,
    /// With `violated`: a shortest violating trace.
    #[serde(deserialize_with = "nullable")]
    pub counterexample: Option<StoredTrace>,
    /// With `violated`: the conjuncts of the property that fail at the end of it.
    pub violates: Vec<String>,
    /// With `undecided`: `time`, `memory`, `interrupt`, `temporal` where this command does not decide it, `choices` or `states`
    /// where states were to be listed, but are too many, or `formula` where that is too large for it.
    #[serde(deserialize_with = "nullable")]
    pub reason: Option<WhyUndecided>,
    /// With `undecided` for want of budget: traces of fewer steps than this do not violate it.
    #[serde(deserialize_with = "nullable")]
    pub depth: Option<usize>,
}

/// The kind of a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PropertyKindWord {
    /// An invariant.
    Invariant,
    /// The absence of states without successor.
    Deadlock,
    /// A property of linear time.
    Ltl,
    /// A property of branching time.
    Ctl,
}

/// What came of a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PropertyVerdict {
    /// Only its types were checked.
    TypesOnly,
    /// It holds.
    Holds,
    /// It is violated.
    Violated,
    /// It was not decided.
    Undecided,
}

/// Why a property is undecided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
    /// A state was to be listed that leaves too much open.
    Choices,
    /// There are too many states to be listed.
    States,
    /// The formula is too large to be decided over a list of states.
    Formula,
}

/// Why a property holds in traces of every length.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredProof {
    /// `explicit`, `k_induction` or `ic3`.
    pub method: ProofMethod,
    /// With `explicit`: how many states are reachable; `null` if only their orbits are known.
    #[serde(deserialize_with = "nullable")]
    pub states: Option<u64>,
    /// With `explicit`: how many of them were visited, where symmetries made others superfluous.
    #[serde(deserialize_with = "nullable")]
    pub visited: Option<usize>,
    /// With `visited`: the symmetries, in words.
    pub symmetric: Vec<String>,
    /// With `k_induction`: it holds before position k, and after k states in a row in which it does.
    #[serde(deserialize_with = "nullable")]
    pub k: Option<usize>,
    /// With `ic3`: the conjuncts of an invariant that holds at first, is preserved by every step, and
    /// implies the property; as the language writes them.
    pub invariant: Vec<String>,
    /// The solver that checked it again; `null` with `explicit`.
    #[serde(deserialize_with = "nullable")]
    pub checked_by: Option<String>,
}

/// How a proof goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProofMethod {
    /// All states were visited.
    Explicit,
    /// k-induction.
    KInduction,
    /// IC3.
    Ic3,
    /// No loop violates it, of a model that waits for one.
    Loops,
}

/// A claim of a protocol and what came of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredClaim {
    /// The protocol.
    pub protocol: String,
    /// The role that claims.
    pub role: String,
    /// The label, as in the file.
    pub label: String,
    /// What is claimed: `Secret`.
    pub claim: ClaimWord,
    /// Of what; `null` if of nothing.
    #[serde(deserialize_with = "nullable")]
    pub term: Option<String>,
    /// `holds`, `violated` or `undecided`.
    pub verdict: PropertyVerdict,
    /// With `violated`: the steps of a shortest attack.
    #[serde(deserialize_with = "nullable")]
    pub steps: Option<usize>,
    /// Whether a run that the claim is about comes to it within the bound; `null` if that was not decided.
    #[serde(deserialize_with = "nullable")]
    pub reached: Option<bool>,
    /// The name of the property.
    pub property: String,
}

/// What a protocol claims, in the words of its language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClaimWord {
    /// Nobody else knows a term.
    Secret,
    /// A session key is known to its partners only.
    #[serde(rename = "SKR")]
    Skr,
    /// The partners have been running the protocol.
    Alive,
    /// They have been running it with the one who claims.
    Weakagree,
    /// They agree on the messages.
    Niagree,
    /// They agree on the messages and their order.
    Nisynch,
    /// They agree on a term.
    Commit,
    /// A run gets there.
    Reachable,
}

impl ClaimWord {
    const ALL: [Self; 8] = [
        Self::Secret,
        Self::Skr,
        Self::Alive,
        Self::Weakagree,
        Self::Niagree,
        Self::Nisynch,
        Self::Commit,
        Self::Reachable,
    ];

    /// The claim that has this word in the language of protocols.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|claim| claim.word() == word)
    }

    /// Its word in the language of protocols.
    pub fn word(self) -> &'static str {
        match self {
            Self::Secret => "Secret",
            Self::Skr => "SKR",
            Self::Alive => "Alive",
            Self::Weakagree => "Weakagree",
            Self::Niagree => "Niagree",
            Self::Nisynch => "Nisynch",
            Self::Commit => "Commit",
            Self::Reachable => "Reachable",
        }
    }
}
