//! Redundant classes and canonical counterexamples (section 3.1.1 of the classification paper, Definition 8).

use super::index::CandidateId;
use super::oracle::Oracle;
use super::pool::{Pool, Shortest};
use crate::budget::Limited;
use crate::trace::Trace;
use rustc_hash::FxHashMap;

/// Drops classes that the others cover, and gives each remaining class a shortest counterexample that is in no other
/// one. The chosen classes must be complete.
pub fn settle(space: &mut dyn Oracle<'_>, pool: &mut Pool<'_, '_>) -> Limited<()> {
    let known = if pool.minimum { FxHashMap::default() } else { remove(space, pool)? };
    for class in pool.chosen.clone() {
        let looked_at = pool.first_of_its_own(class).cloned();
        let others = pool.others(class);
        let canonical = match (looked_at, known.get(&class)) {
            (Some(trace), _) => Some(trace),
            (None, Some(known)) if known.others == others => Some(known.trace.clone()),
            _ => first_outside(space, pool, class, &others)?,
        };
        let Some(trace) = canonical else {
            pool.drop_class(class);
            continue;
        };
        let as_short = space.steps_to_violation(&trace) == least(space, pool, class);
        let candidate = pool.candidate_mut(class);
        // Then it is the better representative, too.
        if as_short && let Some(assigned) = space.matches(&candidate.constraint, &trace) {
            candidate.shortest = Some(Shortest { trace: trace.clone(), assigned });
        }
        candidate.canonical = Some(trace);
    }
    Ok(())
}

/// The first counterexample of a class that is in none of the others.
struct Apart {
    others: Vec<CandidateId>,
    trace: Trace,
}

/// Drops redundant classes one at a time, so that of two classes that only cover each other one stays. Those without a
/// predicate of the user are tried first, then those found first. A minimum choice has no redundant class.
/// Returns the counterexamples that were found of classes that stay.
fn remove(space: &mut dyn Oracle<'_>, pool: &mut Pool<'_, '_>) -> Limited<FxHashMap<CandidateId, Apart>> {
    let mut order = pool.chosen.clone();
    order.sort_by_key(|&c| pool.candidate(c).constraint.has_predicate(space.atoms()));
    let mut found = FxHashMap::default();
    for class in order {
        if pool.has_sample_of_its_own(class) {
            continue;
        }
        let others = pool.others(class);
        match first_outside(space, pool, class, &others)? {
            Some(trace) => {
                found.insert(class, Apart { others, trace });
            }
            None => pool.drop_class(class),
        }
    }
    Ok(found)
}

/// The first counterexample in none of the other classes; it is in this one, which has none shorter than its shortest.
fn first_outside(
    space: &mut dyn Oracle<'_>,
    pool: &mut Pool<'_, '_>,
    class: CandidateId,
    others: &[CandidateId],
) -> Limited<Option<Trace>> {
    let outside = pool.outside(others);
    let least = least(space, pool, class);
    space.shortest_from(least, &outside)
}

/// How many steps the shortest known counterexample of a class takes to its violation.
fn least(space: &dyn Oracle<'_>, pool: &Pool<'_, '_>, class: CandidateId) -> usize {
    let candidate = pool.candidate(class);
    let own = pool.sample(candidate.sample).trace();
    let shortest = candidate.shortest.as_ref().map_or(own, |shortest| &shortest.trace);
    space.steps_to_violation(shortest)
}
