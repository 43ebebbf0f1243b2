//! Strongly connected components.

use super::graph::{Lts, StateId, Transition};
use crate::budget::{Budget, Clock, Exhausted};
use std::ops::Range;

/// The strongly connected components of the part that was asked about.
#[derive(Debug, Clone)]
pub struct Components {
    /// The component of each state; [`Components::NONE`] outside the part. A transition never leads to a
    /// component with a greater number.
    pub of: Vec<u32>,
    /// The number of components.
    pub count: usize,
}

impl Components {
    /// The component of states that are outside the part.
    pub const NONE: u32 = u32::MAX;

    /// The states of each component, components in ascending order.
    pub fn members(&self) -> Vec<Vec<StateId>> {
        let mut members = vec![Vec::new(); self.count];
        for (state, &component) in self.of.iter().enumerate() {
            if component != Self::NONE {
                members[component as usize].push(StateId::new(state));
            }
        }
        members
    }
}

/// A node on the path of the search.
struct Visit {
    node: usize,
    /// Its number in the order of the search.
    number: u32,
    /// The next of its edges to look at.
    next: usize,
}

/// The strongly connected components of the subgraph with the states that `state` admits and the transitions that
/// `transition` admits.
///
/// # Errors
/// If the budget is exhausted.
pub fn components(
    lts: &Lts,
    state: impl Fn(StateId) -> bool,
    transition: impl Fn(Transition) -> bool,
    budget: &Budget,
) -> Result<Components, Exhausted> {
    let target = |from: usize, edge: usize| {
        let (label, to) = lts.forward().at(edge);
        let admitted = state(to) && transition(Transition { from: StateId::new(from), label, to });
        admitted.then(|| to.index())
    };
    let roots = lts.state_ids().filter(|&s| state(s)).map(StateId::index);
    components_of(lts.states(), roots, |node| lts.forward().range(StateId::new(node)), target, budget)
}

/// The strongly connected components of what can be reached from `roots` in a graph of so many nodes: the numbers of the edges of
/// a node, and where an edge of a node leads, if that belongs to the graph. From a component, only those with smaller numbers
/// can be reached. Tarjan's algorithm with an explicit stack, so that long paths do not overflow the call stack.
///
/// # Errors
/// If the budget is exhausted.
pub fn components_of(
    nodes: usize,
    roots: impl Iterator<Item = usize>,
    edges: impl Fn(usize) -> Range<usize>,
    target: impl Fn(usize, usize) -> Option<usize>,
    budget: &Budget,
) -> Result<Components, Exhausted> {
    const UNSEEN: u32 = u32::MAX;
    let mut clock = Clock::new(budget, "states searched for cycles");
    clock.room(8 * nodes)?;
    let mut result = Components { of: vec![Components::NONE; nodes], count: 0 };
    // The number of a node in the order of the search, lowered to the least one it gets back to.
    let mut low = vec![UNSEEN; nodes];
    let mut next = 0;
    let mut open: Vec<usize> = Vec::new();
    let mut path: Vec<Visit> = Vec::new();
    for root in roots {
        if low[root] != UNSEEN {
            continue;
        }
        low[root] = next;
        open.push(root);
        path.push(Visit { node: root, number: next, next: edges(root).start });
        next += 1;
        while let Some(visit) = path.last_mut() {
            let (from, number) = (visit.node, visit.number);
            if visit.next < edges(from).end {
                let to = target(from, visit.next);
                visit.next += 1;
                let Some(to) = to else { continue };
                if low[to] == UNSEEN {
                    low[to] = next;
                    open.push(to);
                    path.push(Visit { node: to, number: next, next: edges(to).start });
                    next += 1;
                } else if result.of[to] == Components::NONE {
                    low[from] = low[from].min(low[to]);
                }
                continue;
            }
            path.pop();
            clock.tick()?;
            if low[from] == number {
                while let Some(member) = open.pop() {
                    result.of[member] = result.count as u32;
                    if member == from {
                        break;
                    }
                }
                result.count += 1;
            }
            if let Some(before) = path.last() {
                low[before.node] = low[before.node].min(low[from]);
            }
        }
    }
    Ok(result)
}
