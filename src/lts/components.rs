//! Strongly connected components.

use super::clock::Clock;
use super::graph::Lts;
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
    pub fn members(&self) -> Vec<Vec<u32>> {
        let mut members = vec![Vec::new(); self.count];
        for (state, &component) in self.of.iter().enumerate() {
            if component != Self::NONE {
                members[component as usize].push(state as u32);
            }
        }
        members
    }
}

/// The strongly connected components of the subgraph with the states that `state` admits and the transitions (source,
/// label, target) that `transition` admits: Tarjan's algorithm with an explicit stack, so that long paths do not
/// overflow the call stack.
///
/// # Errors
/// If the budget is exhausted.
pub fn components(
    lts: &Lts,
    state: impl Fn(u32) -> bool,
    transition: impl Fn(u32, u32, u32) -> bool,
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
    let mut open: Vec<u32> = Vec::new();
    // States with their number and the place of the next transition to look at.
    let mut path: Vec<(u32, u32, usize)> = Vec::new();
    for root in (0..states as u32).filter(|&s| state(s)) {
        if low[root as usize] != UNSEEN {
            continue;
        }
        low[root as usize] = next;
        open.push(root);
        path.push((root, next, lts.forward().range(root).start));
        next += 1;
        while let Some((from, number, at)) = path.last_mut() {
            let (from, number) = (*from, *number);
            if *at < lts.forward().range(from).end {
                let (label, to) = lts.forward().at(*at);
                *at += 1;
                if !state(to) || !transition(from, label, to) {
                    continue;
                }
                if low[to as usize] == UNSEEN {
                    low[to as usize] = next;
                    open.push(to);
                    path.push((to, next, lts.forward().range(to).start));
                    next += 1;
                } else if result.of[to as usize] == Components::NONE {
                    low[from as usize] = low[from as usize].min(low[to as usize]);
                }
                continue;
            }
            path.pop();
            clock.tick()?;
            if low[from as usize] == number {
                while let Some(member) = open.pop() {
                    result.of[member as usize] = result.count as u32;
                    if member == from {
                        break;
                    }
                }
                result.count += 1;
            }
            if let Some((before, ..)) = path.last() {
                low[*before as usize] = low[*before as usize].min(low[from as usize]);
            }
        }
    }
    Ok(result)
}
