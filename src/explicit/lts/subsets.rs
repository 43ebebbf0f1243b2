//! Sets of states that the same sequences of visible labels lead to, and the deterministic system that they make.

use super::bisimulation::quotient;
use super::branching::branching_quotient;
use super::graph::{Lts, LtsBuilder, StateId};
use super::labels::LabelId;
use kit::budget::{Budget, Clock, Exhausted};
use kit::number::to_u32;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Where a set leads: visible labels in ascending order, with the numbers of sets.
pub type SubsetSteps = Rc<[(LabelId, u32)]>;

/// Sets of states with all that invisible steps lead to, by number.
pub struct SubsetTable<'a> {
    lts: &'a Lts,
    invisible: Vec<bool>,
    numbers: FxHashMap<Rc<[StateId]>, u32>,
    sets: Vec<Rc<[StateId]>>,
    after: Vec<Option<SubsetSteps>>,
    /// The budget of those who make sets.
    pub clock: Clock<'a>,
}

impl<'a> SubsetTable<'a> {
    /// No sets of states of a system.
    pub fn new(lts: &'a Lts, budget: &'a Budget) -> Self {
        let labels = lts.labels();
        Self {
            lts,
            invisible: labels.ids().map(|label| labels.is_invisible(label)).collect(),
            numbers: FxHashMap::default(),
            sets: Vec::new(),
            after: Vec::new(),
            clock: Clock::new(budget, "steps of sets of states"),
        }
    }

    /// The number of sets so far.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// States with all that invisible steps lead to, ascending.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn closed(&mut self, states: Vec<StateId>) -> Result<Vec<StateId>, Exhausted> {
        let mut found = FxHashSet::from_iter(states.iter().copied());
        let mut open = states;
        while let Some(state) = open.pop() {
            self.clock.ticks(1 + self.lts.out(state).len())?;
            let silent = self.lts.out(state).filter(|step| self.invisible[step.0.index()]);
            open.extend(silent.map(|(_, to)| to).filter(|&to| found.insert(to)));
        }
        let mut closed: Vec<StateId> = found.into_iter().collect();
        closed.sort_unstable();
        Ok(closed)
    }

    /// The number of the set of these states and all that invisible steps lead to.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn set(&mut self, states: Vec<StateId>) -> Result<u32, Exhausted> {
        let closed: Rc<[StateId]> = self.closed(states)?.into();
        if let Some(&known) = self.numbers.get(&closed) {
            return Ok(known);
        }
        self.clock.room_in(&self.numbers)?;
        let new = to_u32(self.sets.len());
        self.numbers.insert(Rc::clone(&closed), new);
        self.sets.push(closed);
        self.after.push(None);
        Ok(new)
    }

    /// Where a set leads.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn after(&mut self, set: u32) -> Result<SubsetSteps, Exhausted> {
        if let Some(known) = &self.after[set as usize] {
            return Ok(Rc::clone(known));
        }
        let states = Rc::clone(&self.sets[set as usize]);
        let mut steps: Vec<(LabelId, StateId)> = Vec::new();
        for &state in states.iter() {
            self.clock.ticks(1 + self.lts.out(state).len())?;
            steps.extend(self.lts.out(state).filter(|step| !self.invisible[step.0.index()]));
        }
        steps.sort_unstable();
        steps.dedup();
        let mut after = Vec::new();
        for of_label in steps.chunk_by(|a, b| a.0 == b.0) {
            after.push((of_label[0].0, self.set(of_label.iter().map(|step| step.1).collect())?));
        }
        let after: SubsetSteps = after.into();
        self.after[set as usize] = Some(Rc::clone(&after));
        Ok(after)
    }
}

/// The smallest deterministic system without invisible steps that has the traces of a system: sequences of visible labels, with any
/// number of invisible steps between. Its states are sets of states of the system, of which there can be exponentially many.
///
/// # Errors
/// If the budget is exhausted.
pub fn trace_quotient(lts: &Lts, budget: &Budget) -> Result<Lts, Exhausted> {
    // Branching bisimilar states have the same traces.
    let small = branching_quotient(lts, budget)?.lts;
    let mut sets = SubsetTable::new(&small, budget);
    let mut builder = LtsBuilder::with_labels(small.labels().clone());
    sets.set(vec![small.initial()])?;
    let mut at = 0;
    while at < sets.len() {
        for &(label, to) in sets.after(to_u32(at))?.iter() {
            builder.add(StateId::new(at), label, StateId::from_u32(to));
        }
        at += 1;
    }
    let deterministic = builder.finish_within(StateId::FIRST, to_u32(at), budget)?;
    Ok(quotient(&deterministic, budget)?.lts)
}
