//! Paths without repetition that have as much as possible of something. In graphs with many loops that is hard: the
//! search looks at a limited number of steps, and says whether it has seen all that matter.

use super::cases::Cases;
use super::cost::CostPath;
use crate::lts::components::{Components, components};
use crate::lts::graph::StateId;
use crate::lts::labels::LabelId;
use kit::budget::{Budget, Clock, Exhausted};

/// The limit on the steps of the search.
const MOST_STEPS: usize = 3_000_000;

/// A path without repetition from the initial node to an end with the greatest gain, and whether it is known to be
/// optimal; `gain` is that of leaving a node, and `known` is an initial solution. If time or memory end the search, it is
/// the best one so far.
///
/// # Errors
/// If the budget is exhausted before the search, or the run is interrupted.
pub fn most(
    cases: &Cases,
    gain: &dyn Fn(StateId) -> i64,
    known: CostPath,
    budget: &Budget,
) -> Result<(CostPath, bool), Exhausted> {
    let limits = limits(cases, gain, budget)?;
    let gained = known.nodes.iter().rev().skip(1).map(|&node| gain(node)).sum();
    let mut search = MostFaultySearch { cases, gain, limits, best: (gained, known), steps: 0 };
    let complete = match search.run(&mut Clock::new(budget, "steps on the search for the best way")) {
        Ok(complete) => complete,
        Err(Exhausted::Interrupt) => return Err(Exhausted::Interrupt),
        Err(Exhausted::Time | Exhausted::Memory) => false,
    };
    Ok((search.best.1, complete))
}

/// An upper bound of the gain from each node on.
fn limits(cases: &Cases, gain: &dyn Fn(StateId) -> i64, budget: &Budget) -> Result<Vec<i64>, Exhausted> {
    let parts = components(&cases.graph, |_| true, |_| true, budget)?;
    let mut limit = vec![0; cases.len()];
    // Transitions lead to components with smaller numbers.
    for members in parts.members() {
        let own = parts.of[members[0].index()];
        debug_assert_ne!(own, Components::NONE);
        let exits = members
            .iter()
            .flat_map(|&node| cases.after(node))
            .filter(|&(_, to)| parts.of[to.index()] != own)
            .map(|(_, to)| limit[to.index()])
            .max();
        let cyclic = members.len() > 1 || cases.after(members[0]).any(|(_, to)| to == members[0]);
        let most = match exits {
            Some(exit) if !cyclic => gain(members[0]) + exit,
            None if !cyclic => 0,
            exit => members.iter().map(|&n| gain(n).max(0)).sum::<i64>() + exit.unwrap_or(0).max(0),
        };
        for &node in &members {
            let here = cases.ends.has(node.index());
            limit[node.index()] = if here { most.max(0) } else { most };
        }
    }
    Ok(limit)
}

struct MostFaultySearch<'a> {
    cases: &'a Cases,
    gain: &'a dyn Fn(StateId) -> i64,
    limits: Vec<i64>,
    best: (i64, CostPath),
    steps: usize,
}

impl MostFaultySearch<'_> {
    /// Depth-first branch and bound, most promising steps first; `true` if the search was complete.
    fn run(&mut self, clock: &mut Clock<'_>) -> Result<bool, Exhausted> {
        let mut on_path = vec![false; self.cases.len()];
        on_path[0] = true;
        let mut path = CostPath { nodes: vec![StateId::FIRST], labels: Vec::new() };
        let mut gained = vec![0];
        self.note(&path, 0);
        let mut open = vec![self.promising(StateId::FIRST)];
        while let Some(steps) = open.last_mut() {
            let so_far = gained[gained.len() - 1];
            let from = path.nodes[path.nodes.len() - 1];
            let Some((label, to)) = steps.pop() else {
                open.pop();
                gained.pop();
                path.labels.pop();
                if let Some(node) = path.nodes.pop() {
                    on_path[node.index()] = false;
                }
                continue;
            };
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return Ok(false);
            }
            clock.tick()?;
            let now = so_far + (self.gain)(from);
            if on_path[to.index()] || now + self.limits[to.index()] <= self.best.0 {
                continue;
            }
            on_path[to.index()] = true;
            path.nodes.push(to);
            path.labels.push(label);
            gained.push(now);
            self.note(&path, now);
            let next = self.promising(to);
            open.push(next);
        }
        Ok(true)
    }

    fn note(&mut self, path: &CostPath, gained: i64) {
        let end = path.nodes[path.nodes.len() - 1];
        if self.cases.ends.has(end.index()) && gained > self.best.0 {
            self.best = (gained, path.clone());
        }
    }

    /// The steps from a node, the most promising last; of several to one node only the first.
    fn promising(&self, node: StateId) -> Vec<(LabelId, StateId)> {
        let mut steps: Vec<(LabelId, StateId)> = self.cases.after(node).collect();
        steps.sort_by_key(|&(label, to)| (to, label));
        steps.dedup_by_key(|&mut (_, to)| to);
        steps.sort_by_key(|&(_, to)| self.limits[to.index()]);
        steps
    }
}
