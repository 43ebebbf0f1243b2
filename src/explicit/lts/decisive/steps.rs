//! The labels of decisive steps, with what would have been right in their place.

use super::fates::{Fates, StateFate};
use crate::lts::bits::Bits;
use crate::lts::graph::{Lts, StateId};
use crate::lts::labels::LabelId;
use kit::budget::{Budget, Clock, Exhausted};
use std::collections::BTreeMap;

/// A label of decisive steps that are taken before any violation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisiveLabel {
    /// The label.
    pub label: LabelId,
    /// The number of decisive steps with it.
    pub steps: usize,
    /// Of the states that they leave, one that is nearest to the initial state.
    pub state: StateId,
    /// A shortest path to it.
    pub path: Vec<LabelId>,
    /// The labels of steps from that state that do not lead to a lost one and are not the environment's, with the worst fate
    /// that they lead to: safe ones first.
    pub instead: Vec<Instead>,
    /// Those labels of such steps that are possible wherever a decisive step with this label is; ascending.
    pub always: Vec<LabelId>,
}

/// An alternative to a decisive step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instead {
    /// The label of a step from the same state.
    pub label: LabelId,
    /// The fate of its target: safe or open.
    pub fate: StateFate,
}

/// How a state was reached first.
#[derive(Clone, Copy)]
struct ReachedBy {
    state: StateId,
    label: LabelId,
}

/// The labels of decisive steps, those nearest to the initial state first. Only steps before any violation count.
///
/// # Errors
/// If the budget is exhausted.
pub fn decisive_labels(lts: &Lts, fates: &Fates, budget: &Budget) -> Result<Vec<DecisiveLabel>, Exhausted> {
    let mut clock = Clock::new(budget, "states searched for decisive steps");
    clock.room(16 * lts.states())?;
    let mut seen = Bits::new(lts.states());
    let mut reached_by: Vec<Option<ReachedBy>> = vec![None; lts.states()];
    seen.insert(lts.initial().index());
    let mut order = vec![lts.initial()];
    let mut found: Vec<DecisiveLabel> = Vec::new();
    let mut index: BTreeMap<LabelId, usize> = BTreeMap::new();
    let mut at = 0;
    while let Some(&state) = order.get(at) {
        at += 1;
        clock.ticks(1 + lts.out(state).len())?;
        if fates.is_violating(state) {
            continue;
        }
        if !lts.is_before_start(state) {
            add_decisive(lts, fates, state, &reached_by, &mut found, &mut index);
        }
        for (label, to) in lts.out(state) {
            if seen.insert(to.index()) {
                reached_by[to.index()] = Some(ReachedBy { state, label });
                order.push(to);
            }
        }
    }
    Ok(found)
}

/// Adds the decisive steps that leave a state.
fn add_decisive(
    lts: &Lts,
    fates: &Fates,
    state: StateId,
    reached_by: &[Option<ReachedBy>],
    found: &mut Vec<DecisiveLabel>,
    index: &mut BTreeMap<LabelId, usize>,
) {
    let mut wrong = lts.out(state).filter(|&(_, to)| fates.is_decisive(state, to)).peekable();
    if wrong.peek().is_none() {
        return;
    }
    let instead = alternatives(lts, fates, state);
    let mut last = None;
    for (label, _) in wrong {
        let Some(&known) = index.get(&label) else {
            index.insert(label, found.len());
            let always = instead.keys().copied().collect();
            let instead = in_order(&instead);
            let path = path_to(state, reached_by);
            found.push(DecisiveLabel { label, steps: 1, state, path, instead, always });
            last = Some(label);
            continue;
        };
        found[known].steps += 1;
        if last != Some(label) {
            found[known].always.retain(|other| instead.contains_key(other));
        }
        last = Some(label);
    }
}

/// The labels of steps that do not lead to a lost state and are not the environment's, each with the worst fate that it
/// leads to. A label with which another step from the state leads to a lost one is not among them: who takes it does not
/// choose where it leads.
fn alternatives(lts: &Lts, fates: &Fates, state: StateId) -> BTreeMap<LabelId, StateFate> {
    let mut found: BTreeMap<LabelId, StateFate> = BTreeMap::new();
    for (label, to) in lts.out(state).filter(|&(label, _)| !fates.is_of_environment(label)) {
        let worst = found.entry(label).or_insert(StateFate::Safe);
        *worst = match (*worst, fates.of(to)) {
            (StateFate::Lost, _) | (_, StateFate::Lost) => StateFate::Lost,
            (StateFate::Open, _) | (_, StateFate::Open) => StateFate::Open,
            (StateFate::Safe, StateFate::Safe) => StateFate::Safe,
        };
    }
    found.retain(|_, worst| *worst != StateFate::Lost);
    found
}

/// The alternatives in a state that do not lose: labels that are not the environment's and of which no step from there leads to a lost
/// state, each with the worst fate that it leads to; safe ones first.
pub fn without_losing(lts: &Lts, fates: &Fates, state: StateId) -> Vec<Instead> {
    in_order(&alternatives(lts, fates, state))
}

fn in_order(found: &BTreeMap<LabelId, StateFate>) -> Vec<Instead> {
    let mut instead: Vec<Instead> = found.iter().map(|(&label, &fate)| Instead { label, fate }).collect();
    instead.sort_by_key(|&Instead { label, fate }| (fate, label));
    instead
}

fn path_to(state: StateId, reached_by: &[Option<ReachedBy>]) -> Vec<LabelId> {
    let (mut path, mut at) = (Vec::new(), state);
    while let Some(ReachedBy { state, label }) = reached_by[at.index()] {
        path.push(label);
        at = state;
    }
    path.reverse();
    path
}
