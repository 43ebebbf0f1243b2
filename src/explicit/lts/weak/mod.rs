//! Weak bisimulation: the quotient of a system.
//!
//! After R. Milner, *Communication and Concurrency* (1989): a step is followed by one with the same label and any number of
//! invisible steps before and after it. Branching bisimilar states are weakly bisimilar, so the quotient modulo branching
//! bisimulation is all that has to be looked at; there invisible steps form no cycles. The relation of all weak steps is never made:
//! they are followed backward from many sets of states at a time.

mod refinement;
mod search;

use super::bisimulation::Quotient;
use super::branching::branching_quotient;
use super::components::components;
use super::graph::{Lts, LtsBuilder, LtsTransition, StateId};
use super::labels::LabelId;
use kit::budget::{Budget, Clock, Exhausted};
use kit::number::to_u32;
use refinement::WeakRefinement;
use search::{BackwardSteps, Sets, WeakSearch};

/// The quotient of the reachable part of a system modulo weak bisimulation, blind to divergence. Invisible labels become one.
///
/// Of all systems that are weakly bisimilar, it has the fewest states, and of these the fewest transitions (J. Eloranta, *Minimizing
/// the number of transitions with respect to observation equivalence*, 1991).
///
/// # Errors
/// If the budget is exhausted.
pub fn weak_quotient(lts: &Lts, budget: &Budget) -> Result<Quotient, Exhausted> {
    let branching = branching_quotient(lts, budget)?;
    let small = &branching.lts;
    let labels = small.labels();
    let Some(silent) = labels.ids().find(|&label| labels.is_invisible(label)) else {
        return Ok(branching);
    };
    let order = silent_order(small, budget)?;
    let steps = BackwardSteps::new(small, &order.rank, budget)?;
    let block = WeakRefinement::new(steps, labels.len()).run(budget)?;
    let (classes, class) = class_graph(small, &order, &block, budget)?;
    let (weak, number) = breadth_first(&own_steps(&classes, silent, budget)?, budget)?;
    let of = |state: StateId| number[class[order.rank[state.index()] as usize].index()];
    let state_of = branching.state_of.iter().map(|state| state.and_then(of)).collect();
    Ok(Quotient { state_of, lts: weak })
}

/// A system with a step for each weak one: with a label after and before any number of invisible steps, or with these alone,
/// also with none of them, which have the label `silent`. Invisible steps form no cycles in the system; strong bisimulation of the
/// result is weak bisimulation of it.
///
/// # Errors
/// If the budget is exhausted.
pub fn saturated(lts: &Lts, silent: LabelId, budget: &Budget) -> Result<Lts, Exhausted> {
    let mut clock = Clock::new(budget, "weak steps listed");
    let SilentOrder { rank, states } = silent_order(lts, budget)?;
    let mut search = WeakSearch::new(BackwardSteps::new(lts, &rank, budget)?, silent, budget)?;
    let mut builder = LtsBuilder::with_labels(lts.labels().clone());
    for label in lts.labels().ids() {
        let of_label = lts.all_transitions().filter(|step| step.label == label);
        let ranks = |step: LtsTransition| [step.from, step.to].map(|state| rank[state.index()]);
        let of_label: Vec<[u32; 2]> = of_label.map(ranks).collect();
        for (at, targets) in states.chunks(Sets::MOST).enumerate() {
            let ranks = (Sets::MOST * at..).take(targets.len());
            let leading = search.run(label, &of_label, ranks, &mut clock)?.1;
            let found = leading.all().iter().map(|&from| leading.of(from as usize).count());
            clock.room(20 * found.sum::<usize>())?;
            for &from in leading.all() {
                let sets = leading.of(from as usize).iter();
                sets.for_each(|to| builder.add(states[from as usize], label, targets[to]));
            }
        }
    }
    builder.finish_within(lts.initial(), to_u32(lts.states()), budget)
}

/// The states of a system in an order such that invisible steps lead to earlier ones.
struct SilentOrder {
    /// The states.
    states: Vec<StateId>,
    /// The place of each state among them.
    rank: Vec<u32>,
}

/// The states of a system without cycles of invisible steps in order.
fn silent_order(lts: &Lts, budget: &Budget) -> Result<SilentOrder, Exhausted> {
    let rank = components(lts, |_| true, |step| lts.labels().is_invisible(step.label), budget)?.of;
    let mut states = vec![StateId::FIRST; rank.len()];
    lts.state_ids().zip(&rank).for_each(|(state, &rank)| states[rank as usize] = state);
    Ok(SilentOrder { states, rank })
}

/// The system of the classes, numbered such that invisible steps lead to smaller ones, and the class of each state by its rank.
fn class_graph(
    lts: &Lts,
    order: &SilentOrder,
    block: &[u32],
    budget: &Budget,
) -> Result<(Lts, Vec<StateId>), Exhausted> {
    let mut clock = Clock::new(budget, "classes listed");
    let mut class_of: Vec<Option<StateId>> = vec![None; block.len()];
    let mut members = Vec::new();
    let mut class = Vec::with_capacity(block.len());
    for (&state, &block) in order.states.iter().zip(block) {
        class.push(*class_of[block as usize].get_or_insert_with(|| {
            members.push(state);
            StateId::new(members.len() - 1)
        }));
    }
    // A class can do what its first state can, which has no invisible step to another one of it.
    let of = |state: StateId| class[order.rank[state.index()] as usize];
    let mut builder = LtsBuilder::with_labels(lts.labels().clone());
    for (number, &member) in members.iter().enumerate() {
        clock.ticks(1 + lts.out(member).len())?;
        lts.out(member).for_each(|(label, to)| builder.add(StateId::new(number), label, of(to)));
    }
    Ok((builder.finish_within(of(lts.initial()), to_u32(members.len()), budget)?, class))
}

/// The system without the steps for which others, with invisible steps before or after them, make up. Invisible steps lead to smaller
/// states.
fn own_steps(lts: &Lts, silent: LabelId, budget: &Budget) -> Result<Lts, Exhausted> {
    let mut clock = Clock::new(budget, "steps compared with others");
    clock.room(24 * lts.transitions())?;
    let identity: Vec<u32> = lts.state_ids().map(StateId::to_u32).collect();
    let mut search = WeakSearch::new(BackwardSteps::new(lts, &identity, budget)?, silent, budget)?;
    let mut builder = LtsBuilder::with_labels(lts.labels().clone());
    let mut steps: Vec<LtsTransition> = lts.all_transitions().collect();
    steps.sort_unstable_by_key(|step| (step.label, step.to, step.from));
    for of_label in steps.chunk_by(|a, b| a.label == b.label) {
        let label = of_label[0].label;
        let ranks: Vec<[u32; 2]> =
            of_label.iter().map(|step| [step.from.to_u32(), step.to.to_u32()]).collect();
        let into: Vec<&[LtsTransition]> = of_label.chunk_by(|a, b| a.to == b.to).collect();
        for into in into.chunks(Sets::MOST) {
            let targets = into.iter().map(|into| into[0].to.index());
            let (silently, weakly) = search.run(label, &ranks, targets, &mut clock)?;
            for (number, step) in
                into.iter().enumerate().flat_map(|(n, into)| into.iter().map(move |s| (n, s)))
            {
                let others = lts.out(step.from).filter(|other| *other != (step.label, step.to));
                clock.ticks(1 + others.clone().count())?;
                let makes_up = |(other, to): (LabelId, StateId)| {
                    other == silent && weakly.of(to.index()).has(number)
                        || other == label && silently.of(to.index()).has(number)
                };
                if !others.clone().any(makes_up) {
                    builder.add(step.from, label, step.to);
                }
            }
        }
    }
    builder.finish_within(lts.initial(), to_u32(lts.states()), budget)
}

/// The reachable part of a system, numbered breadth-first from its initial state, and the number of each state in it.
fn breadth_first(lts: &Lts, budget: &Budget) -> Result<(Lts, Vec<Option<StateId>>), Exhausted> {
    let mut clock = Clock::new(budget, "classes listed");
    let mut number = vec![None; lts.states()];
    number[lts.initial().index()] = Some(StateId::FIRST);
    let mut listed = vec![lts.initial()];
    let mut builder = LtsBuilder::with_labels(lts.labels().clone());
    let mut at = 0;
    while let Some(&state) = listed.get(at) {
        clock.ticks(1 + lts.out(state).len())?;
        for (label, to) in lts.out(state) {
            let target = *number[to.index()].get_or_insert_with(|| {
                listed.push(to);
                StateId::new(listed.len() - 1)
            });
            builder.add(StateId::new(at), label, target);
        }
        at += 1;
    }
    Ok((builder.finish_within(StateId::FIRST, to_u32(listed.len()), budget)?, number))
}
