//! The quotient modulo weak bisimulation and the smallest deterministic system, against their definitions, on random systems with
//! invisible steps.

use crate::lts_common::build;
use crate::random::{Random, cases};
use cladist::budget::Budget;
use cladist::lts::{Lts, branching_quotient, trace_quotient, weak_quotient};
use std::collections::{BTreeMap, BTreeSet};

/// Transitions; `i` is invisible.
type Edges = Vec<(u32, char, u32)>;

/// What can be reached from a state by `label` with invisible steps before and after, or by invisible steps only.
fn weakly(edges: &Edges, from: u32, label: char) -> BTreeSet<u32> {
    let closed = |mut states: BTreeSet<u32>| loop {
        let after = edges.iter().filter(|e| e.1 == 'i' && states.contains(&e.0)).map(|e| e.2);
        let more: BTreeSet<u32> = after.collect();
        if more.is_subset(&states) {
            return states;
        }
        states.extend(more);
    };
    let before = closed(BTreeSet::from([from]));
    match label {
        'i' => before,
        _ => closed(edges.iter().filter(|e| e.1 == label && before.contains(&e.0)).map(|e| e.2).collect()),
    }
}

/// The greatest weak bisimulation by its definition.
pub fn related(states: u32, edges: &Edges) -> BTreeSet<(u32, u32)> {
    let mut pairs: BTreeSet<(u32, u32)> =
        (0..states).flat_map(|s| (0..states).map(move |t| (s, t))).collect();
    loop {
        let follows = |&(s, t): &(u32, u32)| {
            edges.iter().filter(|e| e.0 == s).all(|&(_, label, to)| {
                weakly(edges, t, label).iter().any(|&other| pairs.contains(&(to, other)))
            })
        };
        let kept: BTreeSet<_> =
            pairs.iter().filter(|&&(s, t)| follows(&(s, t)) && follows(&(t, s))).copied().collect();
        if kept == pairs {
            return kept;
        }
        pairs = kept;
    }
}

fn edges_of(lts: &Lts, offset: u32) -> Edges {
    let label = |label| lts.labels().text(label).chars().next().unwrap_or('?');
    let all = lts.all_transitions();
    all.map(|e| (e.from.to_u32() + offset, label(e.label), e.to.to_u32() + offset)).collect()
}

fn random_edges(random: &mut Random, states: u32, most: usize) -> Edges {
    let state = |random: &mut Random| random.below(states as usize) as u32;
    let number = random.below(most);
    (0..number).map(|_| (state(random), *random.pick(&['i', 'i', 'a', 'b']), state(random))).collect()
}

#[test]
fn weak_quotients_are_the_smallest_and_equivalent() {
    let mut smaller = 0;
    for seed in 0..cases(600) {
        let mut random = Random::new(seed);
        let states = 1 + random.below(7) as u32;
        let edges = random_edges(&mut random, states, 14);
        let lts = build(0, &edges);
        let states = lts.states() as u32;
        let found = weak_quotient(&lts, &Budget::unlimited()).expect("no limit");
        let pairs = related(states, &edges);
        for (s, one) in found.state_of.iter().enumerate() {
            for (t, other) in found.state_of.iter().enumerate() {
                if let (Some(one), Some(other)) = (one, other) {
                    let same = pairs.contains(&(s as u32, t as u32));
                    assert_eq!(one == other, same, "{seed}: states {s} and {t} of {edges:?}");
                }
            }
        }
        let own = edges_of(&found.lts, states);
        let all = states + found.lts.declared_states() as u32;
        let with = |own: &Edges| edges.iter().chain(own).copied().collect::<Edges>();
        assert!(related(all, &with(&own)).contains(&(0, states)), "{seed}: {edges:?} became {own:?}");
        // No step can be left out.
        for left_out in &own {
            let fewer: Edges = own.iter().filter(|step| *step != left_out).copied().collect();
            assert!(!related(all, &with(&fewer)).contains(&(0, states)), "{seed}: {left_out:?} of {own:?}");
        }
        let branching = branching_quotient(&lts, &Budget::unlimited()).expect("no limit").lts;
        smaller += usize::from(found.lts.declared_states() < branching.declared_states());
    }
    assert!(smaller > 4, "{smaller}");
}

/// The class of each state modulo weak bisimulation, from all weak steps.
fn classes(states: u32, edges: &Edges) -> Vec<usize> {
    let mut out: Vec<Vec<(char, u32)>> = vec![Vec::new(); states as usize];
    edges.iter().for_each(|&(from, label, to)| out[from as usize].push((label, to)));
    let silently = |state: u32| {
        let (mut found, mut open) = (BTreeSet::from([state]), vec![state]);
        while let Some(state) = open.pop() {
            let silent = out[state as usize].iter().filter(|step| step.0 == 'i');
            open.extend(silent.map(|step| step.1).filter(|&to| found.insert(to)));
        }
        found
    };
    let closed: Vec<BTreeSet<u32>> = (0..states).map(silently).collect();
    let weak_steps = |before: &BTreeSet<u32>| {
        let visible = before.iter().flat_map(|&s| &out[s as usize]).filter(|step| step.0 != 'i');
        let after = visible.flat_map(|&(label, to)| closed[to as usize].iter().map(move |&to| (label, to)));
        after.chain(before.iter().map(|&to| ('i', to))).collect::<BTreeSet<(char, u32)>>()
    };
    let steps: Vec<_> = closed.iter().map(weak_steps).collect();
    let (mut class, mut count) = (vec![0; states as usize], 1);
    loop {
        let mut numbers = BTreeMap::new();
        let signature = |steps: &BTreeSet<(char, u32)>| {
            steps.iter().map(|&(label, to)| (label, class[to as usize])).collect::<BTreeSet<_>>()
        };
        let signatures: Vec<_> = steps.iter().map(signature).collect();
        let next = signatures.into_iter().zip(&class).map(|(signature, &class): (_, &usize)| {
            let fresh = numbers.len();
            *numbers.entry((class, signature)).or_insert(fresh)
        });
        class = next.collect();
        if numbers.len() == count {
            return class;
        }
        count = numbers.len();
    }
}

#[test]
fn weak_quotients_of_many_classes_are_those_of_all_weak_steps() {
    let (mut most, mut smaller) = (0, 0);
    for seed in 0..cases(3) {
        let mut random = Random::new(seed);
        let states = 1200;
        // A tree of all states, and some more steps.
        let mut edges: Edges = Vec::new();
        for to in 1..states + states / 2 {
            let (from, label) = (random.below(states.min(to) as usize), *random.pick(&['i', 'a', 'b', 'b']));
            edges.push((from as u32, label, to % states));
        }
        let lts = build(0, &edges);
        let found = weak_quotient(&lts, &Budget::unlimited()).expect("no limit");
        // The quotient stands beside the system.
        let small = found.lts.declared_states() as u32;
        let both: Edges = edges.iter().copied().chain(edges_of(&found.lts, states)).collect();
        let class = classes(states + small, &both);
        for (state, own) in found.state_of.iter().enumerate() {
            let own = own.expect("all states are reached").to_u32();
            assert_eq!(class[state], class[(states + own) as usize], "{seed}: state {state}");
        }
        let all: BTreeSet<_> = class[states as usize..].iter().collect();
        assert_eq!(all.len(), small as usize, "{seed}: classes of the quotient are different");
        // Without some step it is another system.
        for _ in 0..2 {
            let left_out = both[edges.len() + random.below(both.len() - edges.len())];
            let fewer: Edges = both.iter().filter(|step| **step != left_out).copied().collect();
            let class = classes(states + small, &fewer);
            assert!(class[0] != class[states as usize], "{seed}: {left_out:?} can be left out");
        }
        let branching = branching_quotient(&lts, &Budget::unlimited()).expect("no limit").lts;
        smaller += usize::from(found.lts.declared_states() < branching.declared_states());
        most = most.max(small);
    }
    assert!(most > 600 && smaller > 1, "{most} classes, {smaller} smaller");
}

/// The sets of states after each sequence of at most so many visible labels that is possible.
fn traces(edges: &Edges, longest: usize) -> BTreeSet<String> {
    let mut reached: BTreeMap<String, BTreeSet<u32>> = BTreeMap::from([(String::new(), BTreeSet::from([0]))]);
    let mut last = reached.clone();
    for _ in 0..longest {
        let mut next: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
        for (trace, states) in &last {
            for label in ['a', 'b'] {
                let after: BTreeSet<u32> = states.iter().flat_map(|&s| weakly(edges, s, label)).collect();
                if !after.is_empty() {
                    next.insert(format!("{trace}{label}"), after);
                }
            }
        }
        reached.extend(next.clone());
        last = next;
    }
    reached.into_keys().collect()
}

#[test]
fn deterministic_systems_have_the_same_traces_and_are_the_smallest() {
    let mut smaller = 0;
    for seed in 0..cases(600) {
        let mut random = Random::new(seed);
        let states = 1 + random.below(6) as u32;
        let edges = random_edges(&mut random, states, 12);
        let lts = build(0, &edges);
        let found = trace_quotient(&lts, &Budget::unlimited()).expect("no limit");
        let own = edges_of(&found, 0);
        let steps: BTreeSet<(u32, char)> = own.iter().map(|e| (e.0, e.1)).collect();
        assert_eq!(steps.len(), own.len(), "{seed}: {own:?} is deterministic");
        assert!(own.iter().all(|e| e.1 != 'i'), "{seed}: {own:?} has no invisible step");
        assert_eq!(traces(&own, 8), traces(&edges, 8), "{seed}: {edges:?} became {own:?}");
        // Any two states of it differ in their traces: deterministic systems with the same traces are bisimilar.
        let pairs = related(found.declared_states() as u32, &own);
        assert_eq!(pairs.len(), found.declared_states(), "{seed}: {own:?}");
        smaller += usize::from(found.declared_states() < lts.states());
    }
    assert!(smaller > 50, "{smaller}");
}

#[test]
fn limits_end_reductions() {
    let edges: Edges = (0..40_000).map(|n| (n, if n % 3 == 0 { 'i' } else { 'a' }, n * 7 % 40_000)).collect();
    let lts = build(0, &edges);
    let spent = Budget::unlimited().with_timeout(std::time::Duration::ZERO);
    assert!(weak_quotient(&lts, &spent).is_err());
    assert!(trace_quotient(&lts, &spent).is_err());
}
