//! The path that a strategy chooses.

use super::Strategy;
use super::cases::Cases;
use super::cost::{Cheapest, CostPath, StepCost};
use super::most::most;
use crate::lts::graph::StateId;
use crate::lts::labels::LabelId;
use kit::budget::{Budget, Clock, Exhausted};
use kit::number::{rounded, to_i64};
use kit::random::SplitMix64;
use std::collections::VecDeque;

/// A path through the counterexamples.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChosenPath {
    /// The path: its nodes are those of the [`Cases`].
    pub path: CostPath,
    /// True if the path is known to be optimal for the strategy.
    pub certain: bool,
}

/// The result of a strategy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StrategyChoice {
    /// A path.
    Path(ChosenPath),
    /// No counterexample has what the strategy requires.
    Nothing(NoCounterexample),
}

impl StrategyChoice {
    /// The path, if there is one.
    pub fn path(self) -> Option<ChosenPath> {
        match self {
            StrategyChoice::Path(chosen) => Some(chosen),
            StrategyChoice::Nothing(_) => None,
        }
    }

    fn best(path: CostPath) -> Self {
        StrategyChoice::Path(ChosenPath { path, certain: true })
    }
}

/// No counterexample has what a strategy requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoCounterexample {
    /// No counterexample contains a faulty state.
    NoFaultyState,
    /// No counterexample reaches a neighbourhood after the pattern.
    NoNeighbourhood,
}

impl std::fmt::Display for NoCounterexample {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            NoCounterexample::NoFaultyState => "no counterexample contains a faulty state",
            NoCounterexample::NoNeighbourhood => "no counterexample contains a neighbourhood",
        })
    }
}

impl std::error::Error for NoCounterexample {}

/// The path that a strategy chooses, if there is one.
///
/// # Errors
/// If the budget is exhausted before anything is found; later, the best path so far is returned.
pub fn choose(cases: &Cases, strategy: Strategy, budget: &Budget) -> Result<StrategyChoice, Exhausted> {
    let weigh = Weights { cases };
    let kept = |from, to| weigh.kept(from, to);
    let length = |_, _| [1, 0, 0];
    let path = match strategy {
        Strategy::Readable => readable(cases, budget)?,
        Strategy::Random { seed } => random(cases, seed, budget)?,
        Strategy::Shortest => cheapest(cases, &length, budget)?,
        Strategy::FewestFaulty => {
            cheapest(cases, &|from, to| [weigh.faulty(from), kept(from, to), 1], budget)?
        }
        Strategy::ShortestFewestFaulty => {
            cheapest(cases, &|from, to| [weigh.faulty(from), 1, kept(from, to)], budget)?
        }
        Strategy::MostProbable => {
            cheapest(cases, &|from, to| [weigh.improbable(from), 1, kept(from, to)], budget)?
        }
        Strategy::Longest => return longest(cases, &|_| 1, budget),
        Strategy::LeastProbable => {
            return longest(cases, &|node| weigh.improbable(node).cast_signed(), budget);
        }
        Strategy::MostFaulty => {
            let worth = to_i64(cases.len()) + 1;
            return longest(cases, &|node| weigh.faulty(node).cast_signed() * worth - 1, budget);
        }
        Strategy::FaultyFirst => return through(cases, Faulty::Nearest, &length, budget),
        Strategy::ClosestFaulty => return through(cases, Faulty::Closest, &length, budget),
        Strategy::ClosestFewestFaulty => {
            return through(cases, Faulty::Closest, &|from, _| [weigh.faulty(from), 1, 0], budget);
        }
        Strategy::Neighbourhood => return neighbourhood(cases, budget),
    };
    Ok(StrategyChoice::best(path))
}

struct Weights<'a> {
    cases: &'a Cases,
}

impl Weights<'_> {
    /// One for leaving a faulty state.
    fn faulty(&self, node: StateId) -> u64 {
        u64::from(self.cases.faulty.has(node.index()))
    }

    /// One for a step that the abstraction keeps.
    fn kept(&self, from: StateId, to: StateId) -> u64 {
        u64::from(self.cases.kept.has(from.index()) || self.cases.kept.has(to.index()))
    }

    /// The improbability of each choice at a node: the logarithm of their number, in multiples of 2⁻²⁴.
    fn improbable(&self, node: StateId) -> u64 {
        const GRAIN: f64 = (1u64 << 24) as f64;
        rounded(f64::from(self.cases.choices[node.index()].max(1)).ln() * GRAIN).cast_unsigned()
    }
}

/// The shortest path to a neighbourhood.
fn neighbourhood(cases: &Cases, budget: &Budget) -> Result<StrategyChoice, Exhausted> {
    let ways = Cheapest::new(cases, StateId::FIRST, &|_, _| [1, 0, 0], &|_| false, budget)?;
    let nodes = cases.neighbourhoods.iter().map(StateId::new);
    Ok(match nodes.min_by_key(|&node| ways.cost(node, false)) {
        Some(nearest) => StrategyChoice::best(ways.path(nearest, false)),
        None => StrategyChoice::Nothing(NoCounterexample::NoNeighbourhood),
    })
}

fn ends(cases: &Cases) -> impl Iterator<Item = StateId> {
    cases.ends.iter().map(StateId::new)
}

/// A cheapest path; it exists because an end is reachable from every node.
fn best_end(cases: &Cases, ways: &Cheapest) -> (StateId, bool) {
    let costs = ends(cases).filter_map(|end| ways.least(end).map(|(cost, met)| (cost, end, met)));
    costs.min().map_or((StateId::FIRST, false), |(_, end, met)| (end, met))
}

fn cheapest(cases: &Cases, cost: StepCost<'_>, budget: &Budget) -> Result<CostPath, Exhausted> {
    let ways = Cheapest::new(cases, StateId::FIRST, cost, &|_| false, budget)?;
    let (end, met) = best_end(cases, &ways);
    Ok(ways.path(end, met))
}

/// A shortest path; among these one that keeps at least one action, and then as few as possible.
fn readable(cases: &Cases, budget: &Budget) -> Result<CostPath, Exhausted> {
    let weigh = Weights { cases };
    let meets = |node: StateId| cases.kept.has(node.index());
    let ways =
        Cheapest::new(cases, StateId::FIRST, &|from, to| [1, weigh.kept(from, to), 0], &meets, budget)?;
    let candidates = ends(cases).flat_map(|end| {
        let ways = &ways;
        [true, false].into_iter().filter_map(move |met| Some((ways.cost(end, met)?, !met, end)))
    });
    let best = candidates.min_by_key(|&([length, kept, _], unmet, end)| (length, unmet, kept, end));
    Ok(best.map_or_else(
        || ways.path(StateId::FIRST, meets(StateId::FIRST)),
        |(_, unmet, end)| ways.path(end, !unmet),
    ))
}

fn longest(
    cases: &Cases,
    gain: &dyn Fn(StateId) -> i64,
    budget: &Budget,
) -> Result<StrategyChoice, Exhausted> {
    let (path, certain) = most(cases, gain, cheapest(cases, &|_, _| [1, 0, 0], budget)?, budget)?;
    Ok(StrategyChoice::Path(ChosenPath { path, certain }))
}

/// The faulty state that a path must contain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Faulty {
    /// One nearest to the initial node.
    Nearest,
    /// One nearest to the violation.
    Closest,
}

/// The cheapest path to such a faulty state, followed by a shortest path to an end.
fn through(
    cases: &Cases,
    which: Faulty,
    cost: StepCost<'_>,
    budget: &Budget,
) -> Result<StrategyChoice, Exhausted> {
    let to_end = distances_to_ends(cases, budget)?;
    let ways = Cheapest::new(cases, StateId::FIRST, cost, &|_| false, budget)?;
    let faulty = cases.faulty.iter().map(StateId::new);
    let rank = |node: StateId| {
        let (before, after) = (ways.cost(node, false), to_end[node.index()]);
        match which {
            Faulty::Nearest => (None, before, after, node),
            Faulty::Closest => (Some(after), before, 0, node),
        }
    };
    let Some(over) = faulty.min_by_key(|&node| rank(node)) else {
        return Ok(StrategyChoice::Nothing(NoCounterexample::NoFaultyState));
    };
    let then = descend(cases, over, &to_end);
    Ok(StrategyChoice::best(ways.path(over, false).then(then)))
}

/// The distance of each node to the nearest end.
fn distances_to_ends(cases: &Cases, budget: &Budget) -> Result<Vec<u32>, Exhausted> {
    let mut clock = Clock::new(budget, "distances to an end computed");
    let backward = cases.graph.backward_within(budget)?;
    let mut far = vec![u32::MAX; cases.len()];
    let mut queue: VecDeque<StateId> = ends(cases).collect();
    queue.iter().for_each(|&end| far[end.index()] = 0);
    while let Some(node) = queue.pop_front() {
        clock.tick()?;
        for (_, before) in backward.of(node) {
            if far[before.index()] == u32::MAX {
                far[before.index()] = far[node.index()] + 1;
                queue.push_back(before);
            }
        }
    }
    Ok(far)
}

/// A shortest path from a node to an end.
fn descend(cases: &Cases, from: StateId, far: &[u32]) -> CostPath {
    let mut path = CostPath { nodes: vec![from], labels: Vec::new() };
    let mut at = from;
    while far[at.index()] > 0 {
        let nearer = cases.after(at).find(|&(_, to)| far[to.index()] + 1 == far[at.index()]);
        let Some((label, to)) = nearer else { break };
        path.labels.push(label);
        path.nodes.push(to);
        at = to;
    }
    path
}

/// A path without repeated nodes: random steps, with backtracking.
fn random(cases: &Cases, seed: u64, budget: &Budget) -> Result<CostPath, Exhausted> {
    let mut clock = Clock::new(budget, "random steps");
    let mut chance = SplitMix64::new(seed);
    let mut seen = vec![false; cases.len()];
    seen[0] = true;
    let mut path = CostPath { nodes: vec![StateId::FIRST], labels: Vec::new() };
    let shuffled = |node: StateId, chance: &mut SplitMix64| {
        let mut steps: Vec<(LabelId, StateId)> = cases.after(node).collect();
        chance.shuffle(&mut steps);
        steps
    };
    let mut open = vec![shuffled(StateId::FIRST, &mut chance)];
    while let Some(&at) = path.nodes.last() {
        if cases.ends.has(at.index()) {
            break;
        }
        clock.tick()?;
        match open.last_mut().and_then(Vec::pop) {
            Some((_, to)) if seen[to.index()] => {}
            Some((label, to)) => {
                seen[to.index()] = true;
                path.nodes.push(to);
                path.labels.push(label);
                open.push(shuffled(to, &mut chance));
            }
            None => {
                open.pop();
                path.nodes.pop();
                path.labels.pop();
            }
        }
    }
    Ok(path)
}
