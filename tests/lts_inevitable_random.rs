//! Inevitability of random systems against its definitions: over pairs of a state and the actions that it has
//! behind it, by naive fixpoints.

mod lts_common;

use cladist::budget::Budget;
use cladist::lts::inevitable::{Incoming, Inevitable, Shape, shortest_counterexample};
use cladist::lts::safety::Tag;
use lts_common::{build, triples};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Reachable pairs, pairs from which every run completes the sequence, and pairs from which some run does.
struct Brute<'a> {
    edges: BTreeSet<(u32, char, u32)>,
    sequence: &'a [char],
    states: usize,
}

impl Brute<'_> {
    fn step(&self, done: usize, label: char) -> usize {
        done + usize::from(self.sequence.get(done) == Some(&label))
    }

    fn out(&self, state: usize) -> impl Iterator<Item = (char, usize)> {
        self.edges.iter().filter(move |e| e.0 as usize == state).map(|e| (e.1, e.2 as usize))
    }

    fn fixpoint(
        &self,
        start: &[(usize, usize)],
        grow: impl Fn(&[Vec<bool>], usize, usize) -> bool,
    ) -> Vec<Vec<bool>> {
        let mut set = vec![vec![false; self.sequence.len() + 1]; self.states];
        start.iter().for_each(|&(s, d)| set[s][d] = true);
        loop {
            let before = set.clone();
            for s in 0..self.states {
                for d in 0..=self.sequence.len() {
                    let there = set[s][d] || grow(&set, s, d);
                    set[s][d] = there;
                }
            }
            if set == before {
                return set;
            }
        }
    }
}

fn check(initial: u32, triples: &[(u32, char, u32)], sequence: &[char]) -> Result<(), TestCaseError> {
    let lts = build(initial, triples);
    let n = sequence.len();
    let brute = Brute { edges: triples.iter().copied().collect(), sequence, states: lts.states() };
    let numbers: Vec<u32> = sequence.iter().map(|c| *c as u32 - 'A' as u32).collect();
    let reached = brute.fixpoint(&[(initial as usize, 0)], |set, s, d| {
        brute.edges.iter().any(|&(from, label, to)| {
            to as usize == s && (0..=n).any(|e| set[from as usize][e] && brute.step(e, label) == d)
        })
    });
    let complete: Vec<(usize, usize)> = (0..lts.states()).map(|s| (s, n)).collect();
    let always = brute.fixpoint(&complete, |set, s, d| {
        brute.out(s).count() > 0 && brute.out(s).all(|(label, to)| set[to][brute.step(d, label)])
    });
    let ever =
        brute.fixpoint(&complete, |set, s, d| brute.out(s).any(|(label, to)| set[to][brute.step(d, label)]));

    for incoming in [Incoming::AllNeutral, Incoming::SomeNeutral] {
        let inevitable = Inevitable::new(&lts, &numbers, incoming);
        prop_assert_eq!(inevitable.holds(), always[initial as usize][0]);
        let tag = |from: u32, label: char, to: u32| {
            let mut after = (0..=n).filter(|&d| reached[from as usize][d]).map(|d| brute.step(d, label));
            if after.clone().all(|d| always[to as usize][d]) {
                Tag::Correct
            } else if !after.any(|d| ever[to as usize][d]) {
                Tag::Incorrect
            } else {
                Tag::Neutral
            }
        };
        let mut neighbourhoods = [0; 4];
        let mut tags = [0; 3];
        for s in 0..lts.states() {
            let suffix = |set: &Vec<Vec<bool>>| (0..=n).rev().find(|j| set[s][n - j]).unwrap_or(0) as u32;
            prop_assert_eq!(inevitable.affixes.common_suffix[s], suffix(&always));
            prop_assert_eq!(inevitable.affixes.max_suffix[s], suffix(&ever));
            let mut behind = (0..=n).filter(|&d| reached[s][d]);
            let Some(least) = behind.next() else { continue };
            prop_assert_eq!(inevitable.affixes.common_prefix[s], least as u32);
            prop_assert_eq!(inevitable.affixes.max_prefix[s], behind.next_back().unwrap_or(least) as u32);
            let mut own = [0; 3];
            for &(from, label, to) in brute.edges.iter().filter(|e| e.0 as usize == s) {
                prop_assert_eq!(inevitable.tag(from, label as u32 - 'A' as u32, to), tag(from, label, to));
                own[tag(from, label, to) as usize] += 1;
            }
            (0..3).for_each(|t| tags[t] += own[t]);
            let into = brute
                .edges
                .iter()
                .filter(|e| e.2 as usize == s && reached[e.0 as usize].contains(&true))
                .map(|&(from, label, to)| tag(from, label, to) == Tag::Neutral);
            let start = !always[initial as usize][0] && ever[initial as usize][0];
            let into: Vec<bool> = into.chain((s == initial as usize).then_some(start)).collect();
            let decides = match incoming {
                Incoming::AllNeutral => into.iter().all(|&neutral| neutral),
                Incoming::SomeNeutral => into.iter().any(|&neutral| neutral),
            };
            let kind = match own.map(|count| count > 0) {
                [true, false, _] => 0,
                [false, true, _] => 1,
                [true, true, false] => 2,
                [true, true, true] => 3,
                _ => continue,
            };
            neighbourhoods[kind] += usize::from(decides);
        }
        let counts = inevitable.counts();
        prop_assert_eq!([counts.correct, counts.incorrect, counts.neutral], tags);
        prop_assert_eq!(counts.neighbourhood_kinds, neighbourhoods);
        prop_assert_eq!(counts.neighbourhoods, neighbourhoods.iter().sum::<usize>());

        // A shortest run without the actions: the distances of all pairs, and the least way round.
        let found = shortest_counterexample(&inevitable, &Budget::unlimited()).expect("no limit");
        prop_assert_eq!(found.is_none(), inevitable.holds());
        let Some(found) = found else { continue };
        let pairs: Vec<(usize, usize)> =
            (0..lts.states()).flat_map(|s| (0..n).map(move |d| (s, d))).collect();
        let far = 1000;
        let mut distance = vec![vec![far; pairs.len()]; pairs.len()];
        for (i, &(s, d)) in pairs.iter().enumerate() {
            for (label, to) in brute.out(s).filter(|&(label, _)| brute.step(d, label) < n) {
                distance[i][to * n + brute.step(d, label)] = 1;
            }
        }
        for k in 0..pairs.len() {
            for i in 0..pairs.len() {
                for j in 0..pairs.len() {
                    distance[i][j] = distance[i][j].min(distance[i][k] + distance[k][j]);
                }
            }
        }
        let start = initial as usize * n;
        let least = (0..pairs.len())
            .map(|i| {
                let way = if i == start { 0 } else { distance[start][i] };
                let ends = brute.out(pairs[i].0).count() == 0;
                way + if ends { 0 } else { distance[i][i] }
            })
            .min();
        prop_assert_eq!(Some(found.labels.len()), least);
        for (at, pair) in found.states.windows(2).enumerate() {
            prop_assert!(lts.out(pair[0]).any(|step| step == (found.labels[at], pair[1])));
        }
        let last = found.states[found.labels.len()];
        match found.shape {
            Shape::Finite => prop_assert_eq!(lts.out(last).len(), 0),
            Shape::Lasso(at) => {
                prop_assert_eq!(found.states[at], last);
                prop_assert!(at < found.labels.len());
            }
        }
        // The loop is followed often enough to see that it never completes the sequence.
        let looped = match found.shape {
            Shape::Finite => &[][..],
            Shape::Lasso(at) => &found.labels[at..],
        };
        let mut done = 0;
        for &label in found.labels.iter().chain(looped.iter().cycle().take(looped.len() * (n + 1))) {
            done = brute.step(done, char::from(b'A' + label as u8));
        }
        prop_assert!(done < n);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn everything_is_as_defined(
        (initial, triples) in triples(5),
        sequence in prop::collection::vec(prop::sample::select(vec!['A', 'B', 'C']), 1..4),
    ) {
        check(initial, &triples, &sequence)?;
    }

    #[test]
    fn also_where_there_are_few_transitions(
        (initial, mut triples) in triples(6),
        sequence in prop::collection::vec(prop::sample::select(vec!['A', 'B']), 1..4),
    ) {
        // Fewer loops: most transitions lead forward.
        triples.retain(|(from, label, to)| from < to || *label == 'C');
        check(initial, &triples, &sequence)?;
    }
}
