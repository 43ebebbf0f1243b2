//! From all facts of a counterexample to a trace constraint in which each fact is needed (Algorithm 3
//! of the classification paper).
//!
//! The paper takes any minimal core. Here the choice among cores is the user's: predicates stay where they
//! can carry the class, then few positions, late ones first, then the facts that the vocabulary lists first.
//! Each stage is a preferred minimal set in the sense of QuickXplain (Junker, AAAI 2004): about 2k·log(n/k)
//! questions for k facts out of n. Every question is about the constraint as it would be printed, its
//! positions free.
//!
//! Absences come in where facts without them do not suffice: at first all of them over the positions at
//! hand, so that a position that goes leaves weaker ones between its neighbours, and then as few as possible.

use super::absences::{Absence, strongest};
use super::collect::{Occurrences, Placed};
use super::constraint::Constraint;
use super::fact::{Fact, FactKind};
use super::space::{Limited, Space, Sufficiency};
use crate::trace::Trace;
use crate::unroll::Lengths;
use std::collections::BTreeSet;

/// A minimised constraint.
pub struct Minimised {
    /// The constraint, positions numbered by their order in the counterexample.
    pub constraint: Constraint,
    /// For each position variable its position in the counterexample.
    pub positions: Vec<usize>,
    /// For each fact a trace without violation that satisfies all others.
    pub needed: Vec<Trace>,
}

/// Which order facts the vocabulary offers.
#[derive(Debug, Clone, Copy)]
pub struct Orders {
    /// `i < j`
    pub before: bool,
    /// `j = i + 1`
    pub next: bool,
}

/// A constraint under construction; positions are those of the counterexample.
#[derive(Debug, Clone)]
struct Draft {
    atoms: Vec<usize>,
    positions: BTreeSet<usize>,
    absent: Vec<Absence>,
    order: Vec<(FactKind, usize, usize)>,
}

/// The facts of one counterexample and the questions about them.
pub struct Minimiser<'a, 'm> {
    space: &'a mut Space<'m>,
    placed: &'a [Placed],
    orders: Orders,
    /// What absences may speak of: nothing as long as they are not needed.
    occurrences: Vec<Occurrences>,
}

impl<'a, 'm> Minimiser<'a, 'm> {
    /// A minimiser for the facts of one counterexample.
    pub fn new(space: &'a mut Space<'m>, placed: &'a [Placed], orders: Orders) -> Self {
        Self { space, placed, orders, occurrences: Vec::new() }
    }

    /// Allows absences of these if the other facts of a counterexample of that many steps do not suffice.
    pub fn allow_absences(&mut self, occurrences: Vec<Occurrences>, length: usize) -> Limited<()> {
        if occurrences.is_empty() || self.suffices(&self.all_atoms(), &(0..=length).collect())? {
            return Ok(());
        }
        let (no, last) = (self.space.circuit().no(), self.space.last());
        for what in occurrences {
            // What holds in no state at all needs no saying.
            if (0..=last).any(|t| self.space.atom_at(&what.atom, t) != no) {
                self.occurrences.push(what);
            }
        }
        Ok(())
    }

    fn all_atoms(&self) -> Vec<usize> {
        (0..self.placed.len()).collect()
    }

    /// The constraint of all facts over all positions of a counterexample of that many steps.
    pub fn everything(&self, length: usize) -> Constraint {
        self.constraint(&self.chained(self.all_atoms(), (0..=length).collect())).0
    }

    /// Whether all facts together suffice for a violation.
    pub fn whole(&mut self, length: usize) -> Limited<Sufficiency> {
        let draft = self.chained(self.all_atoms(), (0..=length).collect());
        self.ask_for_show(&draft)
    }

    /// Minimises the constraint of all facts, which is known to suffice.
    pub fn run(&mut self, length: usize) -> Limited<Minimised> {
        let all: BTreeSet<usize> = (0..=length).collect();
        let (predicates, generic): (Vec<usize>, Vec<usize>) =
            (0..self.placed.len()).partition(|&a| self.placed[a].atom.is_predicate());
        let candidates = self.carried_by(&predicates, &generic, &all)?;
        let placed = self.few_positions(&predicates, &candidates, &all)?;
        let mut draft = self.reduced(placed.clone(), false)?;
        if !placed.absent.is_empty() {
            // Facts at positions can stand for absences, and absences for facts.
            let other = self.reduced(placed, true)?;
            draft = [draft, other].into_iter().min_by_key(Draft::size).expect("there are two");
        }
        let needed = self.witnesses(&mut draft)?;
        let (constraint, positions) = self.constraint(&draft);
        Ok(Minimised { constraint, positions, needed })
    }

    /// Few facts over the positions of a draft; absences are minimised before or after the other facts.
    fn reduced(&mut self, mut draft: Draft, absences_first: bool) -> Limited<Draft> {
        if absences_first {
            draft = self.few_absences(draft)?;
        }
        draft = self.few_facts(draft)?;
        draft = self.few_predicates(draft)?;
        draft = self.few_absences(draft)?;
        self.drop_bare_positions(&mut draft)?;
        self.loosen_order(&mut draft)?;
        self.drop_bare_positions(&mut draft)?;
        self.few_absences(draft)
    }

    /// Generic facts with which the predicates carry the class: a set that does not suffice by
    /// itself and does together with the predicates. All generic facts where there is none.
    fn carried_by(
        &mut self,
        predicates: &[usize],
        generic: &[usize],
        all: &BTreeSet<usize>,
    ) -> Limited<Vec<usize>> {
        if predicates.is_empty() {
            return Ok(generic.to_vec());
        }
        // Several maximal insufficient sets are tried: those of preferred facts first.
        let mut by_position = generic.to_vec();
        by_position.sort_by_key(|&a| std::cmp::Reverse(self.placed[a].positions.iter().max().copied()));
        let reversed: Vec<usize> = generic.iter().rev().copied().collect();
        for order in [generic.to_vec(), by_position, reversed] {
            let Some(insufficient) = self.grow_insufficient(&order, all)? else { break };
            let mut together = insufficient.clone();
            together.extend(predicates);
            if self.suffices(&together, all)? {
                return Ok(insufficient);
            }
        }
        Ok(generic.to_vec())
    }

    /// A maximal set of facts that does not suffice, facts tried in the given order; `None` when even
    /// the empty set suffices.
    fn grow_insufficient(&mut self, order: &[usize], all: &BTreeSet<usize>) -> Limited<Option<Vec<usize>>> {
        let mut set: Vec<usize> = Vec::new();
        let draft = self.chained(set.clone(), all.clone());
        let Sufficiency::Insufficient(mut trace, mut positions) = self.ask(&draft)? else { return Ok(None) };
        for &fact in order {
            // What the last accepting trace satisfies anyway costs no question.
            let placed = &self.placed[fact];
            let at: Vec<usize> = placed.positions.iter().map(|&p| positions[p]).collect();
            let model = self.space.unrolling.model;
            let free = placed.atom.holds(model, &trace.moments, &at);
            set.push(fact);
            if free {
                continue;
            }
            let draft = self.chained(set.clone(), all.clone());
            match self.ask(&draft)? {
                Sufficiency::Insufficient(t, p) => (trace, positions) = (t, p),
                Sufficiency::Sufficient => {
                    set.pop();
                }
            }
        }
        Ok(Some(set))
    }

    /// Keeps the predicates and drops whole positions of generic facts, early ones first.
    fn few_positions(
        &mut self,
        predicates: &[usize],
        generic: &[usize],
        all: &BTreeSet<usize>,
    ) -> Limited<Draft> {
        let bound_by_predicates = self.positions_of(predicates);
        let preferred: Vec<usize> = all.iter().rev().copied().collect();
        let keep = |kept: &BTreeSet<usize>, minimiser: &Self| -> Vec<usize> {
            let inside = |a: &&usize| minimiser.placed[**a].positions.iter().all(|p| kept.contains(p));
            predicates.iter().chain(generic.iter().filter(inside)).copied().collect()
        };
        let kept = quick_xplain(&preferred, &mut |positions| {
            let kept: BTreeSet<usize> = positions.iter().copied().collect();
            let atoms = keep(&kept, self);
            let used = kept.union(&bound_by_predicates).copied().collect();
            self.suffices(&atoms, &used)
        })?;
        let kept: BTreeSet<usize> = kept.into_iter().collect();
        let atoms = keep(&kept, self);
        let used = kept.union(&bound_by_predicates).copied().collect();
        Ok(self.chained(atoms, used))
    }

    /// Drops single generic facts, those that the vocabulary lists last first.
    fn few_facts(&mut self, draft: Draft) -> Limited<Draft> {
        let (predicates, mut generic): (Vec<usize>, Vec<usize>) =
            draft.atoms.iter().partition(|&&a| self.placed[a].atom.is_predicate());
        generic.sort_by_key(|&a| {
            let placed = &self.placed[a];
            (placed.atom.item, std::cmp::Reverse(placed.positions.clone()))
        });
        let kept = quick_xplain(&generic, &mut |facts| {
            let atoms = predicates.iter().chain(facts).copied().collect();
            self.ask_whether(&Draft { atoms, ..draft.clone() })
        })?;
        let atoms = predicates.into_iter().chain(kept).collect();
        Ok(Draft { atoms, ..draft })
    }

    /// Drops absences, those that the vocabulary lists last first.
    fn few_absences(&mut self, draft: Draft) -> Limited<Draft> {
        if draft.absent.is_empty() {
            return Ok(draft);
        }
        let mut candidates = draft.absent.clone();
        candidates.sort_by_key(|a| (self.occurrences[a.what].atom.item, std::cmp::Reverse(a.to), a.what));
        let absent = quick_xplain(&candidates, &mut |absences| {
            self.ask_whether(&Draft { absent: absences.to_vec(), ..draft.clone() })
        })?;
        Ok(Draft { absent, ..draft })
    }

    /// Drops predicates, those that the vocabulary lists last first, with positions only they used.
    fn few_predicates(&mut self, draft: Draft) -> Limited<Draft> {
        let (mut predicates, generic): (Vec<usize>, Vec<usize>) =
            draft.atoms.iter().partition(|&&a| self.placed[a].atom.is_predicate());
        if predicates.is_empty() {
            return Ok(draft);
        }
        predicates.sort_by_key(|&a| {
            let placed = &self.placed[a];
            (placed.atom.item, placed.positions.clone())
        });
        let only_predicates: BTreeSet<usize> =
            draft.positions.difference(&self.positions_of(&generic)).copied().collect();
        let kept = quick_xplain(&predicates, &mut |facts| {
            let atoms = generic.iter().chain(facts).copied().collect();
            self.ask_whether(&Draft { atoms, ..draft.clone() })
        })?;
        let atoms = generic.into_iter().chain(kept).collect();
        let mut draft = Draft { atoms, ..draft };
        // A position that lost its last fact goes, unless it is needed as a gap between others.
        for position in only_predicates {
            self.try_without_position(&mut draft, position)?;
        }
        Ok(draft)
    }

    /// Drops positions that no fact reads any more.
    fn drop_bare_positions(&mut self, draft: &mut Draft) -> Limited<()> {
        for position in draft.positions.clone() {
            self.try_without_position(draft, position)?;
        }
        Ok(())
    }

    fn try_without_position(&mut self, draft: &mut Draft, position: usize) -> Limited<()> {
        if self.positions_of(&draft.atoms).contains(&position) {
            return Ok(());
        }
        let mut shorter = draft.clone();
        shorter.positions.remove(&position);
        let before: Vec<usize> = draft.order.iter().filter(|o| o.2 == position).map(|o| o.1).collect();
        let after: Vec<usize> = draft.order.iter().filter(|o| o.1 == position).map(|o| o.2).collect();
        shorter.order.retain(|o| o.1 != position && o.2 != position);
        if self.orders.before {
            for &a in &before {
                for &b in &after {
                    shorter.order.push((FactKind::Before, a, b));
                }
            }
        }
        // Its neighbours get what is absent between them.
        let gap = (
            shorter.positions.range(..position).next_back().copied(),
            shorter.positions.range(position..).next().copied(),
        );
        shorter.absent.retain(|a| !a.touches(position));
        let joined = self.strongest(&shorter.positions).into_iter();
        shorter.absent.extend(joined.filter(|a| (a.from, a.to) == gap));
        if self.ask_whether(&shorter)? {
            *draft = shorter;
        }
        Ok(())
    }

    /// Drops order facts; what a dropped one implied together with its neighbours is kept.
    fn loosen_order(&mut self, draft: &mut Draft) -> Limited<()> {
        let mut tried: Vec<(FactKind, usize, usize)> = Vec::new();
        while let Some(fact) = draft.order.iter().rev().find(|o| !tried.contains(o)).cloned() {
            let mut looser = draft.clone();
            looser.order.retain(|o| *o != fact);
            let (kind, a, b) = fact.clone();
            let mut add = |x: usize, y: usize| {
                if self.orders.before && !reaches(&looser.order, x, y) {
                    looser.order.push((FactKind::Before, x, y));
                }
            };
            if kind == FactKind::Next {
                add(a, b);
            } else {
                let before: Vec<usize> = draft.order.iter().filter(|o| o.2 == a).map(|o| o.1).collect();
                let after: Vec<usize> = draft.order.iter().filter(|o| o.1 == b).map(|o| o.2).collect();
                before.into_iter().for_each(|x| add(x, b));
                after.into_iter().for_each(|y| add(a, y));
            }
            if self.ask_whether(&looser)? {
                *draft = looser;
                tried.clear();
            } else {
                tried.push(fact);
            }
        }
        Ok(())
    }

    /// For each fact a trace that shows that it is needed; a fact for which there is none is dropped.
    fn witnesses(&mut self, draft: &mut Draft) -> Limited<Vec<Trace>> {
        'again: loop {
            let mut needed = Vec::new();
            for index in 0..draft.size() {
                let without = draft.without(index);
                match self.ask_for_show(&without)? {
                    Sufficiency::Insufficient(trace, _) => needed.push(trace),
                    Sufficiency::Sufficient => {
                        *draft = without;
                        self.drop_bare_positions(draft)?;
                        continue 'again;
                    }
                }
            }
            return Ok(self.in_order(draft, needed));
        }
    }

    /// Sorts the facts of a draft for printing, and the traces with them.
    fn in_order(&self, draft: &mut Draft, mut needed: Vec<Trace>) -> Vec<Trace> {
        let order_traces = needed.split_off(draft.atoms.len() + draft.absent.len());
        let absent_traces = needed.split_off(draft.atoms.len());
        let (atoms, mut traces) = sorted(std::mem::take(&mut draft.atoms), needed, |&a| {
            let placed = &self.placed[a];
            (!placed.atom.is_predicate(), placed.positions.clone(), placed.atom.item)
        });
        let (absent, absent_traces) = sorted(std::mem::take(&mut draft.absent), absent_traces, |a| {
            (a.from, a.to.is_none(), a.to, a.what)
        });
        let (order, order_traces) =
            sorted(std::mem::take(&mut draft.order), order_traces, |(_, a, b)| (*a, *b));
        (draft.atoms, draft.absent, draft.order) = (atoms, absent, order);
        traces.extend(absent_traces);
        traces.extend(order_traces);
        traces
    }

    fn positions_of(&self, atoms: &[usize]) -> BTreeSet<usize> {
        atoms.iter().flat_map(|&a| self.placed[a].positions.iter().copied()).collect()
    }

    /// A draft with the strongest order facts and absences over its positions.
    fn chained(&self, atoms: Vec<usize>, positions: BTreeSet<usize>) -> Draft {
        let list: Vec<usize> = positions.iter().copied().collect();
        let mut order = Vec::new();
        for pair in list.windows(2) {
            if self.orders.next && pair[0] + 1 == pair[1] {
                order.push((FactKind::Next, pair[0], pair[1]));
            } else if self.orders.before {
                order.push((FactKind::Before, pair[0], pair[1]));
            }
        }
        let absent = self.strongest(&positions);
        Draft { atoms, positions, absent, order }
    }

    fn strongest(&self, positions: &BTreeSet<usize>) -> Vec<Absence> {
        let exactly = matches!(self.space.lengths(), Lengths::Exactly(_));
        strongest(&self.occurrences, positions, exactly)
    }

    fn suffices(&mut self, atoms: &[usize], positions: &BTreeSet<usize>) -> Limited<bool> {
        let draft = self.chained(atoms.to_vec(), positions.clone());
        self.ask_whether(&draft)
    }

    fn ask_whether(&mut self, draft: &Draft) -> Limited<bool> {
        Ok(matches!(self.ask(draft)?, Sufficiency::Sufficient))
    }

    /// Asks about a draft; the slots are the positions of the counterexample.
    fn ask(&mut self, draft: &Draft) -> Limited<Sufficiency> {
        let facts = self.facts(draft, |p| p);
        let used: Vec<usize> = draft.positions.iter().copied().collect();
        self.space.sufficiency(&facts, &used)
    }

    fn ask_for_show(&mut self, draft: &Draft) -> Limited<Sufficiency> {
        let facts = self.facts(draft, |p| p);
        let used: Vec<usize> = draft.positions.iter().copied().collect();
        self.space.sufficiency_shown(&facts, &used)
    }

    fn constraint(&self, draft: &Draft) -> (Constraint, Vec<usize>) {
        let positions: Vec<usize> = draft.positions.iter().copied().collect();
        let number = |p: usize| positions.iter().position(|&q| q == p).unwrap_or(0);
        let facts = self.facts(draft, number);
        (Constraint { positions: positions.len(), facts }, positions)
    }

    fn facts(&self, draft: &Draft, number: impl Fn(usize) -> usize) -> Vec<Fact> {
        let atoms = draft.atoms.iter().map(|&a| {
            let placed = &self.placed[a];
            let positions = placed.positions.iter().map(|&p| number(p)).collect();
            Fact { kind: FactKind::Atom(placed.atom.clone()), positions }
        });
        let absent = draft.absent.iter().map(|a| a.fact(&self.occurrences, &number));
        let order = draft
            .order
            .iter()
            .map(|(kind, a, b)| Fact { kind: kind.clone(), positions: vec![number(*a), number(*b)] });
        atoms.chain(absent).chain(order).collect()
    }
}

impl Draft {
    /// The number of its facts.
    fn size(&self) -> usize {
        self.atoms.len() + self.absent.len() + self.order.len()
    }

    /// It without one of its facts: atoms come first, then absences, then order.
    fn without(&self, mut index: usize) -> Self {
        let mut draft = self.clone();
        if index < self.atoms.len() {
            draft.atoms.remove(index);
            return draft;
        }
        index -= self.atoms.len();
        if index < self.absent.len() {
            draft.absent.remove(index);
        } else {
            draft.order.remove(index - self.absent.len());
        }
        draft
    }
}

/// Sorts items by a key, and the traces that belong to them likewise.
fn sorted<T, K: Ord>(items: Vec<T>, traces: Vec<Trace>, key: impl Fn(&T) -> K) -> (Vec<T>, Vec<Trace>) {
    let mut both: Vec<(T, Trace)> = items.into_iter().zip(traces).collect();
    both.sort_by_key(|(item, _)| key(item));
    both.into_iter().unzip()
}

/// Whether order facts lead from one position to another.
fn reaches(order: &[(FactKind, usize, usize)], from: usize, to: usize) -> bool {
    order.iter().any(|(_, a, b)| *a == from && (*b == to || reaches(order, *b, to)))
}

/// A minimal subset of `items` for which `suffices`, which holds for all of them; of several, the one
/// that keeps what comes first (QuickXplain).
pub fn quick_xplain<T: Clone>(
    items: &[T],
    suffices: &mut dyn FnMut(&[T]) -> Limited<bool>,
) -> Limited<Vec<T>> {
    if suffices(&[])? {
        return Ok(Vec::new());
    }
    if items.is_empty() {
        return Ok(Vec::new());
    }
    preferred(&[], false, items, suffices)
}

fn preferred<T: Clone>(
    background: &[T],
    grown: bool,
    items: &[T],
    suffices: &mut dyn FnMut(&[T]) -> Limited<bool>,
) -> Limited<Vec<T>> {
    if grown && suffices(background)? {
        return Ok(Vec::new());
    }
    if items.len() == 1 {
        return Ok(items.to_vec());
    }
    let (first, second) = items.split_at(items.len() / 2);
    let with_first = [background, first].concat();
    let of_second = preferred(&with_first, true, second, suffices)?;
    let with_second = [background, &of_second].concat();
    let of_first = preferred(&with_second, !of_second.is_empty(), first, suffices)?;
    Ok([of_first, of_second].concat())
}
