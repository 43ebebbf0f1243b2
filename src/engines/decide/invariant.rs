//! Invariants for traces of every length: a proof, a shortest counterexample, or a result up to a bound.

use super::linear::NotListed;
use crate::prove::{
    self, InvariantDecision, InvariantEvidence, InvariantMethod, ProofEffort, Reduction, Unproved,
};
use kit::budget::{Budget, Exhausted, Observer};
use lang::model::Model;
use lang::model::expr::Expr;
use lang::trace::Trace;
use solvers::sat::Backend;
use solvers::unroll::{self, BoundedResult, Lengths};

/// Options for deciding an invariant.
#[derive(Debug, Clone, Copy, Default)]
pub struct InvariantOptions {
    /// The way to prove it. By default affine relations, then visiting the states if they are few, then all ways side by side.
    pub way: InvariantMethod,
    /// If there is no proof, traces of up to this many steps are checked. None by default.
    pub bound: Option<usize>,
    /// The use of symmetries when states are visited; by default they are used.
    pub reduction: Reduction,
    /// The solver that searches; CaDiCaL by default.
    pub backend: Backend,
}

/// The result for an invariant.
#[derive(Debug, Clone, PartialEq)]
pub enum InvariantResult {
    /// The invariant holds in traces of every length.
    Proved(InvariantEvidence),
    /// A shortest trace that violates it.
    Violated(Trace),
    /// The invariant holds in all traces up to the bound; longer ones are not decided.
    HoldsUpToBound,
    /// Neither is known; no trace violates it in fewer than `depth` steps.
    Undecided {
        /// The limit that ended the search.
        why: Exhausted,
        /// The number of steps whose search was not completed.
        depth: usize,
    },
    /// The states were to be visited, or represented by decision diagrams, which is impossible for this reason.
    Unlisted(NotListed),
}

/// An invariant of a model, to be decided.
#[derive(Clone, Copy)]
pub(super) struct InvariantQuestion<'a> {
    pub model: &'a Model,
    pub invariant: &'a Expr,
    pub options: InvariantOptions,
}

impl InvariantQuestion<'_> {
    /// Asks one engine after the other for a proof or a shortest counterexample. With a bound, half of the time is kept for bounded search.
    pub fn one_by_one(&self, budget: &Budget, observer: &mut dyn Observer) -> InvariantResult {
        let Self { model, invariant, options: InvariantOptions { way, bound, reduction, backend } } = *self;
        let part = bound.map_or(budget.clone(), |_| budget.share(2));
        let effort = ProofEffort { backend, budget: &part, observer: &mut *observer };
        let (why, known) = match prove::decide(model, invariant, way, reduction, effort) {
            InvariantDecision::Holds(evidence) => return InvariantResult::Proved(evidence),
            InvariantDecision::Violated { trace: Some(trace), .. } => {
                return InvariantResult::Violated(trace);
            }
            InvariantDecision::Violated { steps, trace: None } => {
                return self.shortest(steps, budget, observer);
            }
            InvariantDecision::Unknown { why, depth } => (why, depth),
        };
        match (bound, why) {
            (Some(bound), _) if bound < known => InvariantResult::HoldsUpToBound,
            (Some(bound), _) => match self.search(bound, budget, observer) {
                BoundedResult::Holds => InvariantResult::HoldsUpToBound,
                BoundedResult::Violated(trace) => InvariantResult::Violated(trace),
                BoundedResult::Undecided { why, depth } => {
                    InvariantResult::Undecided { why, depth: depth.max(known) }
                }
            },
            (None, Unproved::Budget(why)) => InvariantResult::Undecided { why, depth: known },
            (None, why) => InvariantResult::Unlisted(why.into()),
        }
    }

    /// Searches for a shortest trace that violates the invariant, which is violated after `steps` steps.
    ///
    /// # Panics
    /// If there is none, which is a bug in the engine that says so.
    pub fn shortest(&self, steps: usize, budget: &Budget, observer: &mut dyn Observer) -> InvariantResult {
        match self.search(steps, budget, observer) {
            BoundedResult::Violated(trace) => InvariantResult::Violated(trace),
            BoundedResult::Undecided { why, depth } => InvariantResult::Undecided { why, depth },
            BoundedResult::Holds => panic!("no counterexample of up to {steps} steps was found"),
        }
    }

    /// Searches for a violation of up to `bound` steps.
    pub fn search(&self, bound: usize, budget: &Budget, observer: &mut dyn Observer) -> BoundedResult {
        let lengths = Lengths::UpTo(bound);
        unroll::check(self.model, self.invariant, lengths, self.options.backend, budget, observer)
    }
}

/// Decides an invariant for traces of up to `bound` steps, or of every length, by listing the states, if they are few. `None` if they are not.
pub fn listed(model: &Model, invariant: &Expr, bound: usize, budget: &Budget) -> Option<InvariantResult> {
    match prove::listed(model, invariant, Reduction::Symmetry, budget)? {
        InvariantDecision::Holds(evidence) => Some(InvariantResult::Proved(evidence)),
        InvariantDecision::Violated { steps, .. } if steps > bound => Some(InvariantResult::HoldsUpToBound),
        InvariantDecision::Violated { trace, .. } => trace.map(InvariantResult::Violated),
        InvariantDecision::Unknown { .. } => None,
    }
}
