//! Fewer positions without losing a counterexample: two position variables that nothing keeps apart become one.
//!
//! Minimising settles on the positions of one counterexample, late ones first. What it found at two of them
//! may hold at one of its places together. To say that is stronger, so it still suffices for a violation; a class is
//! replaced by it if no counterexample is lost.

use super::draft::{Draft, Facts, Ordered, reaches};
use super::example::Example;
use super::index::{CandidateId, DomainId, PlacedId};
use super::oracle::Oracle;
use super::pool::Pool;
use crate::budget::Limited;
use crate::model::Position;
use crate::model::types::Type;
use itertools::Itertools;
use std::collections::BTreeSet;

/// Merges positions of the chosen classes, which must be complete, two at a time wherever they stay complete.
pub fn merge_positions(space: &mut dyn Oracle<'_>, pool: &mut Pool<'_, '_>) -> Limited<()> {
    for class in pool.chosen.clone() {
        let mut class = class;
        while let Some(merged) = with_a_pair_merged(space, pool, class)? {
            pool.replace(class, merged);
            class = merged;
        }
    }
    Ok(())
}

/// Lets the chosen classes, which must be complete, name values as they are wherever they stay complete, all of one type at a
/// time: that a class has individuals says that it needs them.
pub fn drop_individuals(
    space: &mut dyn Oracle<'_>,
    pool: &mut Pool<'_, '_>,
    nameless: &[Type],
) -> Limited<()> {
    let atoms = space.atoms();
    // Counterexamples that speak against naming values: what follows from known ones by symmetry, and what was lost by it before.
    let mut further = pool.images(space);
    for mut class in pool.chosen.clone() {
        let domains: Vec<DomainId> =
            pool.candidate(class).constraint.individuals.iter().copied().unique().collect();
        for domain in domains.into_iter().filter(|&domain| !nameless.contains(atoms.type_of(domain))) {
            let Some(narrow) = pool.without_individuals(space, class, domain, &further)? else { continue };
            match space.any(&pool.lost(class, narrow))? {
                Some(lost) => further.push(Example::new(lost)),
                None => {
                    pool.replace(class, narrow);
                    class = narrow;
                }
            }
        }
    }
    Ok(())
}

/// Lets the chosen classes have individuals in the place of values of these types, wherever they suffice and no
/// counterexample is lost.
pub fn free_nameless(space: &mut dyn Oracle<'_>, pool: &mut Pool<'_, '_>, nameless: &[Type]) -> Limited<()> {
    if nameless.is_empty() {
        return Ok(());
    }
    for class in pool.chosen.clone() {
        let Some(general) = pool.with_individuals(space, class, nameless)? else { continue };
        if space.any(&pool.lost(class, general))?.is_none() {
            pool.replace(class, general);
        }
    }
    Ok(())
}

/// A candidate with two positions of a chosen class merged, with which the choice is complete as well.
fn with_a_pair_merged(
    space: &mut dyn Oracle<'_>,
    pool: &mut Pool<'_, '_>,
    class: CandidateId,
) -> Limited<Option<CandidateId>> {
    let candidate = pool.candidate(class);
    let (sample, is_lifted) = (candidate.sample, candidate.constraint.is_lifted());
    for draft in merged(&pool.sample(sample).facts, &candidate.draft) {
        let facts = draft.size();
        let mut candidate = pool.admit_minimised(space, sample, draft)?;
        if is_lifted {
            candidate = pool.general_like(space, candidate, class)?.unwrap_or(candidate);
        }
        if space.any(&pool.lost(class, candidate))?.is_none() {
            // With a fact less it may have counterexamples of other classes, so that these could go.
            pool.minimum &= pool.candidate(candidate).draft.size() == facts;
            return Ok(Some(candidate));
        }
    }
    Ok(None)
}

/// The drafts with two positions merged for which the counterexample has a place. Whatever satisfies one of them
/// satisfies the given one. Where something is absent between positions, these stay.
fn merged(facts: &Facts, draft: &Draft) -> Vec<Draft> {
    if !draft.absent.is_empty() {
        return Vec::new();
    }
    let apart = |p: Position, q: Position| reaches(&draft.order, p, q) || reaches(&draft.order, q, p);
    let pairs = draft.positions.iter().flat_map(|&p| draft.positions.range(p.next()..).map(move |&q| (p, q)));
    let pairs = pairs.filter(|&(p, q)| !apart(p, q));
    let places =
        |pair| Position::up_to(facts.last).rev().find_map(|place| moved_to(facts, draft, pair, place));
    pairs.filter_map(places).collect()
}

/// The draft with two positions moved to one place, if everything that is said of them holds there.
fn moved_to(facts: &Facts, draft: &Draft, (p, q): (Position, Position), place: Position) -> Option<Draft> {
    let mut positions = draft.positions.clone();
    positions.remove(&p);
    positions.remove(&q);
    if !positions.insert(place) {
        return None;
    }
    let moved = |at: Position| if at == p || at == q { place } else { at };
    let mut atoms = BTreeSet::new();
    for &atom in &draft.atoms {
        let fact = facts.placed(atom);
        let at: Vec<Position> = fact.positions.iter().map(|&at| moved(at)).collect();
        let same = facts.placed.iter().position(|f| f.atom == fact.atom && f.positions == at);
        atoms.insert(PlacedId::new(same?));
    }
    let mut order = Vec::new();
    for ordered in &draft.order {
        let (first, second) = (moved(ordered.first), moved(ordered.second));
        if !ordered.order.holds(first, second) {
            return None;
        }
        let fact = Ordered { first, second, ..*ordered };
        if !order.contains(&fact) {
            order.push(fact);
        }
    }
    Some(Draft { atoms: atoms.into_iter().collect(), positions, absent: Vec::new(), order })
}

#[cfg(test)]
mod tests {
    use crate::budget::Budget;
    use crate::classify::{Options, Problem, Verdict, classify};
    use crate::model::load_text;
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

    /// The classes, and whether there cannot be fewer.
    fn classes(text: &str, set: &[(&str, &str)], keep_redundant: bool) -> (Vec<String>, bool) {
        let overrides: Vec<(String, String)> =
            set.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        let loaded = load_text("lights.sts", text, &overrides, &|_| Err(ErrorKind::NotFound.into()));
        let model = loaded.model.expect("a model");
        let options = Options { keep_redundant, ..Options::of(Lengths::UpTo(7)) };
        let budget = Budget::unlimited();
        let result = classify(
            Problem::first(&model).expect("an invariant"),
            &model.vocabularies[0],
            &options,
            &budget,
            &mut (),
        );
        assert_eq!(result.verdict, Verdict::Complete);
        let apart = result.classes.iter().all(|class| class.redundant || class.canonical.is_some());
        assert!(apart, "each class has a counterexample of its own");
        (
            result.classes.iter().map(|class| class.constraint.show(&model, &result.atoms)).collect(),
            result.minimum,
        )
    }

    #[test]
    fn what_holds_at_one_place_is_said_of_one_position() {
        let class = "∃ i, j ∈ [0..len(ρ)] : red@i = true ∧ blue@i = true ∧ over@j = true";
        for keep_redundant in [false, true] {
            assert_eq!(classes(LIGHTS, &[], keep_redundant), (vec![class.to_owned()], true));
        }
    }

    #[test]
    fn what_holds_at_two_places_is_not() {
        let class = "∃ i, j, k ∈ [0..len(ρ)] : red@i = true ∧ blue@j = true ∧ over@k = true";
        assert_eq!(classes(LIGHTS, &[("APART", "true")], false), (vec![class.to_owned()], true));
    }

    /// A model that runs through one of several courses; `seen` says what is seen after so many steps of a course.
    fn courses(count: usize, seen: &[(usize, usize, &str)], bad: &str) -> String {
        let seen = seen.iter().map(|(course, clock, what)| {
            format!("union (if course = {course} and clock = {clock} then {{{what}}} else {{}})")
        });
        format!(
            "model courses;
             type Light = enum {{ K1, K2, K3, K4, K5, K6, A, B, C, D, E, Over }};
             var course : 1..{count};
             var clock : 0..7;
             var seen : set of Light;
             init {{ clock = 0; seen = {{}}; }}
             action tick {{
               require clock < 7;
               clock' = clock + 1;
               seen' = (if clock = 9 then {{Over}} else {{}}) {};
             }}
             invariant harmless: not ({bad});
             vocabulary v = {{ eq(seen) }};",
            seen.collect::<Vec<_>>().join(" ")
        )
    }

    #[test]
    fn pairs_are_merged_one_by_one() {
        // A and B are seen together in both bad courses, C and D in one of them.
        let text = courses(
            6,
            &[
                (1, 0, "A, B"),
                (1, 1, "C, D"),
                (1, 2, "A"),
                (1, 3, "B"),
                (1, 4, "C"),
                (1, 5, "D"),
                (1, 6, "Over"),
                (2, 0, "A, B"),
                (2, 2, "A"),
                (2, 3, "B"),
                (2, 4, "C"),
                (2, 5, "D"),
                (2, 6, "Over"),
                (3, 1, "C, D"),
                (3, 2, "A"),
                (3, 4, "C"),
                (3, 5, "D"),
                (3, 6, "Over"),
                (4, 1, "C, D"),
                (4, 3, "B"),
                (4, 6, "Over"),
                (5, 0, "A, B"),
                (5, 4, "C"),
                (5, 6, "Over"),
                (6, 0, "A, B"),
                (6, 5, "D"),
                (6, 6, "Over"),
            ],
            "course <= 2 and clock >= 7",
        );
        let (classes, minimum) = classes(&text, &[], false);
        assert_eq!(classes.len(), 1, "{classes:?}");
        assert!(
            classes[0].starts_with("∃ i, j, k, l ∈") || classes[0].starts_with("∃ i1, i2, i3, i4 ∈"),
            "{classes:?}"
        );
        assert!(minimum);
    }

    #[test]
    fn what_merging_makes_redundant_goes() {
        // Six classes of their own keep the last two from being joined. Merged, the seventh has the eighth as a part.
        let mut seen = vec![
            (7, 0, "A, B, C"),
            (7, 1, "C"),
            (7, 2, "A, B"),
            (7, 4, "Over"),
            (8, 0, "A, C"),
            (8, 1, "D"),
            (8, 5, "Over"),
            (9, 0, "A, B"),
            (9, 4, "Over"),
            (10, 0, "A"),
            (10, 1, "C"),
            (10, 4, "Over"),
            (11, 0, "B, C"),
            (11, 4, "Over"),
            (12, 0, "A"),
            (12, 1, "B"),
            (12, 2, "C"),
            (12, 4, "Over"),
        ];
        let own = ["K1", "K2", "K3", "K4", "K5", "K6"];
        seen.extend(own.iter().enumerate().map(|(index, what)| (index + 1, 0, *what)));
        let bad = "course <= 6 and clock >= 1 or course = 7 and clock >= 5 or course = 8 and clock >= 6";
        let (classes, minimum) = classes(&courses(12, &seen, bad), &[], false);
        assert_eq!(classes.len(), 7, "{classes:?}");
        assert!(!minimum, "that is not shown");
    }
}
