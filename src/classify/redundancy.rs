//! Redundant classes and canonical counterexamples (section 3.1.1 of the classification paper, Definition 8).

use super::pool::Pool;
use super::space::{Limited, Space};
use crate::sat::Lit;

/// Drops classes that the others left cover, one at a time, so that two classes that only cover each other never
/// go together. The chosen classes must be complete. Of classes that could go, those without a predicate of
/// the user go first, then those found first. A smallest choice has none that could go.
pub fn remove(space: &mut Space<'_>, pool: &mut Pool<'_>) -> Limited<()> {
    let mut order = pool.chosen.clone();
    order.sort_by_key(|&c| pool.candidates[c].constraint.facts.iter().any(|f| f.predicate().is_some()));
    for class in order {
        if pool.has_sample_of_its_own(class) {
            continue;
        }
        let others = outside_of_others(space, pool, class);
        if space.any_counterexample(&others)?.is_none() {
            pool.drop_class(class);
        }
    }
    Ok(())
}

/// Gives each chosen class a shortest counterexample that lies in no other one. Where it is as short as any
/// member it is the better representative, too.
pub fn find_canonical(space: &mut Space<'_>, pool: &mut Pool<'_>) -> Limited<()> {
    for class in pool.chosen.clone() {
        let others = outside_of_others(space, pool, class);
        let candidate = &mut pool.candidates[class];
        let representative =
            candidate.shortest.as_ref().map_or(&pool.samples[candidate.sample].trace, |s| &s.0);
        let shortest = space.steps_to_violation(representative);
        for length in shortest..=space.last() {
            if let Some(trace) = space.counterexample(length, &others)? {
                if length == shortest
                    && let Some(positions) =
                        candidate.constraint.matches(space.unrolling.model, &trace.moments)
                {
                    candidate.shortest = Some((trace.clone(), positions));
                }
                candidate.canonical = Some(trace);
                break;
            }
        }
    }
    Ok(())
}

/// Assumptions: in none of the chosen classes, but for this one.
fn outside_of_others(space: &mut Space<'_>, pool: &mut Pool<'_>, but: usize) -> Vec<Lit> {
    let others: Vec<usize> = pool.chosen.iter().copied().filter(|&c| c != but).collect();
    others.into_iter().map(|c| !pool.matched(space, c)).collect()
}
