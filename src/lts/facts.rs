//! What can be said of a system without a property.

use super::bits::Bits;
use super::components::{Components, components};
use super::graph::Lts;

/// Sizes and shape of a system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// How many states can be reached.
    pub reachable_states: usize,
    /// How many transitions leave them.
    pub reachable_transitions: usize,
    /// The reachable states without transitions, ascending.
    pub deadlocks: Vec<u32>,
    /// Whether no reachable state has two transitions with one label; the invisible action counts as a label.
    pub deterministic: bool,
    /// How many reachable transitions have an invisible label, `i` or `tau`.
    pub invisible: usize,
    /// How many strongly connected components the reachable states have.
    pub components: usize,
    /// How many of them have a transition inside: runs can stay there for ever.
    pub cyclic_components: usize,
    /// How many states the largest one has.
    pub largest_component: usize,
    /// For each label how many reachable transitions have it.
    pub uses: Vec<usize>,
}

/// The states that can be reached.
pub fn reachable(lts: &Lts) -> Bits {
    let mut seen = Bits::new(lts.states());
    let mut open = vec![lts.initial()];
    seen.insert(lts.initial() as usize);
    while let Some(state) = open.pop() {
        for (_, to) in lts.out(state) {
            if seen.insert(to as usize) {
                open.push(to);
            }
        }
    }
    seen
}

/// Looks at the whole reachable part.
pub fn facts(lts: &Lts) -> Facts {
    let reachable = reachable(lts);
    let states = || reachable.iter().map(|state| state as u32);
    let mut uses = vec![0; lts.labels().len()];
    let mut deterministic = true;
    for state in states() {
        let mut before = None;
        for (label, _) in lts.out(state) {
            uses[label as usize] += 1;
            deterministic &= before != Some(label);
            before = Some(label);
        }
    }
    let parts = components(lts, |s| reachable.has(s as usize), |_, _, _| true);
    let mut sizes = vec![0; parts.count];
    let mut cyclic = vec![false; parts.count];
    for state in states() {
        let own = parts.of[state as usize];
        debug_assert_ne!(own, Components::NONE);
        sizes[own as usize] += 1;
        cyclic[own as usize] |= lts.out(state).any(|(_, to)| parts.of[to as usize] == own);
    }
    let labels = lts.labels();
    Facts {
        reachable_states: reachable.count(),
        reachable_transitions: uses.iter().sum(),
        deadlocks: states().filter(|&s| lts.out(s).len() == 0).collect(),
        deterministic,
        invisible: labels.numbers().filter(|&l| labels.is_invisible(l)).map(|l| uses[l as usize]).sum(),
        components: parts.count,
        cyclic_components: cyclic.iter().filter(|&&c| c).count(),
        largest_component: sizes.into_iter().max().unwrap_or(0),
        uses,
    }
}
