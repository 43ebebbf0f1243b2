//! The shortest way into a loop and once around it, so that an action never comes again.

use super::analysis::Analysis;
use crate::budget::{Budget, Exhausted};
use crate::lts::bits::Bits;
use crate::lts::clock::Clock;
use crate::lts::components::{Components, components};
use std::collections::VecDeque;

/// A state where a loop is entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// The state.
    pub state: u32,
    /// The number of the action that the loop has not.
    pub without: usize,
    /// How long the way to the state is: before it, not more than the actions before that one are matched.
    pub stem: usize,
    /// How long the loop is.
    pub around: usize,
}

/// How far each state is from the initial one, along traces that match exactly so many actions; by number of
/// actions, all of them left out. `u32::MAX` where there is no such trace.
pub fn distances(analysis: &Analysis<'_>, budget: &Budget) -> Result<Vec<Vec<u32>>, Exhausted> {
    let Analysis { lts, steps, .. } = *analysis;
    let mut far = vec![vec![u32::MAX; lts.states()]; steps.len()];
    let mut queue = VecDeque::new();
    if let Some(first) = far.first_mut() {
        first[lts.initial() as usize] = 0;
        queue.push_back((lts.initial(), 0));
    }
    let mut clock = Clock::new(budget, "steps on ways without the actions");
    while let Some((state, matched)) = queue.pop_front() {
        clock.tick()?;
        let own: u32 = far[matched][state as usize];
        for (label, to) in lts.out(state) {
            let after = steps.forward(label, matched);
            if after < steps.len() && far[after][to as usize] == u32::MAX {
                far[after][to as usize] = own + 1;
                queue.push_back((to, after));
            }
        }
    }
    Ok(far)
}

/// The search for a shortest lasso takes at most so many steps: with many long loops there is no end to it.
const MOST_STEPS: u64 = 200_000_000;

/// The head of a shortest lasso with less than `limit` transitions in all, if there is one, and whether that is certain:
/// when time, memory or [`MOST_STEPS`] end the search, it is the best one so far.
///
/// # Errors
/// When the budget ends before the search, and when it is interrupted.
pub fn shortest_lasso(
    analysis: &Analysis<'_>,
    far: &[Vec<u32>],
    limit: usize,
    budget: &Budget,
) -> Result<(Option<Head>, bool), Exhausted> {
    let (lts, steps) = (analysis.lts, analysis.steps);
    let mut best: Option<Head> = None;
    let mut limit = limit;
    let mut near = vec![u32::MAX; lts.states()];
    let mut clock = Clock::new(budget, "steps on the search for a shortest loop");
    for (without, distance) in far.iter().enumerate() {
        near.iter_mut().zip(distance).for_each(|(near, &far)| *near = (*near).min(far));
        let parts = components(
            lts,
            |s| near[s as usize] != u32::MAX,
            |_, label, _| !steps.is(label, without),
            budget,
        )?;
        let inside = |from: u32, label: u32, to: u32| {
            parts.of[from as usize] != Components::NONE
                && parts.of[from as usize] == parts.of[to as usize]
                && !steps.is(label, without)
        };
        let mut left = Loops::new(analysis, &inside);
        let mut order: Vec<u32> = left.states.iter().map(|state| state as u32).collect();
        order.sort_by_key(|&state| near[state as usize]);
        for state in order {
            let stem = near[state as usize] as usize;
            if stem + 1 >= limit {
                break;
            }
            if !left.states.has(state as usize) {
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
                best = Some(Head { state, without, stem, around });
                limit = stem + around;
            }
            // States come in the order of their distance: a loop through this one is entered here at best.
            left.remove(state, &inside);
        }
    }
    Ok((best, true))
}

/// The states that can still be on a loop.
struct Loops<'a> {
    analysis: &'a Analysis<'a>,
    states: Bits,
    /// For each state how many transitions of loops lead to it.
    incoming: Vec<u32>,
    seen: Vec<u32>,
    round: u32,
}

impl<'a> Loops<'a> {
    fn new(analysis: &'a Analysis<'a>, inside: &impl Fn(u32, u32, u32) -> bool) -> Self {
        let lts = analysis.lts;
        let (mut states, mut incoming) = (Bits::new(lts.states()), vec![0; lts.states()]);
        for (_, _, to) in lts.triples().filter(|&(from, label, to)| inside(from, label, to)) {
            states.insert(to as usize);
            incoming[to as usize] += 1;
        }
        Self { analysis, states, incoming, seen: vec![0; lts.states()], round: 0 }
    }

    /// The length of a shortest loop through a state, if it is not longer than `limit`.
    fn around(
        &mut self,
        state: u32,
        limit: usize,
        inside: &impl Fn(u32, u32, u32) -> bool,
        clock: &mut Clock<'_>,
    ) -> Result<Option<usize>, Exhausted> {
        self.round += 1;
        self.seen[state as usize] = self.round;
        let mut level = vec![state];
        for length in 1..=limit {
            let mut next = Vec::new();
            for &from in &level {
                clock.tick()?;
                for (label, to) in self.analysis.lts.out(from) {
                    if !inside(from, label, to) || !self.states.has(to as usize) {
                        continue;
                    }
                    if to == state {
                        return Ok(Some(length));
                    }
                    if self.seen[to as usize] != self.round {
                        self.seen[to as usize] = self.round;
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

    /// Takes a state out, and those to which no transition of a loop leads any more.
    fn remove(&mut self, state: u32, inside: &impl Fn(u32, u32, u32) -> bool) {
        self.states.remove(state as usize);
        let mut open = vec![state];
        while let Some(from) = open.pop() {
            for (label, to) in self.analysis.lts.out(from) {
                if inside(from, label, to) && self.states.has(to as usize) {
                    self.incoming[to as usize] -= 1;
                    if self.incoming[to as usize] == 0 {
                        self.states.remove(to as usize);
                        open.push(to);
                    }
                }
            }
        }
    }
}
