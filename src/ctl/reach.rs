//! Shortest ways to a state: what breadth-first search finds at once needs no solver.

use super::check::Truth;
use super::formula::Node;
use super::goal::Goal;
use super::structure::Structure;
use super::witness::Witness;
use crate::lts::Bits;

/// A shortest path that shows a goal, if it is `E[f U g]` and what f and g say takes no steps to show; `truth` is that of the
/// goal. Of several the first one by the order of the states.
///
/// # Panics
/// If the goal holds in no initial state.
pub fn shortest_way(goal: &Goal, structure: &Structure, truth: &Truth) -> Option<Witness<u32>> {
    if !goal.is_way() {
        return None;
    }
    let Node::Until(_, end) = goal.formula.node(goal.formula.root) else { return None };
    let root = goal.formula.root;
    let mut seen = Bits::new(structure.states());
    // How each state was reached, by its place in the order of the search.
    let starts = structure.initial.iter().filter(|&&s| truth.holds(root, s) && seen.insert(s as usize));
    let mut order: Vec<(u32, Option<usize>)> = starts.map(|&s| (s, None)).collect();
    let mut at = 0;
    while !truth.holds(*end, order[at].0) {
        for to in structure.after(order[at].0) {
            // Only where the goal holds a way goes on to its end.
            if truth.holds(root, to) && seen.insert(to as usize) {
                order.push((to, Some(at)));
            }
        }
        at += 1;
    }
    let mut path = Vec::new();
    let mut next = Some(at);
    while let Some(at) = next {
        let (state, before) = order[at];
        path.push(state);
        next = before;
    }
    path.reverse();
    Some(Witness::path(path, None))
}
