//! Fewer positions without losing a counterexample: two position variables that nothing keeps apart become one.
//!
//! Minimising settles on the positions of one counterexample, late ones first. What it found at two of them
//! may hold at a third one together. To say that is stronger, so it still suffices for a violation; a class is
//! replaced by it if no counterexample is lost.

use super::draft::{Draft, Facts, reaches};
use super::fact::FactKind;
use super::pool::Pool;
use super::space::{Limited, Space};
use crate::sat::Lit;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Merges positions of the chosen classes, which must be complete, wherever they stay complete. No counterexample
/// violates the property in fewer than `least` steps.
pub fn merge_positions(space: &mut Space<'_>, pool: &mut Pool<'_>, least: usize) -> Limited<()> {
    for class in pool.chosen.clone() {
        let candidate = &pool.candidates[class];
        let Some(draft) = merged(&pool.samples[candidate.sample].facts, &candidate.draft) else { continue };
        let sample = candidate.sample;
        let merged = pool.admit_minimised(space, sample, draft)?;
        let others = pool.chosen.iter().copied().filter(|&c| c != class);
        let cover: Vec<usize> = others.chain([merged]).collect();
        let outside: Vec<Lit> = cover.iter().map(|&c| !pool.matched(space, c)).collect();
        if space.any_counterexample(&outside)?.is_none() {
            pool.replace(class, merged);
            pool.complete(space, merged, least)?;
        }
    }
    Ok(())
}

/// A draft with positions merged, as far as the counterexample has places for that. Whatever satisfies it satisfies
/// the given one. Where something is absent between positions, these stay.
fn merged(facts: &Facts, draft: &Draft) -> Option<Draft> {
    let mut best = None;
    let mut draft = draft.clone();
    while let Some(shorter) = with_a_pair_merged(facts, &draft) {
        draft = shorter;
        best = Some(draft.clone());
    }
    best
}

fn with_a_pair_merged(facts: &Facts, draft: &Draft) -> Option<Draft> {
    if !draft.absent.is_empty() {
        return None;
    }
    let apart = |p: usize, q: usize| reaches(&draft.order, p, q) || reaches(&draft.order, q, p);
    let pairs = draft.positions.iter().flat_map(|&p| draft.positions.range(p + 1..).map(move |&q| (p, q)));
    pairs.filter(|&(p, q)| !apart(p, q)).find_map(|pair| {
        let mut places = (0..=facts.last).rev();
        places.find_map(|place| moved_to(facts, draft, pair, place))
    })
}

/// The draft with two positions moved to a third place, if everything that is said of them holds there.
fn moved_to(facts: &Facts, draft: &Draft, (p, q): (usize, usize), place: usize) -> Option<Draft> {
    let mut positions = draft.positions.clone();
    positions.remove(&p);
    positions.remove(&q);
    if !positions.insert(place) {
        return None;
    }
    let moved = |at: usize| if at == p || at == q { place } else { at };
    let mut atoms = BTreeSet::new();
    for &atom in &draft.atoms {
        let said = &facts.placed[atom];
        let at: Vec<usize> = said.positions.iter().map(|&at| moved(at)).collect();
        let same = facts.placed.iter().position(|f| Arc::ptr_eq(&f.atom, &said.atom) && f.positions == at);
        atoms.insert(same?);
    }
    let mut order = Vec::new();
    for (kind, a, b) in &draft.order {
        let fact = (kind.clone(), moved(*a), moved(*b));
        let holds = match kind {
            FactKind::Next => fact.1 + 1 == fact.2,
            _ => fact.1 < fact.2,
        };
        if !holds {
            return None;
        }
        if !order.contains(&fact) {
            order.push(fact);
        }
    }
    Some(Draft { atoms: atoms.into_iter().collect(), positions, absent: Vec::new(), order })
}

#[cfg(test)]
mod tests {
    use crate::budget::Budget;
    use crate::classify::{Options, Preference, Verdict, classify};
    use crate::model::load_text;
    use crate::sat::Backend;
    use crate::unroll::Lengths;
    use std::io::ErrorKind;

    /// Red is seen after one and two steps, blue after one and three, one of them alone in harmless courses. `APART` keeps
    /// them from being seen together.
    const LIGHTS: &str = "model lights;
        const APART : bool = false;
        type Course = enum { Both, Red, Blue };
        var course : Course;
        var clock : 0..4;
        var red : bool;
        var blue : bool;
        var over : bool;
        init { clock = 0; not red; not blue; not over; }
        action tick {
          require clock < 4;
          clock' = clock + 1;
          red' = course != Blue and (clock = 0 and not APART or clock = 1);
          blue' = course != Red and (clock = 0 or clock = 2);
          over' = clock = 3;
        }
        invariant harmless: not (over and course = Both);
        vocabulary seen = { eq(red, blue, over) };";

    fn constraints(apart: bool) -> Vec<String> {
        let overrides = [("APART".to_owned(), apart.to_string())];
        let loaded = load_text("lights.sts", LIGHTS, &overrides, &|_| Err(ErrorKind::NotFound.into()));
        let model = loaded.model.expect("a model");
        let property = model.properties[0].invariant().expect("an invariant");
        let options = Options {
            lengths: Lengths::UpTo(6),
            start_with: None,
            keep_redundant: false,
            max_classes: None,
            preference: Preference::default(),
            seed: 0,
            backend: Backend::Cadical,
            check_backend: Backend::Cadical,
        };
        let budget = Budget::unlimited();
        let result = classify(&model, property, &model.vocabularies[0], &options, &budget, &mut ());
        assert_eq!(result.verdict, Verdict::Complete);
        result.classes.iter().map(|class| class.constraint.show(&model).to_string()).collect()
    }

    #[test]
    fn what_holds_at_one_place_is_said_of_one_position() {
        let [class] = constraints(false).try_into().expect("one class");
        assert_eq!(class, "∃ i, j ∈ [0..len(ρ)] : red@i = true ∧ blue@i = true ∧ over@j = true");
    }

    #[test]
    fn what_holds_at_two_places_is_not() {
        let [class] = constraints(true).try_into().expect("one class");
        assert_eq!(class, "∃ i, j, k ∈ [0..len(ρ)] : red@i = true ∧ blue@j = true ∧ over@k = true");
    }
}
