//! What each strategy chooses where actions should be inevitable, on random systems, against all ways that there are.

use crate::lts_common;

use cladist::budget::Budget;
use cladist::lts::inevitable::{InevitabilityAnalysis, NeighbourhoodEntry};
use cladist::lts::safety::Keep;
use cladist::lts::strategy::{Counterexample, Inevitable, Strategy as Which, of_inevitable};
use cladist::lts::{LabelSequence, Lts, StateId};
use lts_common::pairs::{Pair, Triples, after, pairs};
use lts_common::{build, triples};
use proptest::prelude::*;
use std::cmp::Reverse;

/// Whether a trace that has come to a pair can be over, or can come back to its state again and again, so that the
/// sequence is never complete.
fn is_end(triples: &Triples, sequence: &[char], pair: Pair) -> bool {
    let round = |again: Pair| {
        let next = after(triples, sequence, again);
        next.into_iter().any(|pair| pairs(triples, sequence, pair).contains(&again))
    };
    let unfinished = |&(state, matched): &Pair| state == pair.0 && matched < sequence.len();
    !triples.iter().any(|t| t.0 == pair.0)
        || pairs(triples, sequence, pair).into_iter().filter(unfinished).any(round)
}

/// All ways to the end of a counterexample that come to no pair twice; `None` if there are too many.
fn ways(triples: &Triples, sequence: &[char], initial: u32) -> Option<Vec<Vec<Pair>>> {
    let (mut open, mut found) = (vec![vec![(initial, 0)]], Vec::new());
    while let Some(way) = open.pop() {
        let last = way[way.len() - 1];
        for next in after(triples, sequence, last) {
            if next.1 < sequence.len() && !way.contains(&next) {
                open.push(way.iter().copied().chain([next]).collect());
            }
        }
        if is_end(triples, sequence, last) {
            found.push(way);
        }
        if open.len() + found.len() > 2000 {
            return None;
        }
    }
    Some(found)
}

/// What is compared of a way: its length, its faulty states, and its probability.
#[derive(Debug, Clone, Copy)]
struct Way {
    length: usize,
    faulty: usize,
    probability: f64,
}

/// The way of the states that it leaves.
fn way(left: &[u32], triples: &Triples, analysis: &InevitabilityAnalysis<'_>) -> Way {
    let choices = |state: u32| triples.iter().filter(|t| t.0 == state).count() as f64;
    Way {
        length: left.len(),
        faulty: left.iter().filter(|&&state| analysis.is_faulty(lts_common::state(state))).count(),
        probability: left.iter().map(|&state| 1.0 / choices(state)).product(),
    }
}

fn steps(actions: &[char], lts: &Lts) -> LabelSequence {
    let text: Vec<String> = actions.iter().map(char::to_string).collect();
    lts_common::actions(&text.join(","), lts)
}

/// The beginning of a counterexample: without its loop.
fn beginning(run: &Counterexample) -> Vec<u32> {
    run.states[..run.loop_from.unwrap_or(run.labels.len())].iter().map(|state| state.to_u32()).collect()
}

fn check(initial: u32, list: &[(u32, char, u32)], actions: &[char]) -> Result<(), TestCaseError> {
    let (lts, triples) = (build(initial, list), list.iter().copied().collect::<Triples>());
    let (steps, unlimited) = (steps(actions, &lts), Budget::unlimited());
    let analysis = InevitabilityAnalysis::new(&lts, &steps, &unlimited).expect("no limit");
    let violations =
        Inevitable::new(&analysis, NeighbourhoodEntry::ByNeutralOnly, Keep::Neighbourhoods, &unlimited)
            .expect("no limit");
    let Some(ways) = ways(&triples, actions, initial) else { return Ok(()) };
    prop_assert_eq!(ways.is_empty(), analysis.holds());
    if ways.is_empty() {
        return Ok(());
    }
    let all: Vec<Way> = ways
        .iter()
        .map(|found| {
            let left: Vec<u32> = found[..found.len() - 1].iter().map(|pair| pair.0).collect();
            way(&left, &triples, &analysis)
        })
        .collect();
    let one = |strategy| {
        let run = of_inevitable(&violations, strategy, &LabelSequence::none(), &unlimited).expect("no limit");
        let run = run.expect("violated").expect("one without conditions");
        (way(&beginning(&run), &triples, &analysis), run)
    };
    let near = |found: f64, exact: f64| (found / exact - 1.0).abs() < 1e-5;

    let (most, run) = one(Which::MostProbable);
    prop_assert!(near(run.probability, most.probability));
    prop_assert!(near(most.probability, all.iter().map(|w| w.probability).fold(0.0, f64::max)));
    let (least, run) = one(Which::LeastProbable);
    prop_assert!(
        run.certain && near(least.probability, all.iter().map(|w| w.probability).fold(1.0, f64::min))
    );

    let (longest, run) = one(Which::Longest);
    prop_assert!(run.certain);
    prop_assert_eq!(Some(longest.length), all.iter().map(|w| w.length).max());
    let (most, run) = one(Which::MostFaulty);
    prop_assert!(run.certain);
    let rank = |w: &Way| (Reverse(w.faulty), w.length);
    prop_assert_eq!(Some(rank(&most)), all.iter().map(rank).min());
    prop_assert_eq!(Some(one(Which::FewestFaulty).0.faulty), all.iter().map(|w| w.faulty).min());
    let rank = |w: &Way| (w.faulty, w.length);
    prop_assert_eq!(Some(rank(&one(Which::ShortestFewestFaulty).0)), all.iter().map(rank).min());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn strategies_choose_what_they_say(
        (initial, triples) in triples(5),
        actions in prop::collection::vec(prop::sample::select(vec!['A', 'B', 'C']), 1..=3),
    ) {
        check(initial, &triples, &actions)?;
    }
}

/// Where only B, B, … is done, B comes and A never: that is a counterexample of B, A from its beginning.
#[test]
fn a_turn_may_bring_actions_forward() {
    let list = [(0, 'A', 5), (0, 'B', 0), (1, 'B', 1), (3, 'A', 3), (3, 'C', 5), (4, 'C', 2), (5, 'C', 1)];
    let lts = build(0, &list);
    let (steps, unlimited) = (steps(&['B', 'A', 'B'], &lts), Budget::unlimited());
    let analysis = InevitabilityAnalysis::new(&lts, &steps, &unlimited).expect("no limit");
    let violations =
        Inevitable::new(&analysis, NeighbourhoodEntry::ByNeutralOnly, Keep::Neighbourhoods, &unlimited)
            .expect("no limit");
    let run = of_inevitable(&violations, Which::MostProbable, &LabelSequence::none(), &unlimited)
        .expect("no limit");
    let run = run.expect("violated").expect("one without conditions");
    assert_eq!((run.states, run.loop_from, run.probability), (vec![StateId::FIRST; 2], Some(0), 1.0));
}
