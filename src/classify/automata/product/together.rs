//! Combinations of classes that contain a common trace ending in its first violation, of any length.

use super::memory::Memories;
use super::search::ProductSearchResult;
use super::{AutomataProduct, POLL};
use kit::budget::{Budget, Limited};
use rustc_hash::FxHashSet;

/// Searches for a trace that ends in its first violation and whose classes, if any, are none of the ascending
/// `known` combinations. Visits at most `limit` combinations of states and memories.
///
/// # Errors
/// If the budget is exhausted.
pub fn together(
    product: &AutomataProduct<'_>,
    known: &[Vec<usize>],
    limit: usize,
    budget: &Budget,
) -> Limited<ProductSearchResult> {
    let graph = product.graph;
    let classes: Vec<usize> = (0..product.automata.len()).collect();
    let mut memories = Memories::new(product, &classes);
    let start = memories.start();
    let mut seen: FxHashSet<(usize, u32)> = FxHashSet::default();
    let mut layer: Vec<(usize, u32)> = (0..graph.initial as u32)
        .map(|arrival| (graph.state_of(arrival), memories.step(start, arrival)))
        .collect();
    let mut length = 0;
    while !layer.is_empty() {
        let mut next = Vec::new();
        for place in layer {
            if !seen.insert(place) {
                continue;
            }
            if seen.len() > limit {
                return Ok(ProductSearchResult::TooMany(limit));
            }
            if seen.len().is_multiple_of(POLL) {
                budget.exhausted().map_or(Ok(()), Err)?;
            }
            let (state, memory) = place;
            if !product.violates[state] {
                let after = graph.steps[state].iter();
                next.extend(after.map(|&at| (graph.state_of(at), memories.step(memory, at))));
                continue;
            }
            let found: Vec<usize> = memories.accepting(memory).collect();
            if !found.is_empty() && !known.contains(&found) {
                return Ok(ProductSearchResult::After(length));
            }
        }
        layer = next;
        length += 1;
    }
    Ok(ProductSearchResult::Never)
}
