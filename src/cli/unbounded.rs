//! `check --unbounded`: an invariant in traces of every length.

use super::args::CheckArgs;
use cladist::budget::{Budget, Observer};
use cladist::decide::{self, InvariantOptions, InvariantResult};
use cladist::model::Model;
use cladist::model::expr::Expr;
use cladist::prove::Reduction;
use cladist::report::PropertyOutcome;

/// Decides an invariant according to the arguments.
pub fn decide(
    args: &CheckArgs,
    model: &Model,
    invariant: &Expr,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> PropertyOutcome {
    let backend = args.engine.solver.backend();
    let reduction = if args.no_symmetry { Reduction::Nothing } else { Reduction::Symmetry };
    let options = InvariantOptions { way: args.proof.way(), bound: args.bound, reduction, backend };
    outcome_of(decide::invariant(model, invariant, &options, budget, observer))
}

/// Returns the outcome of a decision.
pub fn outcome_of(decided: InvariantResult) -> PropertyOutcome {
    match decided {
        InvariantResult::Proved(evidence) => PropertyOutcome::Proved(evidence),
        InvariantResult::Violated(trace) => PropertyOutcome::Violated(trace),
        InvariantResult::HoldsUpToBound => PropertyOutcome::Holds,
        InvariantResult::Undecided { why, depth } => PropertyOutcome::Undecided { why, depth },
        InvariantResult::Unlistable(too_many) => PropertyOutcome::Unlistable(too_many),
    }
}
