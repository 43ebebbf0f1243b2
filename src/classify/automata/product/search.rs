//! Search for a trace, of whatever length, that ends in a first violation or has none, and is in a class or not, or in
//! a combination of classes that is not known.

use super::memory::Memories;
use super::{AutomataProduct, POLL};
use crate::automata::automaton::AutomatonStates;
use kit::budget::{Budget, Limited};
use kit::number::to_u32;
use rustc_hash::FxHashSet;

/// The kind of trace to search for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchTarget {
    /// True if they end in their first violation; the others have none.
    pub violating: bool,
    /// True if they are in the class.
    pub inside: bool,
    /// The least number of steps.
    pub least: usize,
}

impl SearchTarget {
    /// A trace without violation in the class, which does not suffice.
    pub const INSUFFICIENT: Self = Self { violating: false, inside: true, least: 0 };
    /// A violating trace outside the class.
    pub const UNCOVERED: Self = Self { violating: true, inside: false, least: 0 };
}

/// The result of [`search`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProductSearchResult {
    /// There is no such trace.
    Never,
    /// The shortest such traces have this many steps.
    After(usize),
    /// More than this many combinations of states and memories.
    TooMany(usize),
}

/// A node of the search: a state, the states of the automaton there, and the number of steps up to the least sought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct SearchNode {
    state: usize,
    memory: AutomatonStates,
    steps: usize,
}

/// Searches for such a trace, with at most `limit` places.
///
/// # Errors
/// If the budget is exhausted.
pub fn search(
    product: &AutomataProduct<'_>,
    class: usize,
    sought: SearchTarget,
    limit: usize,
    budget: &Budget,
) -> Limited<ProductSearchResult> {
    let (graph, automaton) = (product.graph, &product.automata[class]);
    let after = |memory: AutomatonStates, arrival: u32, steps: usize| SearchNode {
        state: graph.state_of(arrival),
        memory: product.step(class, memory, product.valuations.signature[arrival as usize]),
        steps: steps.min(sought.least),
    };
    let mut seen: FxHashSet<SearchNode> = FxHashSet::default();
    let mut layer: Vec<SearchNode> =
        (0..to_u32(graph.initial)).map(|arrival| after(automaton.start(), arrival, 0)).collect();
    let mut length = 0;
    while !layer.is_empty() {
        let mut next = Vec::new();
        for place in layer {
            let violates = product.violates[place.state];
            let is_sought = violates == sought.violating && place.steps == sought.least;
            if is_sought && automaton.accepts(place.memory) == sought.inside {
                return Ok(ProductSearchResult::After(length));
            }
            if violates || !seen.insert(place) {
                continue;
            }
            if seen.len() > limit {
                return Ok(ProductSearchResult::TooMany(limit));
            }
            if seen.len().is_multiple_of(POLL) {
                budget.check()?;
            }
            let steps = graph.steps[place.state].iter();
            next.extend(steps.map(|&arrival| after(place.memory, arrival, place.steps + 1)));
        }
        layer = next;
        length += 1;
    }
    Ok(ProductSearchResult::Never)
}

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
    let mut layer: Vec<(usize, u32)> = (0..to_u32(graph.initial))
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
                budget.check()?;
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
