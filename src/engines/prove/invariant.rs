//! Invariants of a model, for traces of every length, by whichever way gives an answer.

use super::affine::relations;
use super::decision::{InvariantDecision, InvariantEvidence, InvariantMethod, Reduction, Unproved};
use super::diagrams::by_diagrams;
use super::{AlwaysHolds, Certificate, Method, ObservedModel, ProofEffort, ProofResult, other, prove};
use crate::explore::{Orbits, ReachabilityResult, Stop, VisitedOrbits, first_violation, visit, visit_orbits};
use crate::symmetry::{self, Group};
use kit::budget::Budget;
use lang::model::expr::Expr;
use lang::model::{Action, Model};
use std::time::Duration;

/// The most states that [`InvariantMethod::Auto`] visits, if symmetries leave no more.
const FEW_STATES: usize = 30_000;

/// The most lists of arguments of an action with which [`InvariantMethod::Auto`] visits states.
const FEW_LABELS: u64 = 1 << 20;

/// The longest processor time that [`InvariantMethod::Auto`] spends visiting states.
const SHORT: Duration = Duration::from_secs(1);

/// The number of states beyond which [`InvariantMethod::Auto`] searches for symmetries, which takes longer than visiting fewer.
const TOO_FEW_FOR_SYMMETRY: usize = 40_000;

/// The number of states beyond which [`InvariantMethod::Explicit`] does: orbits also save memory.
const TOO_FEW_FOR_ORBITS: usize = 2_000;

/// The longest time that [`InvariantMethod::Explicit`] spends on the search for symmetries.
const LONG: Duration = Duration::from_secs(20);

/// Tries to prove an invariant or to find a violation.
///
/// # Panics
/// As [`prove`] does.
pub fn decide(
    model: &Model,
    invariant: &Expr,
    way: InvariantMethod,
    reduction: Reduction,
    effort: ProofEffort<'_>,
) -> InvariantDecision {
    let known = match way {
        InvariantMethod::Auto => match soon(model, invariant, reduction, effort.budget) {
            Ok(decision) => return decision,
            Err(known) => known,
        },
        InvariantMethod::Explicit => {
            let limits = ListingLimits { states: usize::MAX, time: None, budget: effort.budget };
            match visited(model, invariant, reduction, &limits) {
                Ok(decision) => return decision,
                Err((Stop::Choices(too_many), depth)) => {
                    return InvariantDecision::Unknown { why: Unproved::Choices(too_many), depth };
                }
                Err((Stop::Budget(why), depth)) => {
                    return InvariantDecision::Unknown { why: Unproved::Budget(why), depth };
                }
                Err((Stop::States(_), depth)) => depth,
            }
        }
        InvariantMethod::Diagrams | InvariantMethod::Induction | InvariantMethod::Ic3 => 0,
    };
    match symbolic(model, invariant, way, effort) {
        InvariantDecision::Unknown { why, depth } => {
            InvariantDecision::Unknown { why, depth: depth.max(known) }
        }
        decision => decision,
    }
}

/// Decides an invariant by affine relations, or by visiting the states if they are few.
///
/// # Errors
/// A number of steps in fewer than which it is not violated, if neither decides it.
pub fn soon(
    model: &Model,
    invariant: &Expr,
    reduction: Reduction,
    budget: &Budget,
) -> Result<InvariantDecision, usize> {
    if let Some(evidence) = by_relations(model, invariant, budget) {
        return Ok(InvariantDecision::Holds(evidence));
    }
    visit_few(model, invariant, reduction, budget)
}

/// Visits the states if they are few.
fn visit_few(
    model: &Model,
    invariant: &Expr,
    reduction: Reduction,
    budget: &Budget,
) -> Result<InvariantDecision, usize> {
    let labels = |action: &Action| {
        let values = action.params.iter().map(|param| model.types.cardinality(&param.ty));
        values.fold(1, u64::saturating_mul)
    };
    if model.actions.iter().any(|action| labels(action) > FEW_LABELS) {
        return Err(0);
    }
    let limits = ListingLimits { states: FEW_STATES, time: Some(SHORT), budget };
    visited(model, invariant, reduction, &limits).map_err(|(_, depth)| depth)
}

/// Like [`decide`], without visiting states.
///
/// # Panics
/// As [`prove`] does.
pub fn symbolic(
    model: &Model,
    invariant: &Expr,
    way: InvariantMethod,
    effort: ProofEffort<'_>,
) -> InvariantDecision {
    let method = match way {
        InvariantMethod::Diagrams => return by_diagrams(model, invariant, effort.budget),
        InvariantMethod::Auto | InvariantMethod::Explicit => Method::Both,
        InvariantMethod::Induction => Method::Induction,
        InvariantMethod::Ic3 => Method::Ic3,
    };
    let watch = AlwaysHolds(invariant);
    let system = ObservedModel::new(model, &watch);
    let checked_by = other(effort.backend).start(effort.budget).name();
    match prove(&system, method, effort) {
        ProofResult::Holds(certificate) => InvariantDecision::Holds(match certificate {
            Certificate::Induction { k, .. } => InvariantEvidence::Induction { k, checked_by, certificate },
            Certificate::Invariant(_) => {
                InvariantEvidence::Invariant { clauses: certificate.texts(&system), checked_by, certificate }
            }
        }),
        ProofResult::Violated(steps) => InvariantDecision::Violated { steps, trace: None },
        ProofResult::Unknown { why, depth } => {
            InvariantDecision::Unknown { why: Unproved::Budget(why), depth }
        }
    }
}

/// The effort for listing states.
struct ListingLimits<'a> {
    states: usize,
    /// The longest time, if listing is only a try.
    time: Option<Duration>,
    budget: &'a Budget,
}

impl ListingLimits<'_> {
    /// The limits of a part that begins now.
    fn part(&self) -> Budget {
        self.time.map_or(self.budget.clone(), |time| self.budget.at_most_work(time))
    }
}

/// Decides an invariant by listing states, if they are few. `None` if they are not.
pub fn listed(
    model: &Model,
    invariant: &Expr,
    reduction: Reduction,
    budget: &Budget,
) -> Option<InvariantDecision> {
    visit_few(model, invariant, reduction, budget).ok()
}

/// Proves an invariant by affine relations between integers. `None` if there is no such proof, if it takes long, or if the model has few
/// states, which tell more.
pub fn by_relations(model: &Model, invariant: &Expr, budget: &Budget) -> Option<InvariantEvidence> {
    let states = model.variables.iter().map(|variable| model.types.cardinality(&variable.ty));
    if states.fold(1, u64::saturating_mul) <= FEW_STATES as u64 {
        return None;
    }
    let relations = relations(model, invariant, &budget.at_most_work(SHORT)).ok()??;
    Some(InvariantEvidence::Affine { relations })
}

/// Decides by visiting all states, or a limited number; otherwise returns the reason why not all were visited, and the
/// number of steps whose search was not completed.
fn visited(
    model: &Model,
    invariant: &Expr,
    reduction: Reduction,
    limits: &ListingLimits<'_>,
) -> Result<InvariantDecision, (Stop, usize)> {
    let decision = |visited, orbits: Option<&Orbits>| match visited {
        ReachabilityResult::Holds(states) => {
            Ok(InvariantDecision::Holds(InvariantEvidence::Visited { states }))
        }
        ReachabilityResult::Violated(steps) => {
            let again = (limits.states.max(TOO_FEW_FOR_SYMMETRY), &limits.part());
            Ok(InvariantDecision::Violated {
                steps,
                trace: first_violation(model, invariant, steps, orbits, again),
            })
        }
        ReachabilityResult::Stopped { why, depth } => Err((why, depth)),
    };
    if reduction == Reduction::Nothing {
        return decision(visit(model, invariant, limits.states, &limits.part()), None);
    }
    let few = if limits.time.is_none() { TOO_FEW_FOR_ORBITS } else { TOO_FEW_FOR_SYMMETRY };
    let first = decision(visit(model, invariant, few, &limits.part()), None);
    match first {
        Err((Stop::States(_), _)) => {}
        Err((Stop::Choices(_), _)) if limits.time.is_none() => {}
        _ => return first,
    }
    let time = limits.time.unwrap_or(LONG);
    let symmetries = symmetry::find(model, vec![invariant], &limits.budget.at_most(time));
    let proved: Vec<_> = symmetries.all().cloned().collect();
    let group = Group::generated_by(&model.types, &proved);
    let orbits = Orbits::new(model, &group.elements, group.whole);
    let Some(orbits) = orbits.filter(|_| !group.elements.is_empty()) else {
        // A try has seen more states already than it visits orbits.
        return match limits.time {
            Some(_) => first,
            None => decision(visit(model, invariant, limits.states, &limits.part()), None),
        };
    };
    let VisitedOrbits { visited, in_orbits } =
        visit_orbits(model, invariant, limits.states, &limits.part(), &orbits);
    match visited {
        ReachabilityResult::Holds(visited) => {
            let symmetric = symmetries.show(&model.types);
            Ok(InvariantDecision::Holds(InvariantEvidence::VisitedOrbits {
                visited,
                states: in_orbits,
                symmetric,
            }))
        }
        other => decision(other, Some(&orbits)),
    }
}
