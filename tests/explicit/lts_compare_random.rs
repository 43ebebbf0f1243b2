//! Equivalences of two random systems against their definitions, and what tells them apart on both systems.

use crate::lts_branching_random::related;
use crate::lts_common::build;
use crate::lts_weak_random::related as weakly_related;
use crate::random::{Random, cases};
use cladist::budget::Budget;
use cladist::lts::compare::{ComparisonResult, Equivalence, Inequivalence, compare};
use cladist::lts::{Lts, LtsBuilder, StateId, quotient, strong_quotient};
use cladist::mucalc::distinguishes;
use std::collections::BTreeSet;

/// Transitions; `i` is invisible.
type Edges = Vec<(u32, char, u32)>;

/// The number of states of each system.
const STATES: u32 = 5;

fn edges(random: &mut Random) -> Edges {
    let state = |random: &mut Random| random.below(STATES as usize) as u32;
    let label = |random: &mut Random| *random.pick(&['i', 'A', 'A', 'B']);
    (0..random.below(12)).map(|_| (state(random), label(random), state(random))).collect()
}

/// Two systems, of which the second is often a small change of the first; its states are renumbered.
fn pair(random: &mut Random) -> [Edges; 2] {
    let first = edges(random);
    let mut second = match random.below(5) {
        0 => edges(random),
        _ => first.clone(),
    };
    if !second.is_empty() && random.below(2) == 0 {
        let at = random.below(second.len());
        match random.below(3) {
            0 => drop(second.remove(at)),
            1 => second[at].2 = random.below(STATES as usize) as u32,
            _ => second[at].1 = *random.pick(&['i', 'A', 'B']),
        }
    }
    // 0 stays the initial state; a copy of one state makes the systems different in size.
    let renumbered = |state: u32| if state == 0 { 0 } else { STATES - state };
    let mut second: Edges = second.into_iter().map(|(s, l, t)| (renumbered(s), l, renumbered(t))).collect();
    let copied = random.below(STATES as usize) as u32;
    for at in 0..second.len() {
        let (from, label, to) = second[at];
        if from == copied {
            second.push((STATES, label, to));
        }
        if to == copied && random.below(2) == 0 {
            second[at].2 = STATES;
        }
    }
    [first, second]
}

/// The greatest strong bisimulation between two systems by its definition: from all pairs, those are removed of which one state has
/// a step that the other has not.
fn bisimilar([first, second]: &[Edges; 2]) -> bool {
    let mut pairs: BTreeSet<(u32, u32)> =
        (0..=STATES).flat_map(|s| (0..=STATES).map(move |t| (s, t))).collect();
    loop {
        let fits = |&(s, t): &(u32, u32)| {
            let there = first
                .iter()
                .filter(|e| e.0 == s)
                .all(|a| second.iter().any(|b| b.0 == t && a.1 == b.1 && pairs.contains(&(a.2, b.2))));
            let back = second
                .iter()
                .filter(|e| e.0 == t)
                .all(|b| first.iter().any(|a| a.0 == s && a.1 == b.1 && pairs.contains(&(a.2, b.2))));
            there && back
        };
        let kept: BTreeSet<_> = pairs.iter().copied().filter(fits).collect();
        if kept == pairs {
            return kept.contains(&(0, 0));
        }
        pairs = kept;
    }
}

/// Both systems as one; the states of the second come after those of the first.
fn union(first: &Edges, second: &Edges) -> Edges {
    let moved = second.iter().map(|&(s, l, t)| (s + STATES + 1, l, t + STATES + 1));
    first.iter().copied().chain(moved).collect()
}

/// The least number of nested modalities that tell states apart: how often pairs are removed before the initial one is.
fn depth([first, second]: &[Edges; 2]) -> usize {
    let both = union(first, second);
    let all = 2 * (STATES + 1);
    let mut class = vec![0usize; all as usize];
    for round in 1.. {
        let can: Vec<BTreeSet<(char, usize)>> = (0..all)
            .map(|s| both.iter().filter(|e| e.0 == s).map(|e| (e.1, class[e.2 as usize])).collect())
            .collect();
        class = can.iter().map(|of| can.iter().position(|other| other == of).expect("itself")).collect();
        if class[0] != class[STATES as usize + 1] {
            return round;
        }
    }
    unreachable!("they are apart at some time")
}

#[test]
fn strong_bisimilarity_is_that_of_the_definition_and_formulas_tell_apart() {
    let (mut same, mut deepest) = (0, 0);
    for seed in 0..cases(4000) {
        let mut random = Random::new(seed);
        let systems = pair(&mut random);
        let [first, second] = [build(0, &systems[0]), build(0, &systems[1])];
        let both = [&first, &second];
        let found = compare(both, Equivalence::Strong, &Budget::unlimited()).expect("no limit");
        match found {
            ComparisonResult::Equivalent => {
                assert!(bisimilar(&systems), "{seed}: {systems:?}");
                same += 1;
            }
            ComparisonResult::Different(Inequivalence::Formula(formula)) => {
                assert!(!bisimilar(&systems), "{seed}: {systems:?}");
                let holds = distinguishes(&formula.text, both, &Budget::unlimited()).expect("no limit");
                assert!(holds, "{seed}: {} on {systems:?}", formula.text);
                let back = distinguishes(&formula.text, [&second, &first], &Budget::unlimited());
                assert!(!back.expect("no limit"), "{seed}: {}", formula.text);
                assert_eq!(formula.depth, depth(&systems), "{seed}: {} on {systems:?}", formula.text);
                deepest = deepest.max(formula.depth);
            }
            ComparisonResult::Different(other) => panic!("{seed}: {other:?} on {systems:?}"),
        }
    }
    assert!(same > 300 && deepest >= 4, "{same} are equivalent; the deepest formula has {deepest}");
}

/// Compares random systems by an equivalence as `related` defines it on the edges of both together: all states of which the pairs are
/// equivalent, out of so many. Formulas have to hold in the first system alone. The result are the number of equivalent ones, and of
/// the formulas in which one of `words` is.
fn compare_by_definition(
    equivalence: Equivalence,
    related: impl Fn(u32, &Edges) -> BTreeSet<(u32, u32)>,
    words: [&str; 2],
) -> (usize, usize) {
    let (mut same, mut with_word) = (0, 0);
    for seed in 0..cases(2000) {
        let mut random = Random::new(seed);
        let systems = pair(&mut random);
        let [first, second] = [build(0, &systems[0]), build(0, &systems[1])];
        let both = [&first, &second];
        let pairs = related(2 * (STATES + 1), &union(&systems[0], &systems[1]));
        let equivalent = pairs.contains(&(0, STATES + 1));
        match compare(both, equivalence, &Budget::unlimited()).expect("no limit") {
            ComparisonResult::Equivalent => {
                assert!(equivalent, "{seed}: {systems:?}");
                same += 1;
            }
            ComparisonResult::Different(Inequivalence::Formula(formula)) => {
                assert!(!equivalent, "{seed}: {systems:?}");
                let holds = distinguishes(&formula.text, both, &Budget::unlimited()).expect("no limit");
                assert!(holds, "{seed}: {} on {systems:?}", formula.text);
                with_word += usize::from(words.iter().any(|word| formula.text.contains(word)));
            }
            ComparisonResult::Different(other) => panic!("{seed}: {other:?} on {systems:?}"),
        }
    }
    (same, with_word)
}

#[test]
fn branching_bisimilarity_is_that_of_the_definition_and_formulas_tell_apart() {
    let (same, until) = compare_by_definition(Equivalence::Branching, related, ["mu X", "nu X"]);
    assert!(same > 50 && until > 20, "{same} are equivalent; {until} formulas have fixpoints");
}

#[test]
fn weak_bisimilarity_is_that_of_the_definition_and_formulas_tell_apart() {
    let (same, silent) = compare_by_definition(Equivalence::Weak, weakly_related, ["<tau*>", "[tau*]"]);
    assert!(same > 50 && silent > 5, "{same} are equivalent; {silent} formulas have silent steps alone");
}

/// The traces of a system of up to so many labels.
fn words(edges: &Edges, length: usize) -> BTreeSet<String> {
    let closed = |mut states: BTreeSet<u32>| loop {
        let more = edges.iter().filter(|e| e.1 == 'i' && states.contains(&e.0)).map(|e| e.2);
        let all: BTreeSet<u32> = states.iter().copied().chain(more).collect();
        if all == states {
            return states;
        }
        states = all;
    };
    let mut level = vec![(String::new(), closed(BTreeSet::from([0])))];
    let mut found = BTreeSet::from([String::new()]);
    for _ in 0..length {
        let mut next = Vec::new();
        for (word, states) in &level {
            for label in ['A', 'B'] {
                let after = edges.iter().filter(|e| e.1 == label && states.contains(&e.0)).map(|e| e.2);
                let after = closed(after.collect());
                if !after.is_empty() {
                    next.push((format!("{word}{label}"), after));
                }
            }
        }
        found.extend(next.iter().map(|(word, _)| word.clone()));
        level = next;
    }
    found
}

#[test]
fn traces_are_compared_as_by_enumeration() {
    const LONGEST: usize = 7;
    let (mut same, mut longest) = (0, 0);
    for seed in 0..cases(700) {
        let mut random = Random::new(seed);
        let systems = pair(&mut random);
        let [first, second] = [build(0, &systems[0]), build(0, &systems[1])];
        let [ones, others] = [words(&systems[0], LONGEST), words(&systems[1], LONGEST)];
        let shortest = ones.symmetric_difference(&others).map(String::len).min();
        match compare([&first, &second], Equivalence::Trace, &Budget::unlimited()).expect("no limit") {
            ComparisonResult::Equivalent => {
                assert_eq!(shortest, None, "{seed}: {systems:?}");
                same += 1;
            }
            ComparisonResult::Different(Inequivalence::Trace(trace)) => {
                let word: String = trace.steps.iter().map(|&step| trace.labels.text(step)).collect();
                let is_of = |lts| trace.is_of(lts, &Budget::unlimited()).expect("no limit");
                assert_eq!(
                    (is_of(&first), is_of(&second)),
                    (trace.of_first, !trace.of_first),
                    "{seed}: {word}"
                );
                longest = longest.max(word.len());
                if word.len() <= LONGEST {
                    assert_eq!(Some(word.len()), shortest, "{seed}: {word} on {systems:?}");
                    let found = (ones.contains(&word), others.contains(&word));
                    assert_eq!(found, (trace.of_first, !trace.of_first), "{seed}: {word} on {systems:?}");
                } else {
                    assert_eq!(shortest, None, "{seed}: {word} on {systems:?}");
                }
            }
            ComparisonResult::Different(other) => panic!("{seed}: {other:?} on {systems:?}"),
        }
    }
    assert!(same > 50 && longest >= 4, "{same} have the same traces; the longest difference has {longest}");
}

#[test]
fn the_internal_action_is_one_in_whatever_spelling() {
    let mut mixed = 0;
    for seed in 0..cases(500) {
        let mut random = Random::new(seed);
        let edges = edges(&mut random);
        let plain = build(0, &edges);
        let mut builder = LtsBuilder::new();
        for &(from, label, to) in &edges {
            let name = match label {
                'i' if random.percent(50) => "tau".to_owned(),
                label => label.to_string(),
            };
            let label = builder.labels.intern(name.as_bytes());
            builder.add(StateId::from_u32(from), label, StateId::from_u32(to));
        }
        let spelt = builder.finish(StateId::FIRST, STATES);
        let budget = Budget::unlimited();
        let small = strong_quotient(&spelt, &budget).expect("no limit").lts;
        let expected = quotient(&plain, &budget).expect("no limit").lts;
        let sizes = |lts: &Lts| (lts.states(), lts.transitions());
        assert_eq!(sizes(&small), sizes(&expected), "{seed}: {edges:?}");
        for other in [&small, &plain] {
            let same = compare([&spelt, other], Equivalence::Strong, &budget).expect("no limit");
            assert!(matches!(same, ComparisonResult::Equivalent), "{seed}: {edges:?}");
        }
        let spellings = [b"i".as_slice(), b"tau"].map(|name| spelt.labels().find(name).is_some());
        mixed += u32::from(spellings == [true; 2]);
    }
    assert!(mixed > 50, "{mixed}");
}
