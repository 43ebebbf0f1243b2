//! Facts about a system without a property.

use super::bits::Bits;
use super::components::{Components, components};
use super::graph::{Lts, StateId, TransitionRows};
use super::labels::LabelId;
use kit::budget::{Budget, Clock, Exhausted};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::hash::Hash;

/// Sizes and structure of a system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// The number of reachable states.
    pub reachable_states: usize,
    /// The number of transitions between them.
    pub reachable_transitions: usize,
    /// The reachable states without transitions, ascending.
    pub deadlocks: Vec<StateId>,
    /// True if no reachable state has two transitions with one label; the invisible action counts as a label.
    pub deterministic: bool,
    /// The number of reachable transitions with an invisible label, `i` or `tau`.
    pub invisible: usize,
    /// The number of strongly connected components of the reachable part.
    pub components: usize,
    /// The number of components that contain a cycle, in which a run can stay forever.
    pub cyclic_components: usize,
    /// The number of states of the largest component.
    pub largest_component: usize,
    /// For each label the number of reachable transitions that have it.
    pub uses: Vec<usize>,
}

/// The reachable states.
///
/// # Errors
/// If the budget is exhausted.
pub fn reachable(lts: &Lts, budget: &Budget) -> Result<Bits, Exhausted> {
    let mut clock = Clock::new(budget, "states reached");
    let mut seen = Bits::new(lts.states());
    spread(lts.forward(), &mut seen, vec![lts.initial()], &mut clock)?;
    Ok(seen)
}

/// Adds to a set everything reachable from these states. Breadth first: states found together mostly have neighbouring
/// numbers, and thus neighbouring rows.
pub(in crate::lts) fn spread(
    rows: &TransitionRows,
    set: &mut Bits,
    mut level: Vec<StateId>,
    clock: &mut Clock<'_>,
) -> Result<(), Exhausted> {
    level.retain(|&state| set.insert(state.index()));
    let mut next = Vec::new();
    while !level.is_empty() {
        for state in level.drain(..) {
            clock.ticks(1 + rows.of(state).len())?;
            next.extend(rows.of(state).map(|(_, to)| to).filter(|&to| set.insert(to.index())));
        }
        std::mem::swap(&mut level, &mut next);
    }
    Ok(())
}

/// Computes the facts in a few linear passes.
///
/// # Errors
/// If the budget is exhausted.
pub fn facts(lts: &Lts, budget: &Budget) -> Result<Facts, Exhausted> {
    let reachable = reachable(lts, budget)?;
    let states = || reachable.iter().map(StateId::new);
    let mut uses = vec![0; lts.labels().len()];
    let mut deterministic = true;
    let mut clock = Clock::new(budget, "states examined");
    for state in states() {
        clock.ticks(1 + lts.out(state).len())?;
        let mut before = None;
        for (label, _) in lts.out(state) {
            uses[label.index()] += 1;
            deterministic &= before != Some(label);
            before = Some(label);
        }
    }
    let parts = components(lts, |s| reachable.has(s.index()), |_| true, budget)?;
    let mut sizes = vec![0; parts.count];
    let mut cyclic = vec![false; parts.count];
    for state in states() {
        clock.ticks(1 + lts.out(state).len())?;
        let own = parts.of[state.index()];
        debug_assert_ne!(own, Components::NONE);
        sizes[own as usize] += 1;
        cyclic[own as usize] |= lts.out(state).any(|(_, to)| parts.of[to.index()] == own);
    }
    let labels = lts.labels();
    Ok(Facts {
        reachable_states: reachable.count(),
        reachable_transitions: uses.iter().sum(),
        deadlocks: states().filter(|&s| lts.out(s).len() == 0).collect(),
        deterministic,
        invisible: labels.ids().filter(|&l| labels.is_invisible(l)).map(|l| uses[l.index()]).sum(),
        components: parts.count,
        cyclic_components: cyclic.iter().filter(|&&c| c).count(),
        largest_component: sizes.into_iter().max().unwrap_or(0),
        uses,
    })
}

/// The first `limit` wanted places of a breadth-first search, each with the labels on a shortest path to it. `after` adds
/// the steps from a place.
pub(in crate::lts) fn nearest<P: Copy + Eq + Hash>(
    start: P,
    after: impl Fn(P, &mut Vec<(LabelId, P)>),
    wanted: impl Fn(P) -> bool,
    limit: usize,
    budget: &Budget,
) -> Result<Vec<(P, Vec<LabelId>)>, Exhausted> {
    let mut clock = Clock::new(budget, "places searched");
    let mut found = Vec::new();
    // The first step to each place.
    let mut reached_by: FxHashMap<P, Option<(P, LabelId)>> = FxHashMap::from_iter([(start, None)]);
    let mut queue = VecDeque::from([start]);
    let mut steps = Vec::new();
    while found.len() < limit
        && let Some(place) = queue.pop_front()
    {
        clock.tick()?;
        if wanted(place) {
            let (mut way, mut at) = (Vec::new(), place);
            while let Some(&Some((before, label))) = reached_by.get(&at) {
                way.push(label);
                at = before;
            }
            way.reverse();
            found.push((place, way));
        }
        after(place, &mut steps);
        for (label, to) in steps.drain(..) {
            clock.room_in(&reached_by)?;
            reached_by.entry(to).or_insert_with(|| {
                queue.push_back(to);
                Some((place, label))
            });
        }
    }
    Ok(found)
}
