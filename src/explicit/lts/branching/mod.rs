//! Branching bisimulation: the quotient of a system.
//!
//! After R. J. van Glabbeek and W. P. Weijland, *Branching time and abstraction in bisimulation semantics* (1996), blind to
//! divergence: that a state can do invisible steps for ever is not seen. States on a cycle of invisible steps are one. Then
//! classes are told apart by signatures.

mod refinement;
mod signatures;

use super::bisimulation::{Quotient, quotient};
use super::components::components;
use super::facts::reachable;
use super::graph::{Lts, LtsBuilder, StateId};
use super::labels::LabelId;
use kit::budget::{Budget, Clock, Exhausted};
use kit::number::to_u32;
use refinement::Refinement;

/// The quotient of the reachable part of a system modulo branching bisimulation. Invisible labels become one.
///
/// # Errors
/// If the budget is exhausted.
pub fn branching_quotient(lts: &Lts, budget: &Budget) -> Result<Quotient, Exhausted> {
    let labels = lts.labels();
    let invisible: Vec<bool> = labels.ids().map(|label| labels.is_invisible(label)).collect();
    if !lts.all_transitions().any(|step| invisible[step.label.index()]) {
        return quotient(lts, budget);
    }
    let found = components(lts, |_| true, |step| invisible[step.label.index()], budget)?;
    let reachable = reachable(lts, budget)?;
    let on_cycles = found.count < lts.states();
    let (small, number) = match on_cycles {
        true => {
            let start = StateId::from_u32(found.of[lts.initial().index()]);
            acyclic_quotient(&collapse(lts, &found.of, &invisible, start, budget)?, &invisible, budget)?
        }
        false => acyclic_quotient(lts, &invisible, budget)?,
    };
    let component = |state: usize| if on_cycles { found.of[state] as usize } else { state };
    let state_of =
        (0..lts.states()).map(|s| if reachable.has(s) { number[component(s)] } else { None }).collect();
    Ok(Quotient { lts: small, state_of })
}

/// The system of the components of invisible steps, numbered as these are.
fn collapse(
    lts: &Lts,
    component: &[u32],
    invisible: &[bool],
    start: StateId,
    budget: &Budget,
) -> Result<Lts, Exhausted> {
    let mut clock = Clock::new(budget, "transitions between cycles collected");
    let mut builder = LtsBuilder::with_labels(lts.labels().clone());
    for step in lts.all_transitions() {
        clock.tick()?;
        let (from, to) = (component[step.from.index()], component[step.to.index()]);
        if from != to || !invisible[step.label.index()] {
            builder.add(StateId::from_u32(from), step.label, StateId::from_u32(to));
        }
    }
    let states = component.iter().max().map_or(1, |last| last + 1);
    builder.finish_within(start, states, budget)
}

/// The quotient of a system where no invisible steps lead from a state back to it, and the class of each state that is reached.
fn acyclic_quotient(
    lts: &Lts,
    invisible: &[bool],
    budget: &Budget,
) -> Result<(Lts, Vec<Option<StateId>>), Exhausted> {
    let block = Refinement::new(lts, invisible, budget)?.run(budget)?;
    let within = |from: StateId, (label, to): (LabelId, StateId)| {
        invisible[label.index()] && block[from.index()] == block[to.index()]
    };
    // What a class can do, does each of its states that no invisible step leads from to another one.
    let last = |mut state: StateId| {
        while let Some((_, to)) = lts.out(state).find(|&step| step.1 != state && within(state, step)) {
            state = to;
        }
        state
    };
    let silent = lts.labels().ids().find(|label| invisible[label.index()]);
    let mut clock = Clock::new(budget, "classes listed");
    let mut number: Vec<Option<StateId>> = vec![None; lts.states()];
    number[block[lts.initial().index()] as usize] = Some(StateId::FIRST);
    let mut members = vec![last(lts.initial())];
    let mut builder = LtsBuilder::with_labels(lts.labels().clone());
    let mut at = 0;
    while let Some(&state) = members.get(at) {
        clock.ticks(1 + lts.out(state).len())?;
        for (label, to) in lts.out(state).filter(|&step| !within(state, step)) {
            let target = *number[block[to.index()] as usize].get_or_insert_with(|| {
                members.push(last(to));
                StateId::new(members.len() - 1)
            });
            let label = silent.filter(|_| invisible[label.index()]).unwrap_or(label);
            builder.add(StateId::new(at), label, target);
        }
        at += 1;
    }
    let small = builder.finish_within(StateId::FIRST, to_u32(members.len()), budget)?;
    Ok((small, block.iter().map(|&block| number[block as usize]).collect()))
}
