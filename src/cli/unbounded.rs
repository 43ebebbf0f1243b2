//! `--unbounded`: an invariant in traces of every length.

use super::args::CheckArgs;
use super::check::bounded;
use cladist::budget::{Budget, Observer};
use cladist::model::Model;
use cladist::model::expr::Expr;
use cladist::prove::{self, Decision, Effort, Unproved};
use cladist::report::Outcome;
use cladist::unroll::Lengths;

/// Proves it, or finds a shortest counterexample. Where there is a bound, half of the time is kept for it:
/// without a proof, it is decided up to there.
///
/// # Panics
/// If the bounded check does not find the violation that the search for a proof has found.
pub fn decide(
    args: &CheckArgs,
    model: &Model,
    invariant: &Expr,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Outcome {
    let backend = args.run.solver.backend();
    let part = args.bound.map_or(budget.clone(), |_| budget.share(2));
    let effort = Effort { backend, budget: &part, observer };
    let (why, known) = match prove::decide(model, invariant, args.proof.way(), effort) {
        Decision::Holds(evidence) => return Outcome::Proved(evidence),
        Decision::Violated(steps) => {
            let outcome = bounded(model, invariant, Lengths::UpTo(steps), backend, budget, observer);
            assert_ne!(outcome, Outcome::Holds, "no counterexample of up to {steps} steps was found");
            return outcome;
        }
        Decision::Unknown { why, depth } => (why, depth),
    };
    match (args.bound, why) {
        (Some(bound), _) if bound < known => Outcome::Holds,
        (Some(bound), _) => {
            match bounded(model, invariant, Lengths::UpTo(bound), backend, budget, observer) {
                Outcome::Undecided { why, depth } => Outcome::Undecided { why, depth: depth.max(known) },
                decided => decided,
            }
        }
        (None, Unproved::Budget(why)) => Outcome::Undecided { why, depth: known },
        (None, Unproved::Choices(too_many)) => Outcome::Unlistable(too_many),
    }
}
