//! A shortest run without the actions: one that ends, or one that repeats a loop for ever.

use super::affixes::extended;
use super::analysis::Inevitable;
use crate::budget::{Budget, Exhausted};
use crate::lts::bits::Bits;
use crate::lts::graph::Lts;
use rustc_hash::FxHashMap;

/// How a run goes on for as long as it can.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// It ends in a state without transitions.
    Finite,
    /// It repeats its actions from this index on.
    Lasso(usize),
}

/// A run without the actions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counterexample {
    /// The states, one more than labels; of a lasso, the last one is that where the loop begins.
    pub states: Vec<u32>,
    /// The labels.
    pub labels: Vec<u32>,
    /// How it goes on.
    pub shape: Shape,
    /// The indices of the labels before and after neighbourhoods.
    pub kept: Vec<usize>,
}

/// A shortest one, a loop being counted once; `Ok(None)` if there is none. Of a finite run and a lasso of the same
/// length it is the finite one.
///
/// # Errors
/// When the budget ends.
pub fn shortest_counterexample(
    inevitable: &Inevitable<'_>,
    budget: &Budget,
) -> Result<Option<Counterexample>, Exhausted> {
    if inevitable.holds() {
        return Ok(None);
    }
    let search = Search::new(inevitable.lts, inevitable.sequence);
    let ends = |at: &usize| inevitable.lts.out(search.parts(search.order[*at].0).0).len() == 0;
    let finite = (0..search.order.len()).find(ends);
    let mut best = finite.map(|at| (search.depth[at], search.order[at].0, None));
    for at in 0..search.order.len() {
        let depth = search.depth[at];
        let limit = best.as_ref().map_or(usize::MAX, |(length, ..)| *length);
        if depth + 1 >= limit {
            break;
        }
        if at % 64 == 0
            && let Some(exhausted) = budget.exhausted()
        {
            return Err(exhausted);
        }
        let place = search.order[at].0;
        if let Some(looping) = search.shortest_loop(place, limit - depth - 1) {
            best = Some((depth + looping.len(), place, Some(looping)));
        }
    }
    Ok(best.map(|(_, place, looping)| search.describe(inevitable, place, looping)))
}

/// A state together with how much of the sequence is behind it.
type Place = usize;

/// All places where the sequence is not complete, in breadth-first order.
struct Search<'a> {
    lts: &'a Lts,
    sequence: &'a [u32],
    /// Each place with the index of the one before it and the label between them.
    order: Vec<(Place, Option<(usize, u32)>)>,
    depth: Vec<usize>,
}

impl<'a> Search<'a> {
    fn new(lts: &'a Lts, sequence: &'a [u32]) -> Self {
        let mut search = Self { lts, sequence, order: Vec::new(), depth: Vec::new() };
        let mut seen = Bits::new(lts.states() * sequence.len());
        let start = search.place(lts.initial(), 0);
        seen.insert(start);
        search.order.push((start, None));
        search.depth.push(0);
        let mut at = 0;
        while at < search.order.len() {
            for (label, to) in search.after(search.order[at].0) {
                if seen.insert(to) {
                    search.order.push((to, Some((at, label))));
                    search.depth.push(search.depth[at] + 1);
                }
            }
            at += 1;
        }
        search
    }

    fn place(&self, state: u32, prefix: u32) -> Place {
        state as usize * self.sequence.len() + prefix as usize
    }

    fn parts(&self, place: Place) -> (u32, u32) {
        ((place / self.sequence.len()) as u32, (place % self.sequence.len()) as u32)
    }

    /// The steps after which the sequence is not complete.
    fn after(&self, place: Place) -> Vec<(u32, Place)> {
        let (state, prefix) = self.parts(place);
        let steps =
            self.lts.out(state).map(|(label, to)| (label, to, extended(self.sequence, prefix, label)));
        steps
            .filter(|&(.., prefix)| (prefix as usize) < self.sequence.len())
            .map(|(label, to, prefix)| (label, self.place(to, prefix)))
            .collect()
    }

    /// A shortest way back to a place with at most so many steps, and through no action of the sequence that is due.
    fn shortest_loop(&self, place: Place, most: usize) -> Option<Vec<(u32, Place)>> {
        let prefix = self.parts(place).1;
        let mut by: FxHashMap<Place, (Place, u32)> = FxHashMap::default();
        let mut level = vec![place];
        for _ in 0..most {
            let mut next = Vec::new();
            for from in level {
                for (label, to) in self.after(from).into_iter().filter(|&(_, p)| self.parts(p).1 == prefix) {
                    if to == place {
                        let mut steps = vec![(label, to)];
                        let mut at = from;
                        while at != place {
                            let (before, label) = by[&at];
                            steps.push((label, at));
                            at = before;
                        }
                        steps.reverse();
                        return Some(steps);
                    }
                    by.entry(to).or_insert_with(|| {
                        next.push(to);
                        (from, label)
                    });
                }
            }
            if next.is_empty() {
                return None;
            }
            level = next;
        }
        None
    }

    fn describe(
        &self,
        inevitable: &Inevitable<'_>,
        place: Place,
        looping: Option<Vec<(u32, Place)>>,
    ) -> Counterexample {
        let (mut states, mut labels) = (Vec::new(), Vec::new());
        let mut at = self.order.iter().position(|(p, _)| *p == place);
        while let Some(index) = at {
            let (place, by) = self.order[index];
            states.push(self.parts(place).0);
            labels.extend(by.map(|(_, label)| label));
            at = by.map(|(before, _)| before);
        }
        states.reverse();
        labels.reverse();
        let shape = looping.as_ref().map_or(Shape::Finite, |_| Shape::Lasso(labels.len()));
        for (label, place) in looping.into_iter().flatten() {
            labels.push(label);
            states.push(self.parts(place).0);
        }
        let decides: Vec<bool> = states.iter().map(|&s| inevitable.neighbourhood(s).is_some()).collect();
        let kept = (0..labels.len()).filter(|&i| decides[i] || decides[i + 1]).collect();
        Counterexample { states, labels, shape, kept }
    }
}
