//! What a translation is asked for, and what it gives.

use super::chart::Charts;
use super::threats::Reveals;

/// How many runs and agents a protocol is looked at with, and what the attacker can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scope {
    /// The most runs of roles, at least one.
    pub runs: usize,
    /// The honest agents; as many as a protocol has roles, if it is not given.
    pub honest: Option<usize>,
    /// The agents on the attacker's side: with none, she shares keys with nobody.
    pub untrusted: usize,
    /// What a variable can take.
    pub matching: Matching,
    /// What gets lost.
    pub reveals: Reveals,
}

impl Default for Scope {
    /// Three runs, an attacker who is an agent herself, typed matching, and nothing is lost.
    fn default() -> Self {
        Self {
            runs: 3,
            honest: None,
            untrusted: 1,
            matching: Matching::default(),
            reveals: Reveals::default(),
        }
    }
}

/// What a variable can take that has a type: `--match` of Scyther.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Matching {
    /// Terms of its type.
    #[default]
    Typed,
    /// Atomic terms of any type: basic type flaws.
    Basic,
    /// Any term: all type flaws.
    Full,
}

/// A protocol as a model.
#[derive(Debug, Clone)]
pub struct Translation {
    /// The model, in the specification language.
    pub text: String,
    /// What the roles claim, in the order of the file.
    pub claims: Vec<ClaimedProperty>,
    /// The number of steps in which all runs have come to their ends.
    pub steps: usize,
    /// What it takes to draw traces of the model.
    pub charts: Charts,
    /// Variables of any type that could take terms of more forms than are looked at: attacks may be missed.
    pub cut: Vec<String>,
}

/// A claim and the property that it became.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedProperty {
    /// The name of the property in the model.
    pub property: String,
    /// The protocol.
    pub protocol: String,
    /// The role that claims it.
    pub role: String,
    /// The label of the claim, as in the file.
    pub label: String,
    /// What is claimed: `Secret`.
    pub claim: &'static str,
    /// Of what, if of something.
    pub term: Option<String>,
}
