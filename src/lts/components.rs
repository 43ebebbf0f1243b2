//! Strongly connected components.

use super::clock::Clock;
use super::graph::{Lts, StateId, Transition};
use crate::budget::{Budget, Exhausted};

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

/// A state on the path of the search.
struct Visit {
    state: StateId,
    /// Its number in the order of the search.
    number: u32,
    /// The next of its transitions to look at.
    next: usize,
}

/// The strongly connected components of the subgraph with the states that `state` admits and the transitions that
/// `transition` admits: Tarjan's algorithm with an explicit stack, so that long paths do not
/// overflow the call stack.
///
/// # Errors
/// If the budget is exhausted.
pub fn components(
    lts: &Lts,
    state: impl Fn(StateId) -> bool,
    transition: impl Fn(Transition) -> bool,
    budget: &Budget,
) -> Result<Components, Exhausted> {
    const UNSEEN: u32 = u32::MAX;
    let states = lts.states();
    let mut clock = Clock::new(budget, "states searched for cycles");
    clock.room(8 * states)?;
    let mut result = Components { of: vec![Components::NONE; states], count: 0 };
    // The number of a state in the order of the search, lowered to the least one it gets back to.
    let mut low = vec![UNSEEN; states];
    let mut next = 0;
    let mut open: Vec<StateId> = Vec::new();
    let mut path: Vec<Visit> = Vec::new();
    for root in lts.state_ids().filter(|&s| state(s)) {
        if low[root.index()] != UNSEEN {
            continue;
        }
        low[root.index()] = next;
        open.push(root);
        path.push(Visit { state: root, number: next, next: lts.forward().range(root).start });
        next += 1;
        while let Some(visit) = path.last_mut() {
            let (from, number) = (visit.state, visit.number);
            if visit.next < lts.forward().range(from).end {
                let (label, to) = lts.forward().at(visit.next);
                visit.next += 1;
                if !state(to) || !transition(Transition { from, label, to }) {
                    continue;
                }
                if low[to.index()] == UNSEEN {
                    low[to.index()] = next;
                    open.push(to);
                    path.push(Visit { state: to, number: next, next: lts.forward().range(to).start });
                    next += 1;
                } else if result.of[to.index()] == Components::NONE {
                    low[from.index()] = low[from.index()].min(low[to.index()]);
                }
                continue;
            }
            path.pop();
            clock.tick()?;
            if low[from.index()] == number {
                while let Some(member) = open.pop() {
                    result.of[member.index()] = result.count as u32;
                    if member == from {
                        break;
                    }
                }
                result.count += 1;
            }
            if let Some(before) = path.last() {
                let before = before.state.index();
                low[before] = low[before].min(low[from.index()]);
            }
        }
    }
    Ok(result)
}
