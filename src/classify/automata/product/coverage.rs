//! Proofs, for traces of every length, that each one that ends in its first violation is in some class.
//!
//! All automata run in parallel. Of two traces that end in the same state, only the first is extended if the
//! automata after the second accept every continuation that those after the first accept (antichains).

use super::memory::{Memories, ProductMemory};
use super::{AutomataProduct, POLL};
use kit::budget::{Budget, Limited};
use kit::number::to_u32;

/// The result of [`coverage`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Covered {
    /// Every first violation is in a class. For each state of the graph, memories of which every
    /// non-violating trace that ends there has one, or one that accepts more.
    Always(Vec<Vec<ProductMemory>>),
    /// A first violation after this many steps, and none after fewer, is in no class.
    Until(usize),
    /// More than this many combinations of states and memories.
    TooMany(usize),
}

/// Decides coverage by some of the classes, with at most `limit` combinations of states and memories.
pub fn coverage(
    product: &AutomataProduct<'_>,
    classes: &[usize],
    limit: usize,
    budget: &Budget,
) -> Limited<Covered> {
    let graph = product.graph;
    let mut memories = Memories::new(product, classes);
    let start = memories.start();
    let mut kept: Vec<Vec<u32>> = vec![Vec::new(); graph.states.len()];
    let mut layer: Vec<(usize, u32)> = Vec::new();
    let mut count = 0;
    for arrival in 0..to_u32(graph.initial) {
        let memory = memories.step(start, arrival);
        layer.push((graph.state_of(arrival), memory));
    }
    let mut length = 0;
    while !layer.is_empty() {
        let mut next = Vec::new();
        let outside = |&(state, memory): &(usize, u32)| {
            product.violates[state] && memories.accepting(memory).next().is_none()
        };
        if layer.iter().any(outside) {
            return Ok(Covered::Until(length));
        }
        layer.retain(|(state, _)| !product.violates[*state]);
        for (state, memory) in layer {
            let list = &mut kept[state];
            if list.iter().any(|&less| memories.accepts_no_more(less, memory)) {
                continue;
            }
            list.retain(|&more| !memories.accepts_no_more(memory, more));
            list.push(memory);
            count += 1;
            if count > limit {
                return Ok(Covered::TooMany(limit));
            }
            if count.is_multiple_of(POLL) {
                budget.check()?;
            }
            for &arrival in &graph.steps[state] {
                next.push((graph.state_of(arrival), memories.step(memory, arrival)));
            }
        }
        next.sort_unstable();
        next.dedup();
        layer = next;
        length += 1;
    }
    let memory = |number: u32| memories.get(number).clone();
    Ok(Covered::Always(kept.into_iter().map(|list| list.into_iter().map(memory).collect()).collect()))
}
