//! Questions about invariants, and their answers.

use super::Certificate;
use crate::explore::TooMany;
use kit::budget::Exhausted;
use lang::trace::Trace;
use num_bigint::BigUint;

/// The ways to prove an invariant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InvariantMethod {
    /// Affine relations, then visiting the states if they are few, then k-induction for small k, then IC3; others beside these in
    /// [`decide::invariant`](crate::decide::invariant()).
    #[default]
    Auto,
    /// Visiting all states.
    Explicit,
    /// Decision diagrams of all reachable states.
    Diagrams,
    /// k-induction.
    Induction,
    /// IC3.
    Ic3,
}

/// The use of symmetries of the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reduction {
    /// Symmetries that are found and proved: where states are visited, one of each orbit.
    #[default]
    Symmetry,
    /// No symmetries.
    Nothing,
}

/// The result for an invariant.
#[derive(Debug, Clone, PartialEq)]
pub enum InvariantDecision {
    /// The invariant holds in traces of every length.
    Holds(InvariantEvidence),
    /// The invariant is violated.
    Violated {
        /// After this many steps, and possibly earlier.
        steps: usize,
        /// The trace that a bounded search finds, if listed states or decision diagrams tell it.
        trace: Option<Trace>,
    },
    /// Neither is known; the invariant is not violated in fewer than `depth` steps.
    Unknown {
        /// The reason why it is unknown.
        why: Unproved,
        /// The number of steps whose search was not completed.
        depth: usize,
    },
}

/// The reason why an invariant holds.
#[derive(Debug, Clone, PartialEq)]
pub enum InvariantEvidence {
    /// All reachable states were visited.
    Visited {
        /// Their number.
        states: usize,
    },
    /// At least one state of each orbit was visited.
    VisitedOrbits {
        /// The number of visited states.
        visited: usize,
        /// The number of reachable states, if known.
        states: Option<u64>,
        /// The symmetries, in words.
        symmetric: Vec<String>,
    },
    /// The reachable states were computed as decision diagrams.
    Diagrams {
        /// Their number.
        states: BigUint,
    },
    /// k-induction.
    Induction {
        /// The invariant holds before position k, and after k consecutive states in which it holds.
        k: usize,
        /// The solver that checked both again.
        checked_by: &'static str,
        /// The checked certificate.
        certificate: Certificate,
    },
    /// A stronger invariant: it holds initially, every step preserves it, and it implies the one in question.
    Invariant {
        /// Its conjuncts in the language.
        clauses: Vec<String>,
        /// The solver that checked this again.
        checked_by: &'static str,
        /// The checked certificate.
        certificate: Certificate,
    },
    /// Affine relations between integers that hold initially, that every step preserves, and that imply the invariant.
    Affine {
        /// The relations in the language, as `a + b = 10`.
        relations: Vec<String>,
    },
    /// For infinite traces: no loop that violates a property is closed. This is an invariant of a model that also keeps
    /// the state in which a loop begins, proved in one of the two symbolic ways.
    OfLoops(Box<InvariantEvidence>),
}

impl InvariantEvidence {
    /// Returns the certificate about the model itself, if the proof is symbolic.
    pub fn certificate(&self) -> Option<&Certificate> {
        match self {
            Self::Visited { .. }
            | Self::VisitedOrbits { .. }
            | Self::Diagrams { .. }
            | Self::Affine { .. }
            | Self::OfLoops(_) => None,
            Self::Induction { certificate, .. } | Self::Invariant { certificate, .. } => Some(certificate),
        }
    }
}

/// The reason why there is no proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unproved {
    /// The budget ended.
    Budget(Exhausted),
    /// The states were to be visited, but some step has too many choices to list.
    Choices(TooMany),
    /// Decision diagrams would need more nodes than this.
    Nodes(usize),
    /// The invariant depends on more than the state, so that decision diagrams do not represent it.
    Open,
}
