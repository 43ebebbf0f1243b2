//! Affixes, typed transitions, neighbourhoods and shortest counterexamples for sequences of actions on random systems,
//! nondeterministic ones included, against their definitions.

use crate::lts_common;

use cladist::budget::Budget;
use cladist::lts::inevitable::{Analysis, Counts, Entered};
use cladist::lts::safety::{Keep, Tag};
use cladist::lts::strategy::{
    Counterexample, Inevitable, Strategy as Which, of_inevitable, shortest_of_inevitable,
};
use cladist::lts::{Lts, StateId, Steps, Transition};
use lts_common::pairs::{Triples, grow, pairs};
use lts_common::{build, state, triples};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn steps(actions: &[char], lts: &Lts) -> Steps {
    let text: Vec<String> = actions.iter().map(char::to_string).collect();
    lts_common::actions(&text.join(","), lts)
}

/// Whether some maximal trace from a pair never completes the sequence: a greatest fixpoint.
fn avoiding(triples: &Triples, sequence: &[char], states: u32) -> BTreeSet<(u32, usize)> {
    let mut left: BTreeSet<(u32, usize)> =
        (0..states).flat_map(|s| (0..sequence.len()).map(move |m| (s, m))).collect();
    loop {
        let stays = |&(state, matched): &(u32, usize)| {
            let mut out = triples.iter().filter(|t| t.0 == state).peekable();
            out.peek().is_none() || out.any(|&(_, l, to)| left.contains(&(to, grow(sequence, matched, l))))
        };
        let next: BTreeSet<(u32, usize)> = left.iter().copied().filter(stays).collect();
        if next == left {
            return left;
        }
        left = next;
    }
}

/// Whether a run never has all actions: a loop is gone round often enough.
fn violates(actions: &[char], word: &[char], loop_from: Option<usize>) -> bool {
    let mut matched = word.iter().fold(0, |m, &l| grow(actions, m, l));
    if let Some(start) = loop_from {
        for _ in 0..=actions.len() {
            matched = word[start..].iter().fold(matched, |m, &l| grow(actions, m, l));
        }
    }
    matched < actions.len()
}

/// The states of the shortest runs that violate, of all without repetition and all lassos.
fn shortest_runs(triples: &Triples, actions: &[char], initial: u32) -> Vec<Vec<u32>> {
    let mut best: Vec<Vec<u32>> = Vec::new();
    let mut violating = |states: Vec<u32>| {
        let length = best.first().map_or(usize::MAX, Vec::len);
        if states.len() < length {
            best.clear();
        }
        if states.len() <= length {
            best.push(states);
        }
    };
    let mut open = vec![(vec![initial], Vec::new())];
    while let Some((states, word)) = open.pop() {
        let last = states[states.len() - 1];
        let mut stuck = true;
        for &(_, label, to) in triples.iter().filter(|t| t.0 == last) {
            stuck = false;
            let mut longer = word.clone();
            longer.push(label);
            let all: Vec<u32> = states.iter().copied().chain([to]).collect();
            match states.iter().position(|&s| s == to) {
                Some(start) if violates(actions, &longer, Some(start)) => violating(all),
                Some(_) => {}
                None => open.push((all, longer)),
            }
        }
        if stuck && violates(actions, &word, None) {
            violating(states);
        }
    }
    best
}

/// A run of the system that never has all actions.
fn check_run(run: &Counterexample, lts: &Lts, triples: &Triples, actions: &[char], initial: u32) {
    let word: Vec<char> =
        run.labels.iter().map(|&l| lts.labels().text(l).chars().next().expect("one")).collect();
    let states: Vec<u32> = run.states.iter().map(|state| state.to_u32()).collect();
    assert_eq!(states[0], initial);
    for (at, &label) in word.iter().enumerate() {
        assert!(triples.contains(&(states[at], label, states[at + 1])));
    }
    let last = states[word.len()];
    match run.loop_from {
        Some(start) => {
            assert!(start < word.len());
            assert_eq!(states[start], last);
        }
        None => assert!(!triples.iter().any(|t| t.0 == last), "a run that could go on"),
    }
    assert!(violates(actions, &word, run.loop_from), "{word:?} {:?}", run.loop_from);
}

fn check(initial: u32, list: &[(u32, char, u32)], actions: &[char]) -> Result<(), TestCaseError> {
    let (lts, triples) = (build(initial, list), list.iter().copied().collect::<Triples>());
    let (steps, unlimited) = (steps(actions, &lts), Budget::unlimited());
    let analysis = Analysis::new(&lts, &steps, &unlimited).expect("no limit");
    let n = actions.len();
    let states = lts.states() as u32;
    let from_start = pairs(&triples, actions, (initial, 0));
    let avoid = avoiding(&triples, actions, states);

    prop_assert_eq!(analysis.holds(), !avoid.contains(&(initial, 0)));
    let reached: BTreeSet<u32> = from_start.iter().map(|&(state, _)| state).collect();
    prop_assert_eq!(analysis.reached().map(StateId::to_u32).collect::<BTreeSet<u32>>(), reached.clone());
    for &state in &reached {
        let at = state as usize;
        let prefixes = || from_start.iter().filter(|p| p.0 == state).map(|p| p.1);
        let found = &analysis.affixes;
        prop_assert_eq!(Some(usize::from(found.max_prefix[at])), prefixes().max());
        prop_assert_eq!(Some(usize::from(found.common_prefix[at])), prefixes().min());
        // The longest suffix that some trace matches, and the longest that none avoids.
        let some = |j: &usize| pairs(&triples, &actions[n - j..], (state, 0)).iter().any(|&(_, m)| m == *j);
        let every = |j: &usize| !avoiding(&triples, &actions[n - j..], states).contains(&(state, 0));
        prop_assert_eq!(Some(usize::from(found.max_suffix[at])), (0..=n).rev().find(some));
        prop_assert_eq!(Some(usize::from(found.common_suffix[at])), (0..=n).rev().find(every));
    }

    let completing = |pair: (u32, usize)| pairs(&triples, actions, pair).iter().any(|&(_, m)| m == n);
    let tag_after = |after: &[(u32, usize)]| {
        if !after.iter().any(|pair| avoid.contains(pair)) {
            Tag::Correct
        } else if !after.iter().any(|&pair| completing(pair)) {
            Tag::Incorrect
        } else {
            Tag::Neutral
        }
    };
    let tag = |&(from, label, to): &(u32, char, u32)| {
        let before = from_start.iter().filter(|p| p.0 == from);
        tag_after(&before.map(|&(_, m)| (to, grow(actions, m, label))).collect::<Vec<_>>())
    };
    let live: Vec<((u32, char, u32), Tag)> =
        triples.iter().filter(|t| reached.contains(&t.0)).map(|t| (*t, tag(t))).collect();
    let mut expected = Counts::default();
    for &((from, label, to), tag) in &live {
        let number = lts.labels().find(label.to_string().as_bytes()).expect("a label");
        prop_assert_eq!(
            analysis.tag(Transition { from: state(from), label: number, to: state(to) }),
            tag,
            "{} {} {}",
            from,
            label,
            to
        );
        match tag {
            Tag::Correct => expected.correct += 1,
            Tag::Incorrect => expected.incorrect += 1,
            Tag::Neutral => expected.neutral += 1,
        }
    }
    for entered in [Entered::ByNeutralOnly, Entered::ByNeutral] {
        let mut counts = expected.clone();
        for &state in &reached {
            let mut incoming: Vec<Tag> =
                live.iter().filter(|(t, _)| t.2 == state).map(|(_, tag)| *tag).collect();
            if state == initial {
                incoming.push(tag_after(&[(initial, 0)]));
            }
            let out: BTreeSet<Tag> = live.iter().filter(|(t, _)| t.0 == state).map(|(_, tag)| *tag).collect();
            let neutral = incoming.iter().filter(|&&t| t == Tag::Neutral).count();
            let right = match entered {
                Entered::ByNeutralOnly => neutral == incoming.len(),
                Entered::ByNeutral => neutral > 0,
            };
            let has = |tag| out.contains(&tag);
            let kind = match (has(Tag::Correct), has(Tag::Incorrect)) {
                (true, false) => Some(0),
                (false, true) => Some(1),
                (true, true) => Some(2 + usize::from(has(Tag::Neutral))),
                (false, false) => None,
            }
            .filter(|_| right);
            prop_assert_eq!(analysis.neighbourhood(StateId::from_u32(state), entered), kind, "{}", state);
            if let Some(kind) = kind {
                counts.neighbourhoods += 1;
                counts.neighbourhood_kinds[kind] += 1;
            }
        }
        prop_assert_eq!(&Counts::new(&analysis, entered, &Budget::unlimited()).expect("no limit"), &counts);
    }

    for keep in [Keep::Neighbourhoods, Keep::FaultyStates] {
        let violations = Inevitable::new(&analysis, Entered::ByNeutralOnly, keep, &unlimited);
        let violations = violations.expect("no limit");
        let found =
            shortest_of_inevitable(&analysis, Entered::ByNeutralOnly, keep, &unlimited).expect("no limit");
        let shortest = shortest_runs(&triples, actions, initial);
        prop_assert_eq!(found.as_ref().map(|run| run.labels.len() + 1), shortest.first().map(Vec::len));
        if let Some(run) = &found {
            check_run(run, &lts, &triples, actions, initial);
            let decides = |&number: &u32| match keep {
                Keep::Neighbourhoods => {
                    analysis.neighbourhood(state(number), Entered::ByNeutralOnly).is_some()
                }
                Keep::FaultyStates => analysis.is_faulty(state(number)),
            };
            // Where the abstraction of any of them keeps an action, so does that of the one that is found.
            let keeps = shortest.iter().any(|states| states.len() > 1 && states.iter().any(decides));
            prop_assert_eq!(!run.kept.is_empty(), keeps);
        }
        for strategy in [
            Which::Readable,
            Which::Random { seed: 3 },
            Which::Longest,
            Which::FaultyFirst,
            Which::FewestFaulty,
            Which::MostFaulty,
            Which::MostProbable,
            Which::LeastProbable,
            Which::ClosestFewestFaulty,
        ] {
            let chosen = of_inevitable(&violations, strategy, &Steps::none(), &unlimited).expect("no limit");
            prop_assert_eq!(chosen.is_none(), analysis.holds());
            if let Some(Ok(run)) = chosen {
                check_run(&run, &lts, &triples, actions, initial);
            }
        }
        let pattern = self::steps(&['C', 'A'], &lts);
        if let Some(Ok(run)) =
            of_inevitable(&violations, Which::Shortest, &pattern, &unlimited).expect("no limit")
        {
            check_run(&run, &lts, &triples, actions, initial);
            let stem = &run.labels[..run.loop_from.unwrap_or(run.labels.len())];
            prop_assert_eq!(stem.iter().fold(0, |matched, &l| pattern.forward(l, matched)), 2);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn everything_is_as_defined(
        (initial, triples) in triples(6),
        actions in prop::collection::vec(prop::sample::select(vec!['A', 'B', 'C']), 1..=4),
    ) {
        check(initial, &triples, &actions)?;
    }
}
