//! Shortest counterexamples: traces that end too early, and lassos.

use super::analysis::InevitabilityAnalysis;
use super::lasso::{LassoHead, distances, heads, shortest_lasso};
use super::layers::{LayerNode, LayerPath, Layers};
use crate::lts::graph::{LtsTransition, StateId};
use crate::lts::labels::LabelId;
use kit::budget::{Budget, Exhausted};
use kit::number::to_u16;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// A maximal trace that lacks something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunWithoutGoal {
    /// The states, one more than labels.
    pub states: Vec<StateId>,
    /// The labels.
    pub labels: Vec<LabelId>,
    /// The index of the state where the cycle of a lasso starts, which equals the last state. `None` if the trace ends in
    /// a state without transitions.
    pub loop_from: Option<usize>,
    /// True if the search was complete, so that no other one is shorter.
    pub certain: bool,
}

/// A shortest maximal trace that lacks something; `None` if there is none. The length of a lasso is that of its stem and
/// its cycle together. A finite trace is preferred to a lasso of the same length. Among those with the same end or the
/// same head of the cycle, it is one whose abstraction keeps the fewest actions, but at least one where possible; if all
/// of these keep none, it is the first lasso of the same length that keeps some.
///
/// If time or memory end the search for a cycle, it is the best one so far.
///
/// # Errors
/// If the budget is exhausted before anything is found, or the run is interrupted.
pub fn shortest(
    analysis: &InevitabilityAnalysis<'_>,
    decides: impl Fn(StateId) -> bool,
    budget: &Budget,
) -> Result<Option<RunWithoutGoal>, Exhausted> {
    if analysis.holds() {
        return Ok(None);
    }
    let lts = analysis.lts;
    let far = distances(analysis, budget)?;
    let nearest = |state: StateId| far.iter().map(|d| d[state.index()]).filter(|&d| d != u32::MAX).min();
    let ends = |&state: &StateId| lts.out(state).len() == 0 && analysis.goal.fails_at(state);
    let stuck = analysis.reached().filter(ends);
    let ending = stuck.filter_map(nearest).min().map_or(usize::MAX, |length| length as usize);
    let (head, certain) = shortest_lasso(analysis, &far, ending, budget)?;
    let mut search = TraceSearch { analysis, far: &far, decides, ways: None };
    let first = search.best(head, ending);
    let keeps_none = first.as_ref().is_some_and(|found| !found.keeps);
    let mut other = None;
    if keeps_none && analysis.reached().any(&search.decides) {
        let length = head.map_or(ending, |head| head.stem + head.around);
        heads(analysis, &far, length, budget, |head| {
            other = search.best(Some(head), ending).filter(|found| found.keeps);
            other.is_some() || budget.exhausted().is_some()
        })?;
    }
    Ok(other.or(first).map(|found| RunWithoutGoal { certain, ..found.run }))
}

/// The search for the best trace with a given end or cycle.
struct TraceSearch<'a, D> {
    analysis: &'a InevitabilityAnalysis<'a>,
    far: &'a [Vec<u32>],
    decides: D,
    /// The ways of the last search.
    ways: Option<MatchingPaths>,
}

/// The paths of a length that match at most a number of actions.
struct MatchingPaths {
    most: usize,
    length: usize,
    layers: Layers,
}

/// The rank among traces of one length: the least one is the best.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct TraceRank {
    /// True if an abstraction keeps none of the actions.
    keeps_none: bool,
    /// The number of actions that an abstraction keeps.
    kept: usize,
    end: LayerNode,
    /// True if the path to `end` has a node around which actions are kept, and if the cycle has one.
    shown: bool,
    then_shown: bool,
}

struct FoundTrace {
    run: RunWithoutGoal,
    /// True if an abstraction of it keeps any actions.
    keeps: bool,
}

impl<D: Fn(StateId) -> bool> TraceSearch<'_, D> {
    /// The best trace with this loop; without one, of those that end after `ending` transitions.
    fn best(&mut self, head: Option<LassoHead>, ending: usize) -> Option<FoundTrace> {
        let most = head.map_or(self.analysis.goal.stages() - 1, |head| head.without);
        let length = head.map_or(ending, |head| head.stem);
        let known = self.ways.take().filter(|ways| (ways.most, ways.length) == (most, length));
        let MatchingPaths { layers, .. } = &*self.ways.insert(match known {
            Some(known) => known,
            None => MatchingPaths {
                most,
                length,
                layers: ways(self.analysis, self.far, (most, length), &self.decides),
            },
        });
        let is_end = |state: StateId| match head {
            Some(head) => state == head.state,
            None => self.analysis.lts.out(state).len() == 0 && self.analysis.goal.fails_at(state),
        };
        let decides = |(state, _): LayerNode| (self.decides)(state);
        let around = head.map(|head| turn(self.analysis, head.state, head.without, head.around, decides));
        let mut best: Option<TraceRank> = None;
        for (end, ways) in layers.ends().filter(|&((state, _), _)| is_end(state)) {
            let turns = around.as_ref().map_or([Some(0), None], |turn| {
                turn.ends()
                    .next()
                    .map_or([None, None], |(_, ways)| ways.map(|way| way.map(|way: LayerPath| way.kept)))
            });
            for (shown, way) in [false, true].into_iter().zip(ways) {
                for (then_shown, more) in [false, true].into_iter().zip(turns) {
                    if let (Some(way), Some(more)) = (way, more) {
                        let keeps_none = !(shown || then_shown);
                        let kept = way.kept + more;
                        let candidate = TraceRank { keeps_none, kept, end, shown, then_shown };
                        best = Some(best.map_or(candidate, |known| known.min(candidate)));
                    }
                }
            }
        }
        best.map(|TraceRank { keeps_none, end, shown, then_shown, .. }| {
            let (nodes, mut labels) = layers.path(end, shown);
            let mut states: Vec<StateId> = nodes.into_iter().map(|(state, _)| state).collect();
            let loop_from = around.map(|turn| {
                let start = labels.len();
                let (nodes, more) = turn.path((end.0, 0), then_shown);
                states.extend(nodes.into_iter().skip(1).map(|(state, _)| state));
                labels.extend(more);
                start
            });
            FoundTrace {
                run: RunWithoutGoal { states, labels, loop_from, certain: true },
                keeps: !keeps_none,
            }
        })
    }
}

/// The paths of a length to states that match at most a number of actions.
fn ways(
    analysis: &InevitabilityAnalysis<'_>,
    far: &[Vec<u32>],
    (most, length): (usize, usize),
    decides: impl Fn(StateId) -> bool,
) -> Layers {
    let InevitabilityAnalysis { lts, goal, .. } = *analysis;
    let decides = |(state, _): LayerNode| decides(state);
    Layers::new((lts.initial(), 0), length, decides, |(state, matched), depth, found| {
        for (label, to) in lts.out(state) {
            let after = goal.forward(LtsTransition { from: state, label, to }, usize::from(matched));
            if after <= most && far[after][to.index()] as usize == depth + 1 {
                found.push((label, (to, to_u16(after))));
            }
        }
    })
}

/// The cycles of this length through a state that do not get beyond a stage.
fn turn(
    analysis: &InevitabilityAnalysis<'_>,
    head: StateId,
    without: usize,
    length: usize,
    decides: impl Fn(LayerNode) -> bool,
) -> Layers {
    let steps = |from: StateId| avoiding(analysis, from, without);
    // How far states are from the head, as far as that matters.
    let mut far = FxHashMap::from_iter([(head, 0)]);
    let mut level = vec![head];
    for depth in 1..length {
        let mut next = Vec::new();
        for &from in &level {
            for (_, to) in steps(from) {
                far.entry(to).or_insert_with(|| {
                    next.push(to);
                    depth
                });
            }
        }
        level = next;
    }
    Layers::new((head, 0), length, decides, |(state, _), depth, found| {
        for (label, to) in steps(state) {
            if (depth + 1 == length && to == head)
                || (depth + 1 < length && far.get(&to) == Some(&(depth + 1)))
            {
                found.push((label, (to, 0)));
            }
        }
    })
}

/// The transitions from a state that do not get beyond a stage: label and target.
fn avoiding(
    analysis: &InevitabilityAnalysis<'_>,
    from: StateId,
    without: usize,
) -> impl Iterator<Item = (LabelId, StateId)> {
    let avoids = move |label, to| analysis.goal.avoids(LtsTransition { from, label, to }, without);
    analysis.lts.out(from).filter(move |&(label, to)| avoids(label, to))
}

/// Completes a path from the initial state that gets to a stage: with a shortest cycle through its last state that does not get beyond
/// this stage or some later one, unless that state has no transitions.
pub fn closed(
    analysis: &InevitabilityAnalysis<'_>,
    mut states: Vec<StateId>,
    mut labels: Vec<LabelId>,
    stage: usize,
) -> Option<RunWithoutGoal> {
    let head = *states.last()?;
    if analysis.lts.out(head).len() == 0 {
        return Some(RunWithoutGoal { states, labels, loop_from: None, certain: true });
    }
    let loops = (stage..analysis.goal.stages()).filter_map(|without| loop_without(analysis, head, without));
    let shortest = loops.min_by_key(Vec::len)?;
    let start = labels.len();
    for (label, to) in shortest {
        labels.push(label);
        states.push(to);
    }
    Some(RunWithoutGoal { states, labels, loop_from: Some(start), certain: true })
}

/// A shortest cycle through a state that does not get beyond a stage: labels, and the states after them.
fn loop_without(
    analysis: &InevitabilityAnalysis<'_>,
    head: StateId,
    without: usize,
) -> Option<Vec<(LabelId, StateId)>> {
    let mut reached_by: FxHashMap<StateId, (StateId, LabelId)> = FxHashMap::default();
    let mut queue = VecDeque::from([head]);
    while let Some(from) = queue.pop_front() {
        for (label, to) in avoiding(analysis, from, without) {
            reached_by.entry(to).or_insert_with(|| {
                queue.push_back(to);
                (from, label)
            });
        }
        if reached_by.contains_key(&head) {
            break;
        }
    }
    let (mut turn, mut at) = (Vec::new(), head);
    loop {
        let &(from, label) = reached_by.get(&at)?;
        turn.push((label, at));
        at = from;
        if at == head {
            break;
        }
    }
    turn.reverse();
    Some(turn)
}
