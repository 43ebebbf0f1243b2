//! Redundant classes and canonical counterexamples (section 3.1.1 of the classification paper, Definition 8).

use crate::facts::index::CandidateId;
use crate::oracles::oracle::Oracle;
use crate::search::pool::{Pool, ShortestSample};
use kit::budget::Limited;
use lang::trace::Trace;
use rustc_hash::FxHashMap;

/// Drops classes that the others cover, and gives each remaining class a shortest counterexample that is in no other
/// one. The chosen classes must be complete.
pub fn settle(oracle: &mut dyn Oracle<'_>, pool: &mut Pool<'_, '_>) -> Limited<()> {
    let known = if pool.minimum {
        FxHashMap::default()
    } else {
        let mut order = pool.chosen.clone();
        order.sort_by_key(|&c| pool.candidate(c).constraint.has_predicate(oracle.atoms()));
        remove(oracle, pool, order, None)?
    };
    for class in pool.chosen.clone() {
        let looked_at = pool.first_of_its_own(class).cloned();
        let others = pool.others(class);
        let canonical = match (looked_at, known.get(&class)) {
            (Some(trace), _) => Some(trace),
            (None, Some(known)) if known.others == others => Some(known.trace.clone()),
            _ => {
                let from = least(oracle, pool, class);
                first_outside(oracle, pool, from, &others)?
            }
        };
        let Some(trace) = canonical else {
            pool.drop_class(class);
            continue;
        };
        let as_short = oracle.steps_to_violation(&trace) == least(oracle, pool, class);
        let candidate = pool.candidate_mut(class);
        // Then it is the better representative, too.
        if as_short && let Some(assigned) = oracle.matches(&candidate.constraint, &trace) {
            candidate.shortest = Some(ShortestSample { trace: trace.clone(), assigned });
        }
        candidate.canonical = Some(trace);
    }
    Ok(())
}

/// The first counterexample of a class that is in none of the others.
pub struct ExclusiveSample {
    others: Vec<CandidateId>,
    trace: Trace,
}

/// Drops redundant classes, one at a time, the first of them if they cover each other: those without a predicate of the user, then those
/// found first. A minimum choice has no redundant class. Returns the counterexamples that were found of classes that stay.
///
/// In another order where classes have not been completed, the caller says how many steps all counterexamples take at least.
pub fn remove(
    oracle: &mut dyn Oracle<'_>,
    pool: &mut Pool<'_, '_>,
    order: Vec<CandidateId>,
    at_least: Option<usize>,
) -> Limited<FxHashMap<CandidateId, ExclusiveSample>> {
    let mut found = FxHashMap::default();
    for class in order {
        if pool.has_sample_of_its_own(class) {
            continue;
        }
        let others = pool.others(class);
        let from = at_least.unwrap_or_else(|| least(oracle, pool, class));
        match first_outside(oracle, pool, from, &others)? {
            Some(trace) => {
                found.insert(class, ExclusiveSample { others, trace });
            }
            None => pool.drop_class(class),
        }
    }
    Ok(found)
}

/// The first counterexample in none of the other classes, so that it is in the one that is left, which has none of fewer steps.
fn first_outside(
    oracle: &mut dyn Oracle<'_>,
    pool: &Pool<'_, '_>,
    least: usize,
    others: &[CandidateId],
) -> Limited<Option<Trace>> {
    oracle.shortest_from(least, &pool.outside(others))
}

/// How many steps the shortest known counterexample of a class takes to its violation.
fn least(oracle: &dyn Oracle<'_>, pool: &Pool<'_, '_>, class: CandidateId) -> usize {
    let candidate = pool.candidate(class);
    let own = pool.sample(candidate.sample).trace();
    let shortest = candidate.shortest.as_ref().map_or(own, |shortest| &shortest.trace);
    oracle.steps_to_violation(shortest)
}
