//! The coarsest partition that weak bisimulation allows.

use super::super::graph::StateId;
use super::super::labels::LabelId;
use super::super::partition::Partition;
use super::search::{BackwardSteps, LeadingStates, Sets};
use kit::budget::{Budget, Clock, Exhausted};
use kit::number::to_u32;
use rustc_hash::FxHashMap;
use std::mem::{replace, take};

/// Splits blocks by the blocks that weak steps lead to, many of these at a time.
///
/// The states that lead to a part of a block may lead to the rest of it or not, so all parts have to split the others. The largest one
/// does so last: until then it may have become small.
pub struct WeakRefinement {
    steps: BackwardSteps,
    partition: Partition,
    /// Blocks that still have to split the others.
    small: Vec<u32>,
    /// The largest parts of blocks among these.
    large: Vec<u32>,
    /// For each block, true if it is one of these.
    waits: Vec<bool>,
    /// By label, the steps into states that lead to a splitter: source and target.
    into: Vec<Vec<(u32, u32)>>,
}

impl WeakRefinement {
    /// Begins with all states in one block.
    pub fn new(steps: BackwardSteps, labels: usize) -> Self {
        Self {
            partition: Partition::new(vec![0; steps.states()]),
            steps,
            small: vec![0],
            large: Vec::new(),
            waits: vec![true],
            into: vec![Vec::new(); labels],
        }
    }

    /// The block of each state in the coarsest partition such that weak steps with the same label lead from all states of a block to
    /// the same blocks.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn run(mut self, budget: &Budget) -> Result<Vec<u32>, Exhausted> {
        let mut clock = Clock::new(budget, "weak steps followed");
        let states = self.steps.states();
        let mut before = LeadingStates::new(states, budget)?;
        let mut after = LeadingStates::new(states, budget)?;
        while (self.partition.block_count() as usize) < states {
            let queue = if self.small.is_empty() { &mut self.large } else { &mut self.small };
            let splitters = queue.split_off(queue.len().saturating_sub(Sets::MOST));
            if splitters.is_empty() {
                break;
            }
            for (number, &block) in splitters.iter().enumerate() {
                self.waits[block as usize] = false;
                let states = self.partition.states(block);
                states.iter().for_each(|state| before.add(state.index(), &Sets::one(number)));
            }
            before.close(&self.steps, &mut clock)?;
            self.split(&before);
            for label in self.collect_steps(&before) {
                let mut steps = take(&mut self.into[label.index()]);
                clock.ticks(steps.len())?;
                for (from, to) in steps.drain(..) {
                    after.add(from as usize, before.of(to as usize));
                }
                self.into[label.index()] = steps;
                after.close(&self.steps, &mut clock)?;
                self.split(&after);
                after.clear();
            }
            before.clear();
        }
        Ok(self.partition.into_blocks())
    }

    /// Collects the visible steps into states that lead to splitters; their labels.
    fn collect_steps(&mut self, before: &LeadingStates) -> Vec<LabelId> {
        let mut labels = Vec::new();
        for &to in before.all() {
            for (label, from) in self.steps.visibly(to as usize) {
                let steps = &mut self.into[label.index()];
                if steps.is_empty() {
                    labels.push(label);
                }
                steps.push((to_u32(from), to));
            }
        }
        labels
    }

    /// Splits every block into the states that lead to the same splitters.
    fn split(&mut self, leading: &LeadingStates) {
        let mut touched = Vec::new();
        for &state in leading.all() {
            let state = StateId::from_u32(state);
            let block = self.partition.block_of(state);
            if self.partition.size(block) > 1 && self.partition.mark(state) {
                touched.push(block);
            }
        }
        let mut keys = Vec::new();
        let mut numbers: FxHashMap<Sets, u32> = FxHashMap::default();
        for block in touched {
            keys.clear();
            numbers.clear();
            for at in 0..self.partition.marked(block) {
                let sets = leading.of(self.partition.state(block, at).index());
                let next = to_u32(numbers.len());
                keys.push(*numbers.entry(*sets).or_insert(next));
            }
            let new = self.partition.divide_by(block, &keys, numbers.len());
            if new.is_empty() {
                continue;
            }
            self.small.extend(new.clone());
            self.waits.extend(new.map(|_| true));
            if !replace(&mut self.waits[block as usize], true) {
                self.large.push(block);
            }
        }
    }
}
