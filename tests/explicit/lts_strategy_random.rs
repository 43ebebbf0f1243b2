//! What each strategy chooses on random systems, against all paths that there are.

use crate::lts_common;
use cladist::lts::{LabelId, LabelSequence};

use cladist::budget::Budget;
use cladist::lts::property::{Closure, LabelAutomaton};
use cladist::lts::safety::{Incorrect, Keep, SafetyAnalysis, shortest};
use cladist::lts::strategy::{
    Cases, Counterexample, NoCounterexample, SafetyProduct, Strategy as Which, ViolationPlaces, choose,
    of_safety,
};
use lts_common::{Formula, build, formulas, property, triples};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// A place with how much of the pattern has come.
type Node = (usize, usize);

/// The counterexamples by definition: nodes, their steps, and all paths without repetition.
struct Brute<'a> {
    violations: &'a SafetyProduct<'a>,
    pattern: &'a LabelSequence,
    edges: BTreeMap<Node, Vec<(LabelId, Node)>>,
}

impl<'a> Brute<'a> {
    fn new(violations: &'a SafetyProduct<'a>, pattern: &'a LabelSequence, start: Node) -> Self {
        let mut brute = Self { violations, pattern, edges: BTreeMap::new() };
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            if brute.edges.contains_key(&node) {
                continue;
            }
            let mut steps = Vec::new();
            violations.after(node.0, &mut steps);
            let steps: Vec<(LabelId, Node)> =
                steps.into_iter().map(|(l, place)| (l, (place, pattern.forward(l, node.1)))).collect();
            open.extend(steps.iter().map(|&(_, to)| to));
            brute.edges.insert(node, steps);
        }
        brute
    }

    fn is_end(&self, node: Node) -> bool {
        node.1 == self.pattern.len() && self.violations.is_end(node.0)
    }

    /// All paths without repetition to an end; `None` if there are too many.
    fn paths(&self, start: Node) -> Option<Vec<Vec<Node>>> {
        let (mut open, mut found) = (vec![vec![start]], Vec::new());
        while let Some(path) = open.pop() {
            let last = path[path.len() - 1];
            if self.is_end(last) {
                found.push(path.clone());
            }
            for &(_, to) in self.edges[&last].iter().filter(|(_, to)| !path.contains(to)) {
                open.push(path.iter().copied().chain([to]).collect());
            }
            if open.len() + found.len() > 3000 {
                return None;
            }
        }
        Some(found)
    }

    /// The least cost from a node to each other one, a step costing what leaving its source does.
    fn costs(&self, start: Node, cost: impl Fn(Node) -> (usize, usize)) -> BTreeMap<Node, (usize, usize)> {
        let mut least = BTreeMap::from([(start, (0, 0))]);
        loop {
            let before = least.clone();
            for (node, steps) in &self.edges {
                let Some(&(a, b)) = before.get(node) else { continue };
                let (c, d) = cost(*node);
                for (_, to) in steps {
                    let slot = least.entry(*to).or_insert((a + c, b + d));
                    *slot = (*slot).min((a + c, b + d));
                }
            }
            if least == before {
                return least;
            }
        }
    }

    fn faulty(&self, node: Node) -> usize {
        usize::from(self.violations.is_faulty(node.0))
    }

    fn path_faulty(&self, path: &[Node]) -> usize {
        path[..path.len() - 1].iter().map(|&n| self.faulty(n)).sum()
    }

    fn path_kept(&self, path: &[Node]) -> usize {
        let kept = |n: Node| self.violations.is_kept(n.0);
        path.windows(2).filter(|p| kept(p[0]) || kept(p[1])).count()
    }

    fn path_probability(&self, path: &[Node]) -> f64 {
        let choices = |n: &Node| self.violations.choices(n.0).len() as f64;
        path[..path.len() - 1].iter().map(|n| 1.0 / choices(n)).product()
    }
}

fn run(
    violations: &SafetyProduct<'_>,
    pattern: &LabelSequence,
    strategy: Which,
) -> Option<Result<Counterexample, NoCounterexample>> {
    of_safety(violations, strategy, pattern, &Budget::unlimited()).expect("no limit")
}

/// It is a counterexample of the system with the pattern.
fn is_one(run: &Counterexample, brute: &Brute<'_>, start: Node) {
    let mut at = vec![start];
    for (step, &label) in run.labels.iter().enumerate() {
        let next = at
            .iter()
            .flat_map(|node| &brute.edges[node])
            .filter(|(l, to)| *l == label && brute.violations.state(to.0) == run.states[step + 1]);
        at = next.map(|&(_, to)| to).collect();
    }
    assert!(at.iter().any(|&node| brute.is_end(node)));
}

fn check(
    initial: u32,
    list: &[(u32, char, u32)],
    formula: &Formula,
    pattern: &str,
    keep: Keep,
) -> Result<(), TestCaseError> {
    let lts = build(initial, list);
    let text = format!("[ {} ] false", formula.text());
    let automaton = LabelAutomaton::new(&property(&text), lts.labels(), Closure::Prefix).expect("small");
    let analysis =
        SafetyAnalysis::new(&lts, &automaton, Incorrect::NoWayOut, &Budget::unlimited()).expect("no limit");
    let violations = SafetyProduct { analysis: &analysis, keep };
    let steps = match pattern {
        "" => LabelSequence::none(),
        text => lts_common::actions(text, &lts),
    };
    let start = (analysis.product.initial().index(), 0);
    if analysis.holds() {
        prop_assert!(run(&violations, &steps, Which::Shortest).is_none());
        return Ok(());
    }
    let brute = Brute::new(&violations, &steps, start);
    let Some(paths) = brute.paths(start) else { return Ok(()) };
    if paths.is_empty() {
        prop_assert!(run(&violations, &steps, Which::Readable).is_none());
        return Ok(());
    }
    let one = |strategy| {
        let run = run(&violations, &steps, strategy).expect("there are some").expect("all have it");
        is_one(&run, &brute, start);
        run
    };
    let length = |path: &Vec<Node>| path.len() - 1;
    let least = paths.iter().map(length).min().expect("some");

    prop_assert_eq!(one(Which::Shortest).labels.len(), least);
    let readable = one(Which::Readable);
    prop_assert_eq!(readable.labels.len(), least);
    let shows = |path: &&Vec<Node>| path.iter().any(|n| violations.is_kept(n.0));
    let shortest_ones = || paths.iter().filter(|p| length(p) == least);
    let best = shortest_ones().filter(shows).map(|p| brute.path_kept(p)).min();
    prop_assert_eq!(readable.kept.len(), best.unwrap_or(0));
    if pattern.is_empty() {
        prop_assert_eq!(
            shortest(&analysis, keep, &Budget::unlimited()).expect("no limit").expect("violated").kept.len(),
            readable.kept.len()
        );
    }

    let longest = one(Which::Longest);
    prop_assert!(longest.certain);
    prop_assert_eq!(Some(longest.labels.len()), paths.iter().map(length).max());
    let most = one(Which::MostFaulty);
    let rank = |path: &Vec<Node>| (std::cmp::Reverse(brute.path_faulty(path)), length(path));
    prop_assert_eq!(Some((std::cmp::Reverse(most.faulty), most.labels.len())), paths.iter().map(rank).min());
    let fewest = one(Which::FewestFaulty);
    let rank = |path: &Vec<Node>| (brute.path_faulty(path), brute.path_kept(path));
    prop_assert_eq!(Some((fewest.faulty, fewest.kept.len())), paths.iter().map(rank).min());
    let fewest = one(Which::ShortestFewestFaulty);
    let rank = |path: &Vec<Node>| (brute.path_faulty(path), length(path));
    prop_assert_eq!(Some((fewest.faulty, fewest.labels.len())), paths.iter().map(rank).min());

    let probabilities = || paths.iter().map(|path| brute.path_probability(path));
    let near = |found: f64, exact: f64| (found / exact - 1.0).abs() < 1e-5;
    prop_assert!(near(one(Which::MostProbable).probability, probabilities().fold(0.0, f64::max)));
    prop_assert!(near(one(Which::LeastProbable).probability, probabilities().fold(1.0, f64::min)));

    let random = one(Which::Random { seed: 7 });
    prop_assert_eq!(&one(Which::Random { seed: 7 }), &random);
    prop_assert!(random.labels.len() <= longest.labels.len());

    check_faulty(&violations, &steps, &brute, start)
}

/// The strategies that look for faulty states and neighbourhoods.
fn check_faulty(
    violations: &SafetyProduct<'_>,
    steps: &LabelSequence,
    brute: &Brute<'_>,
    start: Node,
) -> Result<(), TestCaseError> {
    let one = |strategy| {
        let run = run(violations, steps, strategy).expect("there are some").expect("all have it");
        is_one(&run, brute, start);
        run
    };
    // Faulty states that a counterexample meets, with how far the ends are.
    let to_end: BTreeMap<Node, usize> = brute
        .edges
        .keys()
        .filter_map(|&node| {
            let far = brute.costs(node, |_| (1, 0));
            Some((node, far.iter().filter(|(to, _)| brute.is_end(**to)).map(|(_, c)| c.0).min()?))
        })
        .collect();
    let faulty: Vec<Node> = to_end.keys().copied().filter(|&n| brute.faulty(n) == 1).collect();
    let far = brute.costs(start, |_| (1, 0));
    let chosen = [Which::FaultyFirst, Which::ClosestFaulty, Which::ClosestFewestFaulty];
    if faulty.is_empty() {
        for strategy in chosen {
            prop_assert_eq!(run(violations, steps, strategy), Some(Err(NoCounterexample::NoFaultyState)));
        }
    } else {
        let [first, closest, fewest] = chosen.map(one);
        let rank = faulty.iter().map(|n| (far[n].0, to_end[n])).min().expect("some");
        prop_assert_eq!(first.labels.len(), rank.0 + rank.1);
        let near = faulty.iter().map(|n| to_end[n]).min().expect("some");
        let nearest = || faulty.iter().filter(|n| to_end[n] == near);
        prop_assert_eq!(Some(closest.labels.len()), nearest().map(|n| far[n].0 + near).min());
        let cost = brute.costs(start, |n| (brute.faulty(n), 1));
        let best = nearest().map(|n| cost[n]).min().expect("some");
        prop_assert_eq!((fewest.faulty, fewest.labels.len()), (best.0 + 1, best.1 + near));
    }

    let cases = Cases::new(violations, steps, &Budget::unlimited()).expect("no limit").expect("some");
    let way = choose(&cases, Which::Neighbourhood, &Budget::unlimited())
        .expect("no limit")
        .path()
        .map(|chosen| chosen.path.labels.len());
    let there = |n: &&Node| n.1 == steps.len() && violations.is_neighbourhood(n.0);
    prop_assert_eq!(way, to_end.keys().filter(there).map(|n| far[n].0).min());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn strategies_choose_what_they_say(
        (initial, triples) in triples(5),
        formula in formulas(),
        pattern in prop::sample::select(vec!["", "", "B", "A,C"]),
        faulty in any::<bool>(),
    ) {
        let keep = if faulty { Keep::FaultyStates } else { Keep::Neighbourhoods };
        check(initial, &triples, &formula, pattern, keep)?;
    }
}
