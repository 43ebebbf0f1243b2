//! Strong bisimulation: its equivalence classes, and the quotient of a system.

use super::facts::reachable;
use super::graph::{Builder, Lts, Rows, StateId, Transition};
use super::labels::LabelId;
use crate::budget::{Budget, Clock, Exhausted, Stage};
use rustc_hash::FxHashMap;

/// The quotient of a system: the smallest one that is strongly bisimilar to it.
#[derive(Debug, Clone)]
pub struct Quotient {
    /// The system; its states are numbered in breadth-first order, from the initial state 0.
    pub lts: Lts,
    /// For each state of the original system its class; `None` for unreachable states.
    pub state_of: Vec<Option<StateId>>,
}

/// The quotient of the reachable part of a system.
///
/// # Errors
/// If the budget is exhausted.
pub fn quotient(lts: &Lts, budget: &Budget) -> Result<Quotient, Exhausted> {
    let block = Refinement::new(lts, budget)?.run(budget)?;
    let mut number: Vec<Option<StateId>> = vec![None; lts.states()];
    let mut members = vec![lts.initial()];
    number[block[lts.initial().index()] as usize] = Some(StateId::FIRST);
    let mut builder = Builder::with_labels(lts.labels().clone());
    let mut clock = Clock::new(budget, "classes listed");
    let mut at = 0;
    while at < members.len() {
        clock.tick()?;
        for (label, to) in lts.out(members[at]) {
            let slot = &mut number[block[to.index()] as usize];
            let target = *slot.get_or_insert_with(|| {
                members.push(to);
                StateId::new(members.len() - 1)
            });
            builder.add(StateId::new(at), label, target);
        }
        at += 1;
    }
    let reachable = reachable(lts, budget)?;
    let state_of =
        (0..lts.states()).map(|s| if reachable.has(s) { number[block[s] as usize] } else { None }).collect();
    Ok(Quotient { lts: builder.finish(StateId::FIRST, members.len() as u32), state_of })
}

/// The number of states in splitters between two checks of the budget.
const PATIENCE: u64 = 1 << 14;

/// The relational coarsest partition, after R. Paige and R. E. Tarjan (1987), with labels.
///
/// Blocks are ranges of `order`. A group is a set of blocks that has been one block when the partition was last
/// made stable with respect to it; while a group has several blocks, the smaller of two of them splits all
/// others, by whether states lead into it, and of those that do, by whether they also lead into the rest of its
/// group. For this the transitions from one state with one label into one group share a counter.
struct Refinement<'a> {
    lts: &'a Lts,
    backward: Rows,
    /// For each transition of `backward` its counter.
    counter: Vec<u32>,
    counts: Vec<u32>,
    /// The states, block by block.
    order: Vec<StateId>,
    /// The index of each state in `order`.
    place: Vec<u32>,
    block: Vec<u32>,
    ranges: Vec<Block>,
    group: Vec<u32>,
    blocks_of: Vec<Vec<u32>>,
    /// Groups with several blocks.
    unstable: Vec<u32>,
}

/// A block: a range of `order`.
#[derive(Clone, Copy)]
struct Block {
    start: u32,
    end: u32,
    /// The end of the states at its start that are marked.
    marked: u32,
}

impl Block {
    /// A block without marked states.
    fn new(start: u32, end: u32) -> Self {
        Self { start, end, marked: start }
    }
}

/// A transition into a splitter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entering {
    label: LabelId,
    source: StateId,
    /// Its place in `backward`.
    at: u32,
}

impl<'a> Refinement<'a> {
    fn new(lts: &'a Lts, budget: &Budget) -> Result<Self, Exhausted> {
        let mut clock = Clock::new(budget, "states compared by their labels");
        let states = lts.states();
        clock.room(16 * lts.transitions() + 16 * states)?;
        // What leaves a state with one label leads into the one group there is: one counter for each run of
        // equal labels in a row.
        let backward = lts.backward_within(budget)?;
        let (mut counts, mut forward) = (Vec::new(), Vec::with_capacity(lts.transitions()));
        for state in lts.state_ids() {
            clock.ticks(1 + lts.out(state).len())?;
            let mut before = None;
            for (label, _) in lts.out(state) {
                if before != Some(label) {
                    counts.push(0u32);
                    before = Some(label);
                }
                forward.push(counts.len() as u32 - 1);
                counts[forward[forward.len() - 1] as usize] += 1;
            }
        }
        // Transitions come in the same order here as when `backward` was made.
        let mut next: Vec<usize> = lts.state_ids().map(|s| backward.range(s).start).collect();
        let mut counter = vec![0; lts.transitions()];
        for (Transition { to, .. }, own) in lts.all_transitions().zip(forward) {
            clock.tick()?;
            counter[next[to.index()]] = own;
            next[to.index()] += 1;
        }
        let mut refinement = Self {
            lts,
            backward,
            counter,
            counts,
            order: Vec::new(),
            place: vec![0; states],
            block: vec![0; states],
            ranges: Vec::new(),
            group: Vec::new(),
            blocks_of: vec![Vec::new()],
            unstable: Vec::new(),
        };
        refinement.start(&mut clock)?;
        Ok(refinement)
    }

    /// The first partition: states with the same set of labels are together.
    fn start(&mut self, clock: &mut Clock<'_>) -> Result<(), Exhausted> {
        let mut numbers: FxHashMap<Vec<LabelId>, u32> = FxHashMap::default();
        for state in self.lts.state_ids() {
            clock.tick()?;
            let mut labels: Vec<LabelId> = self.lts.out(state).map(|(label, _)| label).collect();
            labels.dedup();
            let fresh = numbers.len() as u32;
            self.block[state.index()] = *numbers.entry(labels).or_insert(fresh);
        }
        let mut order: Vec<StateId> = self.lts.state_ids().collect();
        order.sort_by_key(|&s| self.block[s.index()]);
        for (at, &state) in order.iter().enumerate() {
            self.place[state.index()] = at as u32;
            let block = self.block[state.index()] as usize;
            if block == self.ranges.len() {
                self.ranges.push(Block::new(at as u32, at as u32));
            }
            self.ranges[block].end = at as u32 + 1;
        }
        self.order = order;
        self.group = vec![0; self.ranges.len()];
        self.blocks_of[0] = (0..self.ranges.len() as u32).collect();
        if self.ranges.len() > 1 {
            self.unstable.push(0);
        }
        Ok(())
    }

    fn size(&self, block: u32) -> u32 {
        let Block { start, end, .. } = self.ranges[block as usize];
        end - start
    }

    /// The block of each state in the coarsest stable partition.
    fn run(mut self, budget: &Budget) -> Result<Vec<u32>, Exhausted> {
        // The number of states in splitters since the last check of the budget.
        let mut moved = 0;
        while let Some(group) = self.unstable.pop() {
            let blocks = &mut self.blocks_of[group as usize];
            let (Some(one), Some(other)) = (blocks.pop(), blocks.pop()) else { continue };
            let (splitter, rest) =
                if self.size(one) <= self.size(other) { (one, other) } else { (other, one) };
            let blocks = &mut self.blocks_of[group as usize];
            blocks.push(rest);
            if blocks.len() > 1 {
                self.unstable.push(group);
            }
            self.group[splitter as usize] = self.blocks_of.len() as u32;
            self.blocks_of.push(vec![splitter]);
            moved += u64::from(self.size(splitter));
            self.split_by(splitter, budget)?;
            if moved >= PATIENCE {
                moved = 0;
                let stage = Stage { done: self.ranges.len() as u64, of: None, what: "classes distinguished" };
                budget.at(stage).map_or(Ok(()), Err)?;
            }
        }
        Ok(self.block)
    }

    fn split_by(&mut self, splitter: u32, budget: &Budget) -> Result<(), Exhausted> {
        let Block { start, end, .. } = self.ranges[splitter as usize];
        let mut into: Vec<Entering> = Vec::new();
        let mut clock = Clock::new(budget, "transitions compared");
        for at in start..end {
            let range = self.backward.range(self.order[at as usize]);
            clock.ticks(range.len())?;
            into.extend(range.map(|t| {
                let (label, source) = self.backward.at(t);
                Entering { label, source, at: t as u32 }
            }));
        }
        into.sort_unstable();
        let mut sources: Vec<StateId> = Vec::new();
        // Sources that lead into the splitter with this label, but nowhere else into its former group.
        let mut only: Vec<StateId> = Vec::new();
        for of_label in into.chunk_by(|a, b| a.label == b.label) {
            sources.clear();
            only.clear();
            for of_source in of_label.chunk_by(|a, b| a.source == b.source) {
                clock.ticks(of_source.len())?;
                let source = of_source[0].source;
                let old = self.counter[of_source[0].at as usize];
                self.counts[old as usize] -= of_source.len() as u32;
                sources.push(source);
                let own = if self.counts[old as usize] == 0 {
                    only.push(source);
                    old
                } else {
                    self.counts.push(0);
                    self.counts.len() as u32 - 1
                };
                self.counts[own as usize] = of_source.len() as u32;
                of_source.iter().for_each(|entering| self.counter[entering.at as usize] = own);
            }
            self.split(&sources);
            self.split(&only);
        }
        Ok(())
    }

    /// Splits every block into the states among these and the others.
    fn split(&mut self, states: &[StateId]) {
        let mut touched = Vec::new();
        for &state in states {
            let block = self.block[state.index()];
            let Block { start, marked, .. } = self.ranges[block as usize];
            if start == marked {
                touched.push(block);
            }
            let at = self.place[state.index()];
            let other = self.order[marked as usize];
            self.order.swap(at as usize, marked as usize);
            self.place[state.index()] = marked;
            self.place[other.index()] = at;
            self.ranges[block as usize].marked += 1;
        }
        for block in touched {
            let Block { start, end, marked } = self.ranges[block as usize];
            self.ranges[block as usize].marked = start;
            if marked == end {
                continue;
            }
            // The smaller part becomes a new block.
            let fresh = self.ranges.len() as u32;
            let (new, kept) = if marked - start <= end - marked {
                (Block::new(start, marked), Block::new(marked, end))
            } else {
                (Block::new(marked, end), Block::new(start, marked))
            };
            self.ranges[block as usize] = kept;
            self.ranges.push(new);
            for at in new.start..new.end {
                self.block[self.order[at as usize].index()] = fresh;
            }
            let group = self.group[block as usize];
            self.group.push(group);
            let blocks = &mut self.blocks_of[group as usize];
            blocks.push(fresh);
            if blocks.len() == 2 {
                self.unstable.push(group);
            }
        }
    }
}
