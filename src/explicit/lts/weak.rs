//! Weak bisimulation: the quotient of a system.
//!
//! After R. Milner, *Communication and Concurrency* (1989): a step is followed by one with the same label and any number of
//! invisible steps before and after it. Branching bisimilar states are weakly bisimilar, so the quotient modulo branching
//! bisimulation is all that has to be looked at; there invisible steps form no cycles. Classes are told apart by signatures, which
//! are computed from those of the states that invisible steps lead to, so that the relation of all weak steps is never made.

use super::bisimulation::Quotient;
use super::branching::branching_quotient;
use super::components::components;
use super::graph::{Lts, LtsBuilder, StateId};
use super::labels::LabelId;
use kit::budget::{Budget, Clock, Exhausted};
use kit::number::to_u32;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Parts of signatures, each once.
type SharedSlices<T> = FxHashMap<Rc<[T]>, Rc<[T]>>;

/// The weak transitions of a state: invisible steps before and after each.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct WeakSignature {
    /// The classes that invisible steps lead to, with the own one, ascending.
    silently: Rc<[u32]>,
    /// Visible labels with the classes that they lead to, ascending.
    visibly: Rc<[(LabelId, u32)]>,
}

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
    let found = components(small, |_| true, |step| labels.is_invisible(step.label), budget)?;
    let (classes, signatures) =
        WeakRefinement::new(small, &found.of, vec![0; small.states()]).refine(budget)?;
    let (weak, number) = classes.quotient(&signatures, silent, budget)?;
    let state_of =
        branching.state_of.iter().map(|state| state.and_then(|s| number[classes.class[s.index()] as usize]));
    Ok(Quotient { state_of: state_of.collect(), lts: weak })
}

/// A system with a step for each weak one: with a label after and before any number of invisible steps, or with these alone,
/// also with none of them, which have the label `silent`. Invisible steps form no cycles in the system; strong bisimulation of the
/// result is weak bisimulation of it.
///
/// # Errors
/// If the budget is exhausted.
pub fn saturated(lts: &Lts, silent: LabelId, budget: &Budget) -> Result<Lts, Exhausted> {
    let found = components(lts, |_| true, |step| lts.labels().is_invisible(step.label), budget)?;
    let classes = WeakRefinement::new(lts, &found.of, lts.state_ids().map(StateId::to_u32).collect());
    let signatures = classes.signatures(&mut Clock::new(budget, "weak steps listed"))?;
    let steps = signatures.iter().map(|all| all.silently.len() + all.visibly.len()).sum::<usize>();
    let mut clock = Clock::new(budget, "weak steps collected");
    clock.room(20 * steps)?;
    let mut builder = LtsBuilder::with_labels(lts.labels().clone());
    for (from, WeakSignature { silently, visibly }) in lts.state_ids().zip(&signatures) {
        clock.ticks(silently.len() + visibly.len())?;
        let silent_steps = silently.iter().map(|&to| (silent, to));
        for (label, to) in silent_steps.chain(visibly.iter().copied()) {
            builder.add(from, label, StateId::from_u32(to));
        }
    }
    builder.finish_within(lts.initial(), to_u32(lts.states()), budget)
}

struct WeakRefinement<'a> {
    lts: &'a Lts,
    /// The states, each after those that invisible steps lead to.
    order: Vec<StateId>,
    invisible: Vec<bool>,
    class: Vec<u32>,
}

impl<'a> WeakRefinement<'a> {
    /// Classes of the states of a system, each of which is a component of invisible steps by itself.
    fn new(lts: &'a Lts, component: &[u32], class: Vec<u32>) -> Self {
        let invisible = lts.labels().ids().map(|label| lts.labels().is_invisible(label)).collect();
        // Invisible steps lead to smaller components.
        let mut order: Vec<StateId> = lts.state_ids().collect();
        order.sort_by_key(|state| component[state.index()]);
        Self { lts, order, invisible, class }
    }

    /// Splits classes until the states of each have the same signature; these signatures.
    fn refine(mut self, budget: &Budget) -> Result<(Self, Vec<WeakSignature>), Exhausted> {
        let mut clock = Clock::new(budget, "signatures computed");
        let mut count = 1;
        let mut signatures = self.signatures(&mut clock)?;
        loop {
            let moved = self.split(&signatures, &mut count);
            if !moved.contains(&true) {
                return Ok((self, signatures));
            }
            self.update(&mut signatures, moved, &mut clock)?;
        }
    }

    /// Splits classes whose states have different signatures, and increases their number; the states that now are in another class. The largest part of
    /// a class stays. Equal parts of signatures are the same ones.
    fn split(&mut self, signatures: &[WeakSignature], count: &mut u32) -> Vec<bool> {
        let identity = |class: &[u32], state: StateId| {
            let WeakSignature { silently, visibly } = &signatures[state.index()];
            (class[state.index()], Rc::as_ptr(silently).cast::<u32>(), Rc::as_ptr(visibly).cast::<()>())
        };
        let mut sizes: FxHashMap<_, usize> = FxHashMap::default();
        self.order.iter().for_each(|&state| *sizes.entry(identity(&self.class, state)).or_default() += 1);
        let mut staying: Vec<Option<(usize, _)>> = vec![None; *count as usize];
        for &state in &self.order {
            let part = identity(&self.class, state);
            let known = &mut staying[part.0 as usize];
            if known.is_none_or(|(most, _)| sizes[&part] > most) {
                *known = Some((sizes[&part], part));
            }
        }
        let mut numbers = FxHashMap::default();
        let mut moved = vec![false; self.class.len()];
        for &state in &self.order {
            let part = identity(&self.class, state);
            if staying[part.0 as usize].is_some_and(|(_, stays)| stays == part) {
                continue;
            }
            self.class[state.index()] = *numbers.entry(part).or_insert_with(|| {
                *count += 1;
                *count - 1
            });
            moved[state.index()] = true;
        }
        moved
    }

    fn signatures(&self, clock: &mut Clock<'_>) -> Result<Vec<WeakSignature>, Exhausted> {
        let none = WeakSignature { silently: Rc::from([]), visibly: Rc::from([]) };
        let mut all = vec![none; self.lts.states()];
        self.update(&mut all, vec![true; self.lts.states()], clock)?;
        Ok(all)
    }

    /// Computes the signatures again that have classes of states that moved.
    fn update(
        &self,
        all: &mut [WeakSignature],
        moved: Vec<bool>,
        clock: &mut Clock<'_>,
    ) -> Result<(), Exhausted> {
        // Equal parts are kept once. Each new one has the number of a new class, so that no older one is equal.
        let (mut silent_parts, mut visible_parts) = (SharedSlices::default(), SharedSlices::default());
        let mut silently_changed = moved;
        // States that invisible steps lead to come first: visible ones lead anywhere.
        for &state in &self.order {
            let is_changed = |(_, to): (LabelId, StateId)| silently_changed[to.index()];
            if !silently_changed[state.index()] && !self.steps(state, true).any(is_changed) {
                continue;
            }
            silently_changed[state.index()] = true;
            let mut found = vec![self.class[state.index()]];
            for (_, to) in self.steps(state, true) {
                let later = &all[to.index()].silently;
                clock.ticks(later.len())?;
                found.extend_from_slice(later);
            }
            clock.tick()?;
            clock.room_in(&silent_parts)?;
            all[state.index()].silently = shared(found, &mut silent_parts);
        }
        let mut visibly_changed = vec![false; self.lts.states()];
        for &state in &self.order {
            let leads_to_changed = |(_, to): (LabelId, StateId)| silently_changed[to.index()];
            let follows_changed = |(_, to): (LabelId, StateId)| visibly_changed[to.index()];
            if !self.steps(state, false).any(leads_to_changed)
                && !self.steps(state, true).any(follows_changed)
            {
                continue;
            }
            visibly_changed[state.index()] = true;
            let mut found = Vec::new();
            // Many steps together can lead to far more classes than are kept.
            for (label, to) in self.steps(state, false) {
                let later = &all[to.index()].silently;
                clock.ticks(later.len())?;
                found.extend(later.iter().map(|&class| (label, class)));
            }
            for (_, to) in self.steps(state, true) {
                let later = &all[to.index()].visibly;
                clock.ticks(later.len())?;
                found.extend_from_slice(later);
            }
            clock.tick()?;
            clock.room_in(&visible_parts)?;
            all[state.index()].visibly = shared(found, &mut visible_parts);
        }
        Ok(())
    }

    /// The invisible steps of a state, or the visible ones.
    fn steps(&self, state: StateId, invisible: bool) -> impl Iterator<Item = (LabelId, StateId)> {
        self.lts.out(state).filter(move |(label, _)| self.invisible[label.index()] == invisible)
    }

    /// The system of the classes, with the steps that do not follow from others, breadth-first; and the number of each class in it.
    fn quotient(
        &self,
        signatures: &[WeakSignature],
        silent: LabelId,
        budget: &Budget,
    ) -> Result<(Lts, Vec<Option<StateId>>), Exhausted> {
        let mut clock = Clock::new(budget, "classes listed");
        let count = self.class.iter().max().map_or(0, |last| *last as usize + 1);
        // The first state of a class has no invisible step to another one of it.
        let mut member = vec![None; count];
        self.order
            .iter()
            .for_each(|&state| _ = member[self.class[state.index()] as usize].get_or_insert(state));
        let member: Vec<StateId> = member.into_iter().flatten().collect();
        let mut number: Vec<Option<StateId>> = vec![None; count];
        let first = self.class[self.lts.initial().index()];
        number[first as usize] = Some(StateId::FIRST);
        let mut listed = vec![first];
        let mut builder = LtsBuilder::with_labels(self.lts.labels().clone());
        let mut at = 0;
        while let Some(&class) = listed.get(at) {
            for (label, to) in
                self.own_steps(member[class as usize], silent, &member, signatures, &mut clock)?
            {
                let target = *number[to as usize].get_or_insert_with(|| {
                    listed.push(to);
                    StateId::new(listed.len() - 1)
                });
                builder.add(StateId::new(at), label, target);
            }
            at += 1;
        }
        Ok((builder.finish_within(StateId::FIRST, to_u32(listed.len()), budget)?, number))
    }

    /// The steps of the class of a state, its first one, that no other ones with invisible steps before or after them make up for: some of its own.
    fn own_steps(
        &self,
        state: StateId,
        silent: LabelId,
        member: &[StateId],
        signatures: &[WeakSignature],
        clock: &mut Clock<'_>,
    ) -> Result<Vec<(LabelId, u32)>, Exhausted> {
        let of = |class: u32| &signatures[member[class as usize].index()];
        let leads = |from: u32, to: u32| from != to && of(from).silently.binary_search(&to).is_ok();
        let classes = |invisible: bool| {
            let steps = self.steps(state, invisible).map(|(label, to)| (label, self.class[to.index()]));
            let mut steps: Vec<(LabelId, u32)> = steps.collect();
            steps.sort_unstable();
            steps.dedup();
            steps
        };
        let (silently, visibly) = (classes(true), classes(false));
        let mut own = Vec::new();
        for &(_, to) in &silently {
            clock.ticks(silently.len())?;
            if !silently.iter().any(|&(_, between)| leads(between, to)) {
                own.push((silent, to));
            }
        }
        for of_label in visibly.chunk_by(|a, b| a.0 == b.0) {
            for step in of_label {
                clock.ticks(silently.len() + of_label.len())?;
                let after = silently.iter().any(|&(_, next)| of(next).visibly.binary_search(step).is_ok());
                if !after && !of_label.iter().any(|other| leads(other.1, step.1)) {
                    own.push(*step);
                }
            }
        }
        Ok(own)
    }
}

/// Sorted without duplicates, and shared with what is equal.
fn shared<T: Ord + Copy + std::hash::Hash>(mut found: Vec<T>, known: &mut SharedSlices<T>) -> Rc<[T]> {
    found.sort_unstable();
    found.dedup();
    if let Some(same) = known.get(found.as_slice()) {
        return Rc::clone(same);
    }
    let new: Rc<[T]> = found.into();
    known.insert(Rc::clone(&new), Rc::clone(&new));
    new
}
