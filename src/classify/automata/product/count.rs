//! Counts the violating traces of each length, and those of each combination of classes: exact numbers, by
//! dynamic programming over the lengths.

use super::memory::Memories;
use super::{AutomataProduct, POLL};
use kit::budget::{Budget, Limited};
use kit::number::to_u32;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Numbers of traces by the ascending indices of the classes that contain them; the empty list stands for traces in no class.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally(pub BTreeMap<Vec<usize>, BigUint>);

/// The numbers of traces of one length.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Count {
    /// The number of steps.
    pub steps: usize,
    /// Counterexamples that end in their first violation.
    pub first: Tally,
    /// Traces with a violation anywhere.
    pub violating: Tally,
}

impl Tally {
    /// Returns the number of all traces.
    pub fn total(&self) -> BigUint {
        self.0.values().sum()
    }

    /// Returns the number of traces in a class.
    pub fn of(&self, class: usize) -> BigUint {
        self.0.iter().filter(|(classes, _)| classes.contains(&class)).map(|(_, n)| n).sum()
    }

    /// Returns the number of traces in this class and no other.
    pub fn only(&self, class: usize) -> BigUint {
        self.0.get(&vec![class]).cloned().unwrap_or_default()
    }

    /// Returns the number of traces in no class.
    pub fn outside(&self) -> BigUint {
        self.0.get(&Vec::new()).cloned().unwrap_or_default()
    }

    fn add(&mut self, classes: Vec<usize>, count: &BigUint) {
        *self.0.entry(classes).or_default() += count;
    }
}

/// The position of a trace relative to its violations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum ViolationStage {
    /// No state violates the invariant.
    Before,
    /// Only the last state violates the invariant.
    At,
    /// An earlier state violates the invariant.
    After,
}

/// A state of the model with the relevant part of the trace to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct CountNode {
    state: u32,
    memory: u32,
    stage: ViolationStage,
}

/// The nodes met so far.
#[derive(Default)]
struct CountNodes {
    numbers: FxHashMap<CountNode, u32>,
    all: Vec<CountNode>,
    /// For each node, its successors with their numbers of labels, once expanded.
    steps: Vec<Option<Vec<(u32, u32)>>>,
}

/// Counts traces of up to `longest` steps. The graph must go on after violations. `Err(limit)` if more than
/// `limit` combinations of states and memories are needed.
pub fn count(
    product: &AutomataProduct<'_>,
    longest: usize,
    limit: usize,
    budget: &Budget,
) -> Limited<Result<Vec<Count>, usize>> {
    let classes: Vec<usize> = (0..product.automata.len()).collect();
    let mut memories = Memories::new(product, &classes);
    let mut nodes = CountNodes::default();
    let start = memories.start();
    let mut now: Vec<BigUint> = Vec::new();
    for arrival in 0..to_u32(product.graph.initial) {
        let to = nodes.arrive(product, &mut memories, ViolationStage::Before, start, arrival);
        add(&mut now, to, &BigUint::from(1u32));
    }
    let mut counts = Vec::new();
    for steps in 0..=longest {
        counts.push(tallied(steps, &now, &nodes, &memories));
        if steps == longest {
            break;
        }
        let mut next: Vec<BigUint> = Vec::new();
        for (number, count) in now.iter().enumerate().filter(|(_, count)| **count != BigUint::ZERO) {
            if number.is_multiple_of(POLL) {
                budget.check()?;
            }
            nodes.expand(product, &mut memories, number);
            if nodes.all.len() > limit {
                return Ok(Err(limit));
            }
            for &(to, labels) in nodes.steps[number].iter().flatten() {
                match labels {
                    1 => add(&mut next, to, count),
                    n => add(&mut next, to, &(count * n)),
                }
            }
        }
        now = next;
    }
    Ok(Ok(counts))
}

fn add(counts: &mut Vec<BigUint>, to: u32, count: &BigUint) {
    let to = to as usize;
    if counts.len() <= to {
        counts.resize(to + 1, BigUint::ZERO);
    }
    counts[to] += count;
}

fn tallied(steps: usize, counts: &[BigUint], nodes: &CountNodes, memories: &Memories<'_, '_>) -> Count {
    let mut result = Count { steps, ..Count::default() };
    for (node, count) in nodes.all.iter().zip(counts).filter(|(_, count)| **count != BigUint::ZERO) {
        let classes = || memories.accepting(node.memory).collect::<Vec<usize>>();
        if node.stage == ViolationStage::At {
            result.first.add(classes(), count);
        }
        if node.stage != ViolationStage::Before {
            result.violating.add(classes(), count);
        }
    }
    result
}

impl CountNodes {
    /// Returns the node after an arrival.
    fn arrive(
        &mut self,
        product: &AutomataProduct<'_>,
        memories: &mut Memories<'_, '_>,
        stage: ViolationStage,
        memory: u32,
        arrival: u32,
    ) -> u32 {
        let state = product.graph.state_of(arrival);
        let stage = match stage {
            ViolationStage::Before if product.violates[state] => ViolationStage::At,
            ViolationStage::Before => ViolationStage::Before,
            ViolationStage::At | ViolationStage::After => ViolationStage::After,
        };
        let node = CountNode { state: to_u32(state), memory: memories.step(memory, arrival), stage };
        *self.numbers.entry(node).or_insert_with(|| {
            self.all.push(node);
            self.steps.push(None);
            to_u32(self.all.len()) - 1
        })
    }

    /// Computes the steps from a node, if they are unknown.
    fn expand(&mut self, product: &AutomataProduct<'_>, memories: &mut Memories<'_, '_>, number: usize) {
        if self.steps[number].is_some() {
            return;
        }
        let CountNode { state, memory, stage } = self.all[number];
        let arrivals = &product.graph.steps[state as usize];
        let mut to: Vec<u32> =
            arrivals.iter().map(|&arrival| self.arrive(product, memories, stage, memory, arrival)).collect();
        to.sort_unstable();
        let by_label = to.chunk_by(|a, b| a == b).map(|same| (same[0], to_u32(same.len())));
        self.steps[number] = Some(by_label.collect());
    }
}
