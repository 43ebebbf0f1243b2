//! Redundant classes (section 3.1.1 of the classification paper): a class that the others left cover
//! is dropped, one at a time, so that two classes that only cover each other never go together.

use super::result::Class;
use super::space::{Limited, Space};
use crate::sat::Lit;

/// A class with the literal that is true in each of its traces.
pub struct Found {
    /// The class.
    pub class: Class,
    /// Forced wherever a trace is in the class.
    pub matched: Lit,
}

/// Drops redundant classes, or marks them if they are to be kept, and gives each of the others a shortest
/// counterexample that lies in no other class left (Definition 8). Returns how many were
/// redundant.
///
/// The classes must be complete. Of classes that could go, those without a predicate of the user go
/// first, then those found first.
pub fn remove(space: &mut Space<'_>, found: &mut Vec<Found>, keep: bool) -> Limited<usize> {
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|&c| found[c].class.constraint.facts.iter().any(|f| f.predicate().is_some()));
    let mut redundant = vec![false; found.len()];
    for &class in &order {
        let others = outside(found, &redundant, class);
        redundant[class] = space.any_counterexample(&others)?.is_none();
    }
    for class in 0..found.len() {
        if redundant[class] {
            continue;
        }
        let others = outside(found, &redundant, class);
        let shortest = space.steps_to_violation(&found[class].class.representative);
        for length in shortest..=space.last() {
            if let Some(trace) = space.counterexample(length, &others)? {
                let class = &mut found[class].class;
                // Where it is as short as any member it is the better representative, too.
                if length == shortest
                    && let Some(positions) = class.constraint.matches(space.unrolling.model, &trace.moments)
                {
                    class.representative = trace.clone();
                    class.positions = positions;
                }
                class.canonical = Some(trace);
                break;
            }
        }
    }
    for (class, redundant) in found.iter_mut().zip(&redundant) {
        class.class.redundant = *redundant;
    }
    let count = redundant.iter().filter(|r| **r).count();
    if !keep {
        found.retain(|f| !f.class.redundant);
    }
    Ok(count)
}

/// Assumptions: in none of the classes that are left, but for this one.
fn outside(found: &[Found], redundant: &[bool], but: usize) -> Vec<Lit> {
    let left = (0..found.len()).filter(|&c| c != but && !redundant[c]);
    left.map(|c| !found[c].matched).collect()
}
