//! `check --unbounded`: an invariant in traces of every length.

use super::args::CheckArgs;
use cladist::budget::{Budget, Observer};
use cladist::decide::{self, InvariantOptions, InvariantResult};
use cladist::model::Model;
use cladist::model::expr::Expr;
use cladist::prove::Reduction;
use cladist::report::Outcome;

/// Decides an invariant according to the arguments.
pub fn decide(
    args: &CheckArgs,
    model: &Model,
    invariant: &Expr,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Outcome {
    let backend = args.engine.solver.backend();
    let reduction = if args.no_symmetry { Reduction::Nothing } else { Reduction::Symmetry };
    let options = InvariantOptions { way: args.proof.way(), bound: args.bound, reduction, backend };
    outcome_of(decide::invariant(model, invariant, &options, budget, observer))
}

/// Returns the outcome of a decision.
pub fn outcome_of(decided: InvariantResult) -> Outcome {
    match decided {
        InvariantResult::Proved(evidence) => Outcome::Proved(evidence),
        InvariantResult::Violated(trace) => Outcome::Violated(trace),
        InvariantResult::HoldsUpToBound => Outcome::Holds,
        InvariantResult::Undecided { why, depth } => Outcome::Undecided { why, depth },
        InvariantResult::Unlistable(too_many) => Outcome::Unlistable(too_many),
    }
}
