//! Strongly connected components.

use super::graph::{Lts, LtsTransition, StateId};
use kit::budget::{Budget, Clock, Exhausted};
use kit::number::to_u32;
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
struct OpenNode {
    node: u32,
    /// How many of its edges were looked at.
    done: u32,
    /// True if it gets back to no node that comes before it on the path, as far as is known.
    is_root: bool,
}

/// The strongly connected components of the subgraph with the states that `state` admits and the transitions that
/// `transition` admits.
///
/// # Errors
/// If the budget is exhausted.
pub fn components(
    lts: &Lts,
    state: impl Fn(StateId) -> bool,
    transition: impl Fn(LtsTransition) -> bool,
    budget: &Budget,
) -> Result<Components, Exhausted> {
    let target = |from: usize, edge: usize| {
        let (label, to) = lts.forward().at(edge);
        let admitted = state(to) && transition(LtsTransition { from: StateId::new(from), label, to });
        admitted.then(|| to.index())
    };
    let roots = lts.state_ids().filter(|&s| state(s)).map(StateId::index);
    components_of(lts.states(), roots, |node| lts.forward().range(StateId::new(node)), target, budget)
}

/// The strongly connected components of what can be reached from `roots` in a graph of so many nodes, fewer than 2³² − 1: the
/// numbers of the edges of a node, and where an edge of a node leads, if that belongs to the graph. From a component, only those with
/// smaller numbers can be reached.
///
/// D. J. Pearce, *A space-efficient algorithm for finding strongly connected components*, 2016: Tarjan's algorithm with one number
/// for each node. The path of the search is a stack of its own, so that long paths do not overflow the call stack.
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
    const UNSEEN: u32 = Components::NONE;
    let mut clock = Clock::new(budget, "states and steps searched for cycles");
    clock.room(4 * nodes)?;
    // Of a node whose component is open, the number in the order of the search, lowered to the least one that it gets back to. Of all
    // others, the component, counted down from the greatest number, so that it is above all of those.
    let mut marks = vec![UNSEEN; nodes];
    let (mut next, mut component) = (0, UNSEEN);
    // Nodes that are left, while their components are open.
    let mut open: Vec<u32> = Vec::new();
    let mut path: Vec<OpenNode> = Vec::new();
    let visit = |node: usize| OpenNode { node: to_u32(node), done: 0, is_root: true };
    for root in roots {
        if marks[root] != UNSEEN {
            continue;
        }
        marks[root] = next;
        next += 1;
        path.push(visit(root));
        while let Some(OpenNode { node, done, is_root }) = path.last_mut() {
            let from = *node as usize;
            let out = edges(from);
            let edge = out.start + *done as usize;
            if edge < out.end {
                match target(from, edge) {
                    Some(to) if marks[to] == UNSEEN => {
                        marks[to] = next;
                        next += 1;
                        path.push(visit(to));
                        // The edge is looked at again once its target is left.
                        continue;
                    }
                    Some(to) if marks[to] < marks[from] => {
                        marks[from] = marks[to];
                        *is_root = false;
                    }
                    _ => {}
                }
                *done += 1;
                continue;
            }
            clock.ticks(out.len() + 1)?;
            if *is_root {
                component -= 1;
                let own = marks[from];
                while let Some(member) = open.pop_if(|member| marks[*member as usize] >= own) {
                    marks[member as usize] = component;
                    next -= 1;
                }
                marks[from] = component;
                next -= 1;
            } else {
                open.push(*node);
            }
            path.pop();
        }
    }
    // Components are closed after those that can be reached from them.
    let count = (UNSEEN - component) as usize;
    for mark in marks.iter_mut().filter(|mark| **mark != UNSEEN) {
        *mark = UNSEEN - 1 - *mark;
    }
    Ok(Components { of: marks, count })
}
