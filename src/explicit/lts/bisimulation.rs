//! Strong bisimulation: its equivalence classes, and the quotient of a system.

use super::facts::reachable;
use super::graph::{Lts, LtsBuilder, LtsTransition, StateId, TransitionRows};
use super::labels::LabelId;
use super::partition::Partition;
use super::relabel::one_invisible;
use kit::budget::{Budget, Clock, Exhausted, Stage};
use kit::number::to_u32;
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
    let block = StrongRefinement::new(lts, budget)?.run(budget)?;
    let mut number: Vec<Option<StateId>> = vec![None; lts.states()];
    let mut members = vec![lts.initial()];
    number[block[lts.initial().index()] as usize] = Some(StateId::FIRST);
    let mut builder = LtsBuilder::with_labels(lts.labels().clone());
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
    let small = builder.finish(StateId::FIRST, to_u32(members.len()));
    // No step leads to a state before several initial ones, so it stays one where no other state is equivalent to it.
    let start = block[lts.initial().index()];
    let alone = block.iter().filter(|&&other| other == start).count() == 1;
    Ok(Quotient { lts: small.choosing_start(lts.chooses_start() && alone), state_of })
}

/// The quotient modulo strong bisimulation of a system whose one internal action is spelt `i` or `tau`.
///
/// # Errors
/// If the budget is exhausted.
pub fn strong_quotient(lts: &Lts, budget: &Budget) -> Result<Quotient, Exhausted> {
    match one_invisible(lts, budget)? {
        Some(other) => quotient(&other, budget),
        None => quotient(lts, budget),
    }
}

/// The number of states in splitters between two checks of the budget.
const PATIENCE: u64 = 1 << 14;

/// The relational coarsest partition, after R. Paige and R. E. Tarjan (1987), with labels.
///
/// A group is a set of blocks that has been one block when the partition was last made stable with respect to it; while a group has
/// several blocks, the smaller of two of them splits all others, by whether states lead into it, and of those that do, by whether
/// they also lead into the rest of its group. For this the transitions from one state with one label into one group share a counter.
struct StrongRefinement {
    backward: TransitionRows,
    /// For each transition of `backward` its counter.
    counter: Vec<u32>,
    counts: Vec<u32>,
    partition: Partition,
    group: Vec<u32>,
    blocks_of: Vec<Vec<u32>>,
    /// Groups with several blocks.
    unstable: Vec<u32>,
}

/// A transition into a splitter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entering {
    label: LabelId,
    source: StateId,
    /// Its place in `backward`.
    at: u32,
}

impl StrongRefinement {
    fn new(lts: &Lts, budget: &Budget) -> Result<Self, Exhausted> {
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
                forward.push(to_u32(counts.len()) - 1);
                counts[forward[forward.len() - 1] as usize] += 1;
            }
        }
        // Transitions come in the same order here as when `backward` was made.
        let mut next: Vec<usize> = lts.state_ids().map(|s| backward.range(s).start).collect();
        let mut counter = vec![0; lts.transitions()];
        for (LtsTransition { to, .. }, own) in lts.all_transitions().zip(forward) {
            clock.tick()?;
            counter[next[to.index()]] = own;
            next[to.index()] += 1;
        }
        let partition = Partition::new(by_labels(lts, &mut clock)?);
        Ok(Self {
            backward,
            counter,
            counts,
            group: vec![0; partition.block_count() as usize],
            blocks_of: vec![(0..partition.block_count()).collect()],
            unstable: if partition.block_count() > 1 { vec![0] } else { Vec::new() },
            partition,
        })
    }

    /// The block of each state in the coarsest stable partition.
    fn run(mut self, budget: &Budget) -> Result<Vec<u32>, Exhausted> {
        // The number of states in splitters since the last check of the budget.
        let mut moved = 0;
        while let Some(group) = self.unstable.pop() {
            let blocks = &mut self.blocks_of[group as usize];
            let (Some(one), Some(other)) = (blocks.pop(), blocks.pop()) else { continue };
            let (splitter, rest) = if self.partition.size(one) <= self.partition.size(other) {
                (one, other)
            } else {
                (other, one)
            };
            let blocks = &mut self.blocks_of[group as usize];
            blocks.push(rest);
            if blocks.len() > 1 {
                self.unstable.push(group);
            }
            self.group[splitter as usize] = to_u32(self.blocks_of.len());
            self.blocks_of.push(vec![splitter]);
            moved += u64::from(self.partition.size(splitter));
            self.split_by(splitter, budget)?;
            if moved >= PATIENCE {
                moved = 0;
                let stage = Stage {
                    done: u64::from(self.partition.block_count()),
                    of: None,
                    what: "classes distinguished",
                };
                budget.at(stage).map_or(Ok(()), Err)?;
            }
        }
        Ok(self.partition.into_blocks())
    }

    fn split_by(&mut self, splitter: u32, budget: &Budget) -> Result<(), Exhausted> {
        let mut into: Vec<Entering> = Vec::new();
        let mut clock = Clock::new(budget, "transitions compared");
        for at in 0..self.partition.size(splitter) {
            let range = self.backward.range(self.partition.state(splitter, at));
            clock.ticks(range.len())?;
            into.extend(range.map(|t| {
                let (label, source) = self.backward.at(t);
                Entering { label, source, at: to_u32(t) }
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
                self.counts[old as usize] -= to_u32(of_source.len());
                sources.push(source);
                let own = if self.counts[old as usize] == 0 {
                    only.push(source);
                    old
                } else {
                    self.counts.push(0);
                    to_u32(self.counts.len()) - 1
                };
                self.counts[own as usize] = to_u32(of_source.len());
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
            if self.partition.mark(state) {
                touched.push(self.partition.block_of(state));
            }
        }
        for block in touched {
            // The smaller part becomes a new block.
            let Some(fresh) = self.partition.divide_marked(block) else { continue };
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

/// The first partition: states with the same set of labels are together.
fn by_labels(lts: &Lts, clock: &mut Clock<'_>) -> Result<Vec<u32>, Exhausted> {
    let mut numbers: FxHashMap<Vec<LabelId>, u32> = FxHashMap::default();
    let mut block = Vec::with_capacity(lts.states());
    for state in lts.state_ids() {
        clock.tick()?;
        let mut labels: Vec<LabelId> = lts.out(state).map(|(label, _)| label).collect();
        labels.dedup();
        let fresh = to_u32(numbers.len());
        block.push(*numbers.entry(labels).or_insert(fresh));
    }
    Ok(block)
}
