//! Branching bisimulation: the quotient of a system.
//!
//! After R. J. van Glabbeek and W. P. Weijland, *Branching time and abstraction in bisimulation semantics* (1996), blind to
//! divergence: that a state can do invisible steps for ever is not seen. States on a cycle of invisible steps are one. Then
//! classes are told apart by signatures, after S. Blom and S. Orzan, *Distributed branching bisimulation reduction of state spaces*
//! (2003), which are computed again only where something changed.

use super::bisimulation::{Quotient, quotient};
use super::bits::Bits;
use super::components::components;
use super::graph::{Builder, Lts, Rows, StateId};
use super::labels::LabelId;
use crate::budget::{Budget, Clock, Exhausted};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What can be done from a class: labels with the classes that they lead to, in ascending order.
type Signature = Rc<[(LabelId, u32)]>;

/// The quotient of the reachable part of a system modulo branching bisimulation. Invisible labels become one.
///
/// # Errors
/// If the budget is exhausted.
pub fn branching_quotient(lts: &Lts, budget: &Budget) -> Result<Quotient, Exhausted> {
    // Strongly bisimilar states are branching bisimilar, and telling these apart is faster.
    let strong = quotient(lts, budget)?;
    let labels = strong.lts.labels();
    let invisible: Vec<bool> = labels.ids().map(|label| labels.is_invisible(label)).collect();
    if !strong.lts.all_transitions().any(|step| invisible[step.label.index()]) {
        return Ok(strong);
    }
    let found = components(&strong.lts, |_| true, |step| invisible[step.label.index()], budget)?;
    let collapsed = collapse(&strong.lts, &found.of, &invisible);
    let start = StateId::from_u32(found.of[strong.lts.initial().index()]);
    let classes = Classes::new(&collapsed, budget)?.refine(budget)?;
    let (small, number) = classes.quotient(start);
    let of_strong = |state: StateId| number[classes.class[found.of[state.index()] as usize] as usize];
    let state_of = strong.state_of.iter().map(|state| state.and_then(of_strong)).collect();
    Ok(Quotient { lts: small, state_of })
}

/// The system of the components of invisible steps, numbered as these are: invisible steps lead to smaller numbers.
fn collapse(lts: &Lts, component: &[u32], invisible: &[bool]) -> Lts {
    let mut builder = Builder::with_labels(lts.labels().clone());
    let silent = lts.labels().ids().find(|label| invisible[label.index()]);
    for step in lts.all_transitions() {
        let (from, to) = (component[step.from.index()], component[step.to.index()]);
        let label = match silent {
            Some(silent) if invisible[step.label.index()] => silent,
            _ => step.label,
        };
        if from != to || Some(label) != silent {
            builder.add(StateId::from_u32(from), label, StateId::from_u32(to));
        }
    }
    let states = component.iter().max().map_or(1, |last| last + 1);
    builder.finish(StateId::FIRST, states)
}

struct Classes<'a> {
    lts: &'a Lts,
    backward: Rows,
    /// The invisible label.
    silent: Option<LabelId>,
    /// The class of each state.
    class: Vec<u32>,
    members: Vec<Vec<StateId>>,
    /// The signature of each class.
    signatures: Vec<Signature>,
}

impl<'a> Classes<'a> {
    fn new(lts: &'a Lts, budget: &Budget) -> Result<Self, Exhausted> {
        let labels = lts.labels();
        Ok(Self {
            lts,
            backward: lts.backward_within(budget)?,
            silent: labels.ids().find(|&label| labels.is_invisible(label)),
            class: vec![0; lts.states()],
            members: vec![lts.state_ids().collect()],
            signatures: vec![Rc::from([])],
        })
    }

    /// Splits classes until the states of each have the same signature.
    fn refine(mut self, budget: &Budget) -> Result<Self, Exhausted> {
        let mut clock = Clock::new(budget, "signatures computed");
        let mut stale: Vec<StateId> = self.lts.state_ids().collect();
        while !stale.is_empty() {
            let changed = self.split(&stale, &mut clock)?;
            stale = self.stale(changed, &mut clock)?;
        }
        Ok(self)
    }

    /// Computes the signatures of states that are given in ascending order, and splits their classes; the result are states with
    /// another class than before.
    fn split(&mut self, stale: &[StateId], clock: &mut Clock<'_>) -> Result<Vec<StateId>, Exhausted> {
        let mut fresh: FxHashMap<StateId, Signature> = FxHashMap::default();
        let mut groups: FxHashMap<(u32, Signature), Vec<StateId>> = FxHashMap::default();
        let mut order = Vec::new();
        for &state in stale {
            let signature = self.signature(state, &fresh, clock)?;
            let key = (self.class[state.index()], Rc::clone(&signature));
            fresh.insert(state, signature);
            let group = groups.entry(key.clone()).or_default();
            if group.is_empty() {
                order.push(key);
            }
            group.push(state);
        }
        // The groups of each class together, the largest one first; otherwise in their order.
        order.sort_by_key(|key| (key.0, std::cmp::Reverse(groups[key].len())));
        let mut changed = Vec::new();
        for of_class in order.chunk_by(|a, b| a.0 == b.0) {
            let class = of_class[0].0 as usize;
            let all: usize = of_class.iter().map(|key| groups[key].len()).sum();
            // States that are not stale keep the class and its signature; if there are none, the largest group does.
            let keeps = match all == self.members[class].len() {
                true => of_class[0].1.clone(),
                false => Rc::clone(&self.signatures[class]),
            };
            for key in of_class.iter().filter(|key| key.1 != keeps) {
                let new = self.members.len() as u32;
                let group = groups.remove(key).unwrap_or_default();
                group.iter().for_each(|state| self.class[state.index()] = new);
                changed.extend_from_slice(&group);
                self.members.push(group);
                self.signatures.push(Rc::clone(&key.1));
            }
            self.signatures[class] = keeps;
            let own = &self.class;
            self.members[class].retain(|state| own[state.index()] == class as u32);
        }
        Ok(changed)
    }

    /// What can be done from a state, after invisible steps inside of its class.
    fn signature(
        &self,
        state: StateId,
        fresh: &FxHashMap<StateId, Signature>,
        clock: &mut Clock<'_>,
    ) -> Result<Signature, Exhausted> {
        let class = self.class[state.index()];
        let mut all: Vec<(LabelId, u32)> = Vec::new();
        for (label, to) in self.lts.out(state) {
            clock.tick()?;
            if Some(label) == self.silent && self.class[to.index()] == class {
                let there = fresh.get(&to).unwrap_or(&self.signatures[class as usize]);
                clock.ticks(there.len())?;
                all.extend_from_slice(there);
            } else {
                all.push((label, self.class[to.index()]));
            }
        }
        all.sort_unstable();
        all.dedup();
        Ok(all.into())
    }

    /// The states whose signature may be another one after some states changed their classes, ascending.
    fn stale(&self, changed: Vec<StateId>, clock: &mut Clock<'_>) -> Result<Vec<StateId>, Exhausted> {
        let mut found = Bits::new(self.lts.states());
        let mut open = Vec::new();
        for &state in &changed {
            let before = self.backward.of(state).map(|(_, from)| from);
            for other in before.chain([state]) {
                clock.tick()?;
                if found.insert(other.index()) {
                    open.push(other);
                }
            }
        }
        while let Some(state) = open.pop() {
            for (label, from) in self.backward.of(state) {
                clock.tick()?;
                let same = self.class[from.index()] == self.class[state.index()];
                if Some(label) == self.silent && same && found.insert(from.index()) {
                    open.push(from);
                }
            }
        }
        Ok(found.iter().map(StateId::new).collect())
    }

    /// The system of the classes that can be reached, breadth-first, and the number of each class in it.
    fn quotient(&self, start: StateId) -> (Lts, Vec<Option<StateId>>) {
        let mut number: Vec<Option<StateId>> = vec![None; self.members.len()];
        let first = self.class[start.index()];
        number[first as usize] = Some(StateId::FIRST);
        let mut order = vec![first];
        let mut builder = Builder::with_labels(self.lts.labels().clone());
        let mut at = 0;
        while let Some(&class) = order.get(at) {
            for &(label, to) in self.signatures[class as usize].iter() {
                let target = *number[to as usize].get_or_insert_with(|| {
                    order.push(to);
                    StateId::new(order.len() - 1)
                });
                builder.add(StateId::new(at), label, target);
            }
            at += 1;
        }
        (builder.finish(StateId::FIRST, order.len() as u32), number)
    }
}
