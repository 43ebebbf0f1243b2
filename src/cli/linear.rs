//! `check` of linear-time properties.

use super::args::CheckArgs;
use cladist::budget::{Budget, Observer};
use cladist::decide::{self, LinearOptions, LinearResult, LinearStates, NotListed};
use cladist::diagnostics::Diagnostic;
use cladist::ltl::{Bounded, Fairness, bounded, has_fair_lasso};
use cladist::model::Model;
use cladist::model::expr::Formula;
use cladist::prove::InvariantEvidence;
use cladist::report::PropertyOutcome;
use cladist::unroll::Lengths;

/// The result for a property, with its notices.
pub struct Decided {
    pub outcome: PropertyOutcome,
    /// Warnings that the result means less than it seems to.
    pub notices: Vec<Diagnostic>,
}

/// Decides a formula according to the arguments; `name` is that of the property, and `lists` is true as long as the states may be few.
pub fn decide(
    args: &CheckArgs,
    (model, fairness, lists): (&Model, &[Fairness], &mut bool),
    (name, formula): (&str, &Formula),
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Decided {
    let backend = args.engine.solver.backend();
    let only = |outcome| Decided { outcome, notices: Vec::new() };
    let options =
        LinearOptions { way: args.proof.way(), bound: args.bound, backend, ..LinearOptions::default() };
    let decided = match args.lengths().filter(|_| !args.unbounded) {
        None if !args.unbounded => return only(PropertyOutcome::TypesOnly),
        None => decide::linear(model, formula, fairness, options, budget, observer),
        Some(lengths) => {
            let listed = match lengths {
                Lengths::UpTo(bound) if *lists => {
                    let listed = decide::listed_linear(model, formula, fairness, bound, budget);
                    listed.unwrap_or_else(|_| {
                        *lists = false;
                        None
                    })
                }
                _ => None,
            };
            let Some(listed) = listed else {
                let found = bounded(model, formula, fairness, lengths, backend, budget, observer);
                let is_empty = matches!(found, Bounded::Holds)
                    && has_fair_lasso(model, fairness, lengths, backend, budget) == Some(false);
                let notices = is_empty.then(|| none_within(name, fairness, lengths));
                return Decided { outcome: outcome_of(found), notices: notices.into_iter().collect() };
            };
            listed
        }
    };
    match decided {
        LinearResult::Holds { of, is_vacuous } => Decided {
            outcome: PropertyOutcome::Proved(InvariantEvidence::Visited { states: of.states }),
            notices: if is_vacuous { vec![vacuous(name, fairness)] } else { dead_ends(name, of) },
        },
        LinearResult::Proved(evidence) => {
            Decided { outcome: PropertyOutcome::Proved(evidence), notices: vec![unseen(name)] }
        }
        LinearResult::Violated { lasso, is_shortest, .. } => {
            let longer =
                format!("a shorter infinite trace may violate `{name}`: the search for one was not finished");
            let notices = if is_shortest { Vec::new() } else { vec![warning(longer)] };
            Decided { outcome: PropertyOutcome::ViolatedForever(lasso), notices }
        }
        LinearResult::HoldsUpToBound(why) => {
            let unproved = format!("`{name}` is not decided for all infinite traces: {why}");
            Decided { outcome: PropertyOutcome::Holds, notices: vec![warning(unproved)] }
        }
        LinearResult::Unproved { why, depth } => only(PropertyOutcome::Undecided { why, depth }),
        LinearResult::Unknown(NotListed::Budget(why)) => only(PropertyOutcome::Undecided { why, depth: 0 }),
        LinearResult::Unknown(why) => only(PropertyOutcome::Unlisted(why)),
    }
}

/// Returns the outcome of a bounded search.
fn outcome_of(found: Bounded) -> PropertyOutcome {
    match found {
        Bounded::Holds => PropertyOutcome::Holds,
        Bounded::Violated(lasso) => PropertyOutcome::ViolatedForever(lasso),
        Bounded::Undecided { why, depth } => PropertyOutcome::Undecided { why, depth },
    }
}

/// Returns the warning that some traces end, to which the property does not apply.
fn dead_ends(name: &str, of: LinearStates) -> Vec<Diagnostic> {
    let message = match of.dead_ends {
        0 => return Vec::new(),
        1 => format!("one reachable state has no successor: `{name}` does not cover traces that end there"),
        n => {
            format!("{n} reachable states have no successor: `{name}` does not cover traces that end there")
        }
    };
    vec![warning(message).with_help("`--deadlock` shows a shortest trace to such a state")]
}

/// Returns the warning that a proof without a list of the states ignores traces that end.
fn unseen(name: &str) -> Diagnostic {
    let message =
        format!("states without successor were not searched for: `{name}` does not cover traces that end");
    warning(message).with_help("`--deadlock` searches for a shortest trace to such a state")
}

/// Returns the warning that no infinite trace within the bound could violate the property.
pub fn none_within(name: &str, fairness: &[Fairness], lengths: Lengths) -> Diagnostic {
    let (what, bound) = (infinite_trace(fairness), lengths.bound());
    let within = match lengths {
        Lengths::UpTo(_) => "up to",
        Lengths::Exactly(_) => "exactly",
    };
    let steps = if bound == 1 { "step" } else { "steps" };
    let message = format!(
        "there is no {what} that repeats after {within} {bound} {steps}, so `{name}` holds vacuously"
    );
    warning(message).with_help("try longer ones with -k; `--deadlock` shows a shortest trace that ends")
}

fn infinite_trace(fairness: &[Fairness]) -> &'static str {
    if fairness.is_empty() { "infinite trace" } else { "fair infinite trace" }
}

/// Returns the warning that no infinite trace could violate the property.
fn vacuous(name: &str, fairness: &[Fairness]) -> Diagnostic {
    let what = infinite_trace(fairness);
    let message = format!("there is no {what}, so `{name}` holds vacuously");
    warning(message).with_help("`--deadlock` shows a shortest trace that ends")
}

fn warning(message: String) -> Diagnostic {
    Diagnostic::warning_without_place(message)
}
