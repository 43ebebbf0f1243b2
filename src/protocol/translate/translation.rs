//! What a translation is asked for, and what it gives.

/// How many runs and agents a protocol is looked at with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scope {
    /// The most runs of roles, at least one.
    pub runs: usize,
    /// The honest agents; as many as a protocol has roles, if it is not given.
    pub honest: Option<usize>,
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
