//! Redundant classes and canonical counterexamples (section 3.1.1 of the classification paper, Definition 8).

use super::pool::Pool;
use super::space::{Limited, Space};
use crate::sat::Lit;
use crate::trace::Trace;
use rustc_hash::FxHashMap;

/// Drops classes that the others leave cover, and gives each of the rest a shortest counterexample that lies in no
/// other one. The chosen classes must be complete.
pub fn settle(space: &mut Space<'_>, pool: &mut Pool<'_>) -> Limited<()> {
    let known = if pool.minimum { FxHashMap::default() } else { remove(space, pool)? };
    for class in pool.chosen.clone() {
        let looked_at = pool.first_of_its_own(class).cloned();
        let others = others(pool, class);
        let canonical = match (looked_at, known.get(&class)) {
            (Some(trace), _) => Some(trace),
            (None, Some((then, trace))) if *then == others => Some(trace.clone()),
            _ => first_outside(space, pool, class, &others)?,
        };
        let Some(trace) = canonical else {
            pool.drop_class(class);
            continue;
        };
        let as_short = space.steps_to_violation(&trace) == least(space, pool, class);
        let candidate = &mut pool.candidates[class];
        // It is the better representative, too.
        if as_short
            && let Some(positions) = candidate.constraint.matches(space.unrolling.model, &trace.moments)
        {
            candidate.shortest = Some((trace.clone(), positions));
        }
        candidate.canonical = Some(trace);
    }
    Ok(())
}

/// Classes, and the first counterexample of a class that is in none of them.
type Apart = (Vec<usize>, Trace);

/// Drops one at a time, so that two classes that only cover each other never go together. Of classes that could go,
/// those without a predicate of the user go first, then those found first. A smallest choice has none that could go.
/// Returns what was found of those that stay.
fn remove(space: &mut Space<'_>, pool: &mut Pool<'_>) -> Limited<FxHashMap<usize, Apart>> {
    let mut order = pool.chosen.clone();
    order.sort_by_key(|&c| pool.candidates[c].constraint.facts.iter().any(|f| f.predicate().is_some()));
    let mut found = FxHashMap::default();
    for class in order {
        if pool.has_sample_of_its_own(class) {
            continue;
        }
        let others = others(pool, class);
        match first_outside(space, pool, class, &others)? {
            Some(trace) => {
                found.insert(class, (others, trace));
            }
            None => pool.drop_class(class),
        }
    }
    Ok(found)
}

/// The first counterexample in none of the other classes; it is in this one, which has none shorter than its shortest.
fn first_outside(
    space: &mut Space<'_>,
    pool: &mut Pool<'_>,
    class: usize,
    others: &[usize],
) -> Limited<Option<Trace>> {
    let outside: Vec<Lit> = others.iter().map(|&c| !pool.matched(space, c)).collect();
    space.first_from(least(space, pool, class), &outside)
}

/// How many steps the shortest known counterexample of a class takes to its violation.
fn least(space: &Space<'_>, pool: &Pool<'_>, class: usize) -> usize {
    let candidate = &pool.candidates[class];
    let shortest = candidate.shortest.as_ref().map_or(&pool.samples[candidate.sample].trace, |s| &s.0);
    space.steps_to_violation(shortest)
}

/// The chosen classes but for this one.
fn others(pool: &Pool<'_>, but: usize) -> Vec<usize> {
    pool.chosen.iter().copied().filter(|&c| c != but).collect()
}
