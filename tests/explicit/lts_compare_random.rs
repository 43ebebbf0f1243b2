//! Equivalences of two random systems against their definitions, and what tells them apart on both systems.

use crate::lts_common::build;
use crate::random::{Random, cases};
use cladist::budget::Budget;
use cladist::lts::compare::{Compared, Equivalence, Reason, compare};
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
            let there = first.iter().filter(|e| e.0 == s).all(|a| {
                second.iter().any(|b| b.0 == t && a.1 == b.1 && pairs.contains(&(a.2, b.2)))
            });
            let back = second.iter().filter(|e| e.0 == t).all(|b| {
                first.iter().any(|a| a.0 == s && a.1 == b.1 && pairs.contains(&(a.2, b.2)))
            });
            there && back
        };
        let kept: BTreeSet<_> = pairs.iter().copied().filter(fits).collect();
        if kept == pairs {
            return kept.contains(&(0, 0));
        }
        pairs = kept;
    }
}

/// The least number of nested modalities that tell states apart: how often pairs are removed before the initial one is.
fn depth([first, second]: &[Edges; 2]) -> usize {
    let both: Edges =
        first.iter().copied().chain(second.iter().map(|&(s, l, t)| (s + STATES + 1, l, t + STATES + 1))).collect();
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
            Compared::Equivalent => {
                assert!(bisimilar(&systems), "{seed}: {systems:?}");
                same += 1;
            }
            Compared::Different(Reason::Formula(formula)) => {
                assert!(!bisimilar(&systems), "{seed}: {systems:?}");
                let holds = distinguishes(&formula.text, both, &Budget::unlimited()).expect("no limit");
                assert!(holds, "{seed}: {} on {systems:?}", formula.text);
                let back = distinguishes(&formula.text, [&second, &first], &Budget::unlimited());
                assert!(!back.expect("no limit"), "{seed}: {}", formula.text);
                assert_eq!(formula.depth, depth(&systems), "{seed}: {} on {systems:?}", formula.text);
                deepest = deepest.max(formula.depth);
            }
            Compared::Different(other) => panic!("{seed}: {other:?} on {systems:?}"),
        }
    }
    assert!(same > 300 && deepest >= 4, "{same} are equivalent; the deepest formula has {deepest}");
}
