//! Shortest lassos: a stem, and a cycle in which a run does not get further than some stage of the goal.

use super::analysis::InevitabilityAnalysis;
use crate::lts::bits::Bits;
use crate::lts::components::{Components, components};
use crate::lts::graph::{LtsTransition, StateId};
use kit::budget::{Budget, Clock, Exhausted};
use std::collections::VecDeque;

/// The head of a lasso: the state where its cycle starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LassoHead {
    pub state: StateId,
    /// The stage that the cycle does not get beyond: the index of the action that it lacks.
    pub without: usize,
    /// The length of the stem, which gets to that stage at most.
    pub stem: usize,
    /// The length of the cycle.
    pub around: usize,
}

/// The distance of each state from the initial one along traces that get exactly to a given stage; indexed by that stage. `u32::MAX` if
/// there is no such trace.
pub fn distances(analysis: &InevitabilityAnalysis<'_>, budget: &Budget) -> Result<Vec<Vec<u32>>, Exhausted> {
    let InevitabilityAnalysis { lts, goal, .. } = *analysis;
    let mut clock = Clock::new(budget, "steps on paths without the actions");
    clock.room(4 * lts.states() * goal.stages())?;
    let mut far = vec![vec![u32::MAX; lts.states()]; goal.stages()];
    let mut queue = VecDeque::new();
    if let Some(first) = far.first_mut() {
        first[lts.initial().index()] = 0;
        queue.push_back((lts.initial(), 0));
    }
    while let Some((state, matched)) = queue.pop_front() {
        clock.tick()?;
        let own: u32 = far[matched][state.index()];
        for (label, to) in lts.out(state) {
            let after = goal.forward(LtsTransition { from: state, label, to }, matched);
            if after < goal.stages() && far[after][to.index()] == u32::MAX {
                far[after][to.index()] = own + 1;
                queue.push_back((to, after));
            }
        }
    }
    Ok(far)
}

/// The limit on the steps of the search for a shortest lasso, which many long cycles would make endless.
const MOST_STEPS: u64 = 200_000_000;

/// The head of a shortest lasso with less than `limit` transitions, if there is one, and whether it is optimal: if time,
/// memory or [`MOST_STEPS`] end the search, it is the best one so far.
///
/// # Errors
/// If the budget is exhausted before the search, or the run is interrupted.
pub fn shortest_lasso(
    analysis: &InevitabilityAnalysis<'_>,
    far: &[Vec<u32>],
    limit: usize,
    budget: &Budget,
) -> Result<(Option<LassoHead>, bool), Exhausted> {
    let mut best: Option<LassoHead> = None;
    let mut limit = limit;
    let mut near = vec![u32::MAX; analysis.lts.states()];
    let mut clock = Clock::new(budget, "steps of the search for a shortest cycle");
    for (without, distance) in far.iter().enumerate() {
        near.iter_mut().zip(distance).for_each(|(near, &far)| *near = (*near).min(far));
        let part = StageComponents::new(analysis, &near, without, budget)?;
        let inside = |step| part.has(step);
        let mut left = Loops::new(analysis, &inside);
        for state in left.by_distance(&near) {
            let stem = near[state.index()] as usize;
            if stem + 1 >= limit {
                break;
            }
            if !left.states.has(state.index()) {
                continue;
            }
            let around = match left.around(state, limit - stem - 1, &inside, &mut clock) {
                Err(Exhausted::Time | Exhausted::Memory) if limit < usize::MAX => return Ok((best, false)),
                around => around?,
            };
            if clock.done() > MOST_STEPS && limit < usize::MAX {
                return Ok((best, false));
            }
            if let Some(around) = around {
                best = Some(LassoHead { state, without, stem, around });
                limit = stem + around;
            }
            // States come in the order of their distance: a loop through this one is entered here at best.
            left.remove(state, &inside);
        }
    }
    Ok((best, true))
}

/// The heads of lassos of exactly this length, by the stage that they do not get beyond and the length of their stems, until `enough`
/// accepts one. If time, memory or [`MOST_STEPS`] end the search, the others are omitted.
///
/// # Errors
/// If the run is interrupted.
pub fn heads(
    analysis: &InevitabilityAnalysis<'_>,
    far: &[Vec<u32>],
    length: usize,
    budget: &Budget,
    mut enough: impl FnMut(LassoHead) -> bool,
) -> Result<(), Exhausted> {
    let mut near = vec![u32::MAX; analysis.lts.states()];
    let mut clock = Clock::new(budget, "steps of the search for other shortest cycles");
    for (without, distance) in far.iter().enumerate() {
        near.iter_mut().zip(distance).for_each(|(near, &far)| *near = (*near).min(far));
        let part = match StageComponents::new(analysis, &near, without, budget) {
            Err(Exhausted::Time | Exhausted::Memory) => return Ok(()),
            part => part?,
        };
        let inside = |step| part.has(step);
        let mut loops = Loops::new(analysis, &inside);
        for state in loops.by_distance(&near) {
            let stem = near[state.index()] as usize;
            if stem >= length || clock.done() > MOST_STEPS {
                break;
            }
            let around = match loops.around(state, length - stem, &inside, &mut clock) {
                Err(Exhausted::Time | Exhausted::Memory) => return Ok(()),
                around => around?,
            };
            if let Some(around) = around
                && stem + around == length
                && enough(LassoHead { state, without, stem, around })
            {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// The strongly connected components of the transitions that do not get beyond a stage.
struct StageComponents<'a> {
    analysis: &'a InevitabilityAnalysis<'a>,
    without: usize,
    components: Components,
}

impl<'a> StageComponents<'a> {
    /// Of the states that are at some distance.
    fn new(
        analysis: &'a InevitabilityAnalysis<'a>,
        near: &[u32],
        without: usize,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let is_near = |state: StateId| near[state.index()] != u32::MAX;
        let other = |step: LtsTransition| analysis.goal.avoids(step, without);
        Ok(Self { analysis, without, components: components(analysis.lts, is_near, other, budget)? })
    }

    /// True if a transition lies inside a component, and thus on a cycle.
    fn has(&self, step: LtsTransition) -> bool {
        let of = &self.components.of;
        let own = of[step.from.index()];
        own != Components::NONE && own == of[step.to.index()] && self.analysis.goal.avoids(step, self.without)
    }
}

/// The states that may still lie on a cycle.
struct Loops<'a> {
    analysis: &'a InevitabilityAnalysis<'a>,
    states: Bits,
    /// For each state the number of incoming transitions from states that remain.
    incoming: Vec<u32>,
    seen: Vec<u32>,
    round: u32,
}

impl<'a> Loops<'a> {
    fn new(analysis: &'a InevitabilityAnalysis<'a>, inside: &impl Fn(LtsTransition) -> bool) -> Self {
        let lts = analysis.lts;
        let (mut states, mut incoming) = (Bits::new(lts.states()), vec![0; lts.states()]);
        for LtsTransition { to, .. } in lts.all_transitions().filter(|&step| inside(step)) {
            states.insert(to.index());
            incoming[to.index()] += 1;
        }
        Self { analysis, states, incoming, seen: vec![0; lts.states()], round: 0 }
    }

    /// The states, the nearest first.
    fn by_distance(&self, near: &[u32]) -> Vec<StateId> {
        let mut order: Vec<StateId> = self.states.iter().map(StateId::new).collect();
        order.sort_by_key(|&state| near[state.index()]);
        order
    }

    /// The length of a shortest cycle through a state, if it is at most `limit`.
    fn around(
        &mut self,
        state: StateId,
        limit: usize,
        inside: &impl Fn(LtsTransition) -> bool,
        clock: &mut Clock<'_>,
    ) -> Result<Option<usize>, Exhausted> {
        self.round += 1;
        self.seen[state.index()] = self.round;
        let mut level = vec![state];
        for length in 1..=limit {
            let mut next = Vec::new();
            for &from in &level {
                clock.tick()?;
                for (label, to) in self.analysis.lts.out(from) {
                    if !inside(LtsTransition { from, label, to }) || !self.states.has(to.index()) {
                        continue;
                    }
                    if to == state {
                        return Ok(Some(length));
                    }
                    if self.seen[to.index()] != self.round {
                        self.seen[to.index()] = self.round;
                        next.push(to);
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            level = next;
        }
        Ok(None)
    }

    /// Removes a state, and those that are left without incoming transitions.
    fn remove(&mut self, state: StateId, inside: &impl Fn(LtsTransition) -> bool) {
        self.states.remove(state.index());
        let mut open = vec![state];
        while let Some(from) = open.pop() {
            for (label, to) in self.analysis.lts.out(from) {
                if inside(LtsTransition { from, label, to }) && self.states.has(to.index()) {
                    self.incoming[to.index()] -= 1;
                    if self.incoming[to.index()] == 0 {
                        self.states.remove(to.index());
                        open.push(to);
                    }
                }
            }
        }
    }
}
