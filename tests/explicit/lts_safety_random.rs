//! Tags, faulty states, neighbourhoods and shortest counterexamples of random systems, nondeterministic ones
//! included, against their definitions over a product that is built explicitly, with another construction.

use crate::lts_common;

use cladist::budget::Budget;
use cladist::lts::property::{Closure, LabelAutomaton, Phase};
use cladist::lts::safety::{
    CounterexampleLts, Counts, Incorrect, Keep, ProductPosition, SafetyAnalysis, Tag, neighbourhoods,
    shortest,
};
use lts_common::{Formula, build, formulas, property, triples};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// A state with what the formula still allows, and whether that has been completed.
type Node = (u32, BTreeSet<Formula>, bool);

/// The product by definition.
struct Brute {
    nodes: Vec<Node>,
    edges: Vec<Vec<(char, usize)>>,
    bad: Vec<bool>,
}

impl Brute {
    fn new(initial: u32, triples: &BTreeSet<(u32, char, u32)>, formula: &Formula, closure: Closure) -> Self {
        let completed = |parts: &BTreeSet<Formula>| parts.iter().any(Formula::nullable);
        let first = BTreeSet::from([formula.clone()]);
        let start: Node = (initial, first.clone(), completed(&first));
        let mut brute = Brute { nodes: vec![start.clone()], edges: vec![], bad: vec![] };
        let mut numbers = BTreeMap::from([(start, 0)]);
        while brute.edges.len() < brute.nodes.len() {
            let (state, parts, was_bad) = brute.nodes[brute.edges.len()].clone();
            let mut row = Vec::new();
            for &(_, label, to) in triples.iter().filter(|(from, ..)| *from == state) {
                let after: BTreeSet<Formula> = parts.iter().flat_map(|p| p.after(label)).collect();
                let bad = completed(&after) || (was_bad && closure == Closure::Prefix);
                // What follows a violation is all alike.
                let after = if bad && closure == Closure::Prefix { BTreeSet::new() } else { after };
                let node = (to, after, bad);
                let number = *numbers.entry(node.clone()).or_insert_with(|| {
                    brute.nodes.push(node);
                    brute.nodes.len() - 1
                });
                row.push((label, number));
            }
            brute.edges.push(row);
        }
        brute.bad = brute.nodes.iter().map(|(.., bad)| *bad).collect();
        brute
    }

    /// The nodes from which one of these can be reached.
    fn reaching(&self, mut set: Vec<bool>) -> Vec<bool> {
        loop {
            let before = set.clone();
            for node in 0..set.len() {
                set[node] |= self.edges[node].iter().any(|&(_, to)| set[to]);
            }
            if set == before {
                return set;
            }
        }
    }

    /// The nodes from which every maximal run is bad at some time.
    fn doomed(&self) -> Vec<bool> {
        let mut set = self.bad.clone();
        loop {
            let before = set.clone();
            for node in 0..set.len() {
                set[node] |= !self.edges[node].is_empty() && self.edges[node].iter().all(|&(_, to)| set[to]);
            }
            if set == before {
                return set;
            }
        }
    }

    /// For each node the tag of transitions that lead to it.
    fn tags(&self, incorrect: Incorrect) -> Vec<Tag> {
        let violable = self.reaching(self.bad.clone());
        let border =
            (0..violable.len()).map(|n| violable[n] && self.edges[n].iter().any(|&(_, to)| !violable[to]));
        let hopeless: Vec<bool> = match incorrect {
            Incorrect::NoWayOut => self.reaching(border.collect()).iter().map(|way_out| !way_out).collect(),
            Incorrect::EveryRun => self.doomed(),
        };
        (0..violable.len())
            .map(|n| match (violable[n], hopeless[n]) {
                (false, _) => Tag::Correct,
                (true, true) => Tag::Incorrect,
                (true, false) => Tag::Neutral,
            })
            .collect()
    }

    /// All shortest counterexamples as paths of nodes.
    fn shortest(&self) -> Vec<Vec<usize>> {
        let mut paths = vec![vec![0]];
        for _ in 0..=self.nodes.len() {
            let done: Vec<Vec<usize>> = paths.iter().filter(|p| self.bad[p[p.len() - 1]]).cloned().collect();
            if !done.is_empty() {
                return done;
            }
            let mut longer = BTreeSet::new();
            for path in paths.iter().take(2000) {
                for &(_, to) in &self.edges[path[path.len() - 1]] {
                    longer.insert(path.iter().copied().chain([to]).collect::<Vec<_>>());
                }
            }
            paths = longer.into_iter().collect();
        }
        Vec::new()
    }
}

/// Which position of the analysis each node is: found by following both along the same transitions.
fn positions(
    brute: &Brute,
    analysis: &SafetyAnalysis<'_>,
    labels: &[char],
) -> Vec<BTreeSet<ProductPosition>> {
    let mut found = vec![BTreeSet::new(); brute.nodes.len()];
    found[0].insert(analysis.product.initial());
    let mut open = vec![(0, analysis.product.initial())];
    while let Some((node, position)) = open.pop() {
        for &(label, to) in &brute.edges[node] {
            let target = brute.nodes[to].0;
            let after = analysis
                .product
                .after(position)
                .find(|&(l, p)| labels[l.index()] == label && analysis.product.parts(p).0.to_u32() == target);
            let (_, after) = after.expect("the same transition");
            if found[to].insert(after) {
                open.push((to, after));
            }
        }
    }
    found
}

fn check(
    initial: u32,
    triples: &[(u32, char, u32)],
    formula: &Formula,
    closure: Closure,
    incorrect: Incorrect,
) -> Result<(), TestCaseError> {
    let lts = build(initial, triples);
    let text = format!("[ {} ] false", formula.text());
    let automaton = LabelAutomaton::new(&property(&text), lts.labels(), closure).expect("small");
    let analysis = SafetyAnalysis::new(&lts, &automaton, incorrect, &Budget::unlimited()).expect("no limit");
    let brute = Brute::new(initial, &triples.iter().copied().collect(), formula, closure);
    let tags = brute.tags(incorrect);
    let of = positions(&brute, &analysis, &['A', 'B', 'C']);

    prop_assert_eq!(analysis.holds(), tags[0] == Tag::Correct);
    let mut seen = BTreeSet::new();
    let mut expected = Counts::default();
    let mut frontier = BTreeSet::new();
    for (node, positions) in of.iter().enumerate() {
        // The minimal automaton may tell less apart, never more.
        prop_assert_eq!(positions.len(), 1);
        let position = *positions.first().expect("one");
        prop_assert_eq!(analysis.product.is_bad(position), brute.bad[node]);
        prop_assert_eq!(analysis.tag(position), tags[node]);
        if !seen.insert(position) {
            continue;
        }
        let out: Vec<Tag> = brute.edges[node].iter().map(|&(_, to)| tags[to]).collect();
        if tags[node] == Tag::Correct {
            expected.beyond += out.len();
            continue;
        }
        let has = |tag| out.contains(&tag);
        let (c, i, n) = (has(Tag::Correct), has(Tag::Incorrect), has(Tag::Neutral));
        expected.counterexample_states += 1;
        expected.counterexample_transitions += out.iter().filter(|&&t| t != Tag::Correct).count();
        expected.correct += out.iter().filter(|&&t| t == Tag::Correct).count();
        expected.incorrect += out.iter().filter(|&&t| t == Tag::Incorrect).count();
        expected.neutral += out.iter().filter(|&&t| t == Tag::Neutral).count();
        for (kind, is) in [c && n && !i, i && n && !c, c && i && !n, c && i && n].into_iter().enumerate() {
            expected.faulty += usize::from(is);
            expected.faulty_kinds[kind] += usize::from(is);
        }
        prop_assert_eq!(analysis.is_neighbourhood(position), c);
        if c {
            expected.neighbourhoods += 1;
            frontier.insert(brute.nodes[node].0);
        }
    }
    expected.frontier = frontier.len();
    prop_assert_eq!(&Counts::new(&analysis, &Budget::unlimited()).expect("no limit"), &expected);

    check_neighbourhoods(&analysis, &expected)?;
    check_written(&analysis, &expected)?;
    [Keep::Neighbourhoods, Keep::FaultyStates]
        .into_iter()
        .try_for_each(|keep| check_shortest(&analysis, &brute, &tags, keep))
}

/// The neighbourhoods are all there, and their paths lead to them.
fn check_neighbourhoods(analysis: &SafetyAnalysis<'_>, expected: &Counts) -> Result<(), TestCaseError> {
    let listed = neighbourhoods(analysis, usize::MAX, &Budget::unlimited()).expect("no limit");
    prop_assert_eq!(listed.len(), expected.neighbourhoods);
    for neighbourhood in &listed {
        let mut at = BTreeSet::from([analysis.product.initial()]);
        for &label in &neighbourhood.path {
            let after = at.iter().flat_map(|&p| analysis.product.after(p));
            at = after.filter(|&(l, _)| l == label).map(|(_, p)| p).collect();
        }
        prop_assert!(at.contains(&neighbourhood.place));
    }
    Ok(())
}

/// What is written has the size that is counted.
fn check_written(analysis: &SafetyAnalysis<'_>, expected: &Counts) -> Result<(), TestCaseError> {
    let (mut aut, mut autx) = (Vec::new(), Vec::new());
    CounterexampleLts::new(analysis, &Budget::unlimited())
        .expect("no limit")
        .write_aut(&mut aut)
        .expect("to memory");
    CounterexampleLts::new(analysis, &Budget::unlimited())
        .expect("no limit")
        .write_autx(&mut autx)
        .expect("to memory");
    let written = lts_common::try_read(&aut, false).expect("AUT");
    prop_assert_eq!(written.transitions(), expected.counterexample_transitions);
    prop_assert_eq!(written.declared_states(), expected.counterexample_states.max(1));
    let lines = String::from_utf8(autx).expect("UTF-8").lines().count();
    prop_assert_eq!(lines, 1 + expected.correct + expected.incorrect + expected.neutral);
    Ok(())
}

/// A shortest counterexample is one, and no other keeps fewer actions and shows something.
fn check_shortest(
    analysis: &SafetyAnalysis<'_>,
    brute: &Brute,
    tags: &[Tag],
    keep: Keep,
) -> Result<(), TestCaseError> {
    let paths = brute.shortest();
    let found = shortest(analysis, keep, &Budget::unlimited()).expect("no limit");
    prop_assert_eq!(found.is_some(), !analysis.holds());
    let Some(found) = found else { return Ok(()) };
    prop_assert_eq!(found.labels.len() + 1, paths[0].len());
    for (at, pair) in found.positions.windows(2).enumerate() {
        prop_assert!(analysis.product.after(pair[0]).any(|step| step == (found.labels[at], pair[1])));
    }
    prop_assert!(analysis.product.is_bad(found.positions[found.labels.len()]));
    let decides = |node: usize| {
        let out: BTreeSet<Tag> = brute.edges[node].iter().map(|&(_, to)| tags[to]).collect();
        match keep {
            Keep::Neighbourhoods => out.contains(&Tag::Correct),
            Keep::FaultyStates => out.len() > 1,
        }
    };
    let kept = |path: &Vec<usize>| path.windows(2).filter(|p| decides(p[0]) || decides(p[1])).count();
    let shows = |path: &Vec<usize>| path.iter().any(|&n| decides(n));
    if paths.len() < 1000 {
        let best = paths.iter().filter(|p| shows(p)).map(kept).min();
        prop_assert_eq!(found.kept.len(), best.unwrap_or(0));
        prop_assert_eq!(found.decisions > 0, best.is_some());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn everything_is_as_defined((initial, triples) in triples(7), formula in formulas()) {
        check(initial, &triples, &formula, Closure::Prefix, Incorrect::NoWayOut)?;
        check(initial, &triples, &formula, Closure::Prefix, Incorrect::EveryRun)?;
        check(initial, &triples, &formula, Closure::Literal, Incorrect::NoWayOut)?;
    }

    #[test]
    fn automata_are_minimal(formula in formulas()) {
        let lts = build(0, &[]);
        for closure in [Closure::Prefix, Closure::Literal] {
            let text = format!("[ {} ] false", formula.text());
            let automaton = LabelAutomaton::new(&property(&text), lts.labels(), closure).expect("small");
            // No two states are equivalent, by filling the table of those that differ.
            let phases: Vec<Phase> = automaton.phases().collect();
            let mut differ: BTreeSet<(Phase, Phase)> = phases
                .iter()
                .flat_map(|&a| phases.iter().map(move |&b| (a, b)))
                .filter(|&(a, b)| automaton.is_bad(a) != automaton.is_bad(b))
                .collect();
            for _ in &phases {
                for &a in &phases {
                    for &b in &phases {
                        if lts.labels().ids().any(|l| differ.contains(&(automaton.next(a, l), automaton.next(b, l)))) {
                            differ.insert((a, b));
                        }
                    }
                }
            }
            for (number, &a) in phases.iter().enumerate() {
                for &b in &phases[..number] {
                    prop_assert!(differ.contains(&(a, b)), "{} and {}", a, b);
                }
            }
        }
    }
}
