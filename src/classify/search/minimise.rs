//! From all facts of a counterexample to a trace constraint in which each fact is needed (Algorithm 3
//! of the classification paper).
//!
//! The paper takes any minimal core. Here the user chooses among cores: the facts that should carry
//! classes (predicates, and what was asked to be preferred) stay where they can; then positions should be few, late
//! ones kept first; then the facts that the vocabulary lists first are kept. Each stage is a preferred minimal set.
//! Every question is about the constraint as it would be printed, with free positions. The answers do not
//! depend on the solver, so neither does the result.
//!
//! Absences are used where facts without them do not suffice: at first all of them over the current positions,
//! so that a position that is dropped leaves weaker ones between its neighbours, and then as few as possible.

use crate::facts::absences::Absence;
use crate::facts::fact::OrderRelation;
use crate::facts::index::PlacedId;
use crate::oracles::oracle::Oracle;
use crate::results::options::Preference;
use crate::search::draft::{CounterexampleFacts, Draft, Ordered, reaches};
use crate::search::quick_xplain::{grown, quick_xplain};
use kit::budget::Limited;
use lang::model::Position;
use solvers::unroll::Lengths;
use std::collections::BTreeSet;

/// The stages of minimising one counterexample's facts.
pub struct Minimiser<'a, 'm> {
    oracle: &'a mut dyn Oracle<'m>,
    facts: &'a mut CounterexampleFacts,
    preference: &'a Preference,
}

impl<'a, 'm> Minimiser<'a, 'm> {
    /// A minimiser for the facts of one counterexample.
    pub fn new(
        oracle: &'a mut dyn Oracle<'m>,
        facts: &'a mut CounterexampleFacts,
        preference: &'a Preference,
    ) -> Self {
        Self { oracle, facts, preference }
    }

    /// Minimises the constraint of the facts `atoms` over all positions, which is known to suffice.
    ///
    /// Short accepting traces are looked for first: a set that they refute does not suffice. The result is
    /// taken if it suffices among all traces; otherwise minimisation is repeated with longer ones. Every answer is about
    /// all accepting traces of a given length, so that nothing depends on which of them were found before.
    pub fn run(&mut self, atoms: &[PlacedId]) -> Limited<Draft> {
        let bound = self.oracle.longest();
        let mut horizon = match self.oracle.lengths() {
            Lengths::UpTo(_) => {
                let steps = self.facts.last.steps();
                (steps + steps / 2).clamp(1, bound.max(1))
            }
            Lengths::Exactly(_) => bound,
        };
        loop {
            self.facts.look_ahead(horizon);
            let draft = self.minimised(atoms)?;
            self.facts.look_ahead(bound);
            if horizon >= bound || self.facts.is_sufficient(self.oracle, &draft)? {
                return Ok(draft);
            }
            horizon = (2 * horizon).min(bound);
        }
    }

    /// A smallest set of the facts `atoms`, which are known to suffice over all positions, that suffices over its own, so that carriers carry the
    /// class here as well; `None` where there is none, or it takes more questions to find it.
    pub fn smallest(&mut self, atoms: &[PlacedId], most_questions: u64) -> Limited<Option<Draft>> {
        self.facts.look_ahead(self.oracle.longest());
        let all = self.facts.all_positions();
        let (carriers, generic) = self.carriers_among(atoms);
        let candidates = self.carried_by(&carriers, &generic, &all)?;
        let among: Vec<PlacedId> = carriers.into_iter().chain(candidates).collect();
        let smallest = self.facts.smallest(self.oracle, &among, most_questions, self.preference)?;
        smallest.map(|draft| self.again(draft)).transpose()
    }

    /// Minimises a draft that suffices over its own positions.
    pub fn again(&mut self, draft: Draft) -> Limited<Draft> {
        self.facts.look_ahead(self.oracle.longest());
        let mut draft = self.few(draft, false)?;
        self.sort(&mut draft);
        Ok(draft)
    }

    fn minimised(&mut self, atoms: &[PlacedId]) -> Limited<Draft> {
        let all = self.facts.all_positions();
        let (carriers, generic) = self.carriers_among(atoms);
        let candidates = self.carried_by(&carriers, &generic, &all)?;
        let placed = self.few_positions(&carriers, &candidates, &all)?;
        let mut draft = self.few(placed.clone(), false)?;
        if !placed.absent.is_empty() {
            // Facts at positions can stand for absences, and absences for facts.
            let other = self.few(placed, true)?;
            if other.size() < draft.size() {
                draft = other;
            }
        }
        self.sort(&mut draft);
        Ok(draft)
    }

    /// Few facts over the positions of a draft. Absences are minimised before or after the other facts.
    fn few(&mut self, mut draft: Draft, absences_first: bool) -> Limited<Draft> {
        if absences_first {
            draft = self.few_absences(draft)?;
        }
        draft = self.few_generic(draft)?;
        draft = self.few_carriers(draft)?;
        draft = self.few_absences(draft)?;
        self.drop_bare_positions(&mut draft)?;
        self.loosen_order(&mut draft)?;
        self.drop_bare_positions(&mut draft)?;
        // Longer stretches are stronger than those they come from, so other facts may become superfluous.
        while !draft.absent.is_empty() {
            let before = draft.clone();
            self.join_absences(&mut draft)?;
            self.drop_bare_positions(&mut draft)?;
            self.drop_superfluous(&mut draft)?;
            if draft == before {
                break;
            }
        }
        Ok(draft)
    }

    fn carriers_among(&self, atoms: &[PlacedId]) -> (Vec<PlacedId>, Vec<PlacedId>) {
        atoms.iter().partition(|&&a| self.preference.carries(self.facts.atom(self.oracle.atoms(), a)))
    }

    /// Generic facts with which the carriers carry the class: none if they do without, else a set that does not suffice
    /// by itself and does together with them. All generic facts where there is none.
    fn carried_by(
        &mut self,
        carriers: &[PlacedId],
        generic: &[PlacedId],
        all: &BTreeSet<Position>,
    ) -> Limited<Vec<PlacedId>> {
        if carriers.is_empty() {
            return Ok(generic.to_vec());
        }
        if self.suffices(carriers, all)? {
            return Ok(Vec::new());
        }
        // Several maximal insufficient sets are tried: those of preferred facts first.
        let mut by_position = generic.to_vec();
        by_position.sort_by_key(|&a| std::cmp::Reverse(self.facts.placed(a).positions.iter().max().copied()));
        let reversed: Vec<PlacedId> = generic.iter().rev().copied().collect();
        for order in [generic.to_vec(), by_position, reversed] {
            let Some(insufficient) = self.grow_insufficient(&order, all)? else { break };
            let mut together = insufficient.clone();
            together.extend(carriers);
            if self.suffices(&together, all)? {
                return Ok(insufficient);
            }
        }
        Ok(generic.to_vec())
    }

    /// A maximal set of facts that does not suffice, facts tried in the given order; `None` when even
    /// the empty set suffices.
    fn grow_insufficient(
        &mut self,
        order: &[PlacedId],
        all: &BTreeSet<Position>,
    ) -> Limited<Option<Vec<PlacedId>>> {
        if self.suffices(&[], all)? {
            return Ok(None);
        }
        grown(Vec::new(), order, &mut |set| self.suffices(set, all)).map(Some)
    }

    /// Keeps the carriers and drops whole positions of generic facts, early ones first.
    fn few_positions(
        &mut self,
        carriers: &[PlacedId],
        generic: &[PlacedId],
        all: &BTreeSet<Position>,
    ) -> Limited<Draft> {
        let bound = self.facts.positions_of(carriers);
        let preferred: Vec<Position> = all.iter().rev().copied().collect();
        let keep = |kept: &BTreeSet<Position>, facts: &CounterexampleFacts| -> Vec<PlacedId> {
            let inside = |a: &&PlacedId| facts.placed(**a).positions.iter().all(|p| kept.contains(p));
            carriers.iter().chain(generic.iter().filter(inside)).copied().collect()
        };
        let kept = quick_xplain(&preferred, &mut |positions| {
            let kept: BTreeSet<Position> = positions.iter().copied().collect();
            let atoms = keep(&kept, self.facts);
            let used = kept.union(&bound).copied().collect();
            self.suffices(&atoms, &used)
        })?;
        let kept: BTreeSet<Position> = kept.into_iter().collect();
        let atoms = keep(&kept, self.facts);
        let used = kept.union(&bound).copied().collect();
        Ok(self.facts.strongest(atoms, used))
    }

    /// Drops single generic facts, those that the vocabulary lists last first.
    fn few_generic(&mut self, draft: Draft) -> Limited<Draft> {
        let (carriers, mut generic) = self.carriers_among(&draft.atoms);
        generic.sort_by_key(|&a| {
            let item = self.facts.atom(self.oracle.atoms(), a).item;
            (item, std::cmp::Reverse(self.facts.placed(a).positions.clone()))
        });
        let kept = quick_xplain(&generic, &mut |facts| {
            let atoms = carriers.iter().chain(facts).copied().collect();
            self.facts.is_sufficient(self.oracle, &Draft { atoms, ..draft.clone() })
        })?;
        let atoms = carriers.into_iter().chain(kept).collect();
        Ok(Draft { atoms, ..draft })
    }

    /// Drops absences, those that the vocabulary lists last first.
    fn few_absences(&mut self, draft: Draft) -> Limited<Draft> {
        if draft.absent.is_empty() {
            return Ok(draft);
        }
        let mut candidates = draft.absent.clone();
        candidates.sort_by_key(|a| {
            let item = self.oracle.atoms().get(self.facts.occurrences(a.what).atom).item;
            (item, std::cmp::Reverse(a.to), a.what)
        });
        let absent = quick_xplain(&candidates, &mut |absent| {
            self.facts.is_sufficient(self.oracle, &Draft { absent: absent.to_vec(), ..draft.clone() })
        })?;
        Ok(Draft { absent, ..draft })
    }

    /// Joins two stretches that meet at a position where the same thing is absent, too.
    fn join_absences(&mut self, draft: &mut Draft) -> Limited<()> {
        let mut index = 0;
        while let Some(&first) = draft.absent.get(index) {
            index += 1;
            let Some(meet) = first.to else { continue };
            let here = self.facts.occurrences(first.what).positions.contains(&meet);
            let follows = |a: &&Absence| a.what == first.what && a.from == Some(meet);
            let Some(&second) = draft.absent.iter().find(follows) else { continue };
            let joined = Absence { to: second.to, ..first };
            if here || joined.from.is_none() && joined.to.is_none() {
                continue;
            }
            let mut longer = draft.clone();
            longer.absent.retain(|a| *a != first && *a != second);
            longer.absent.push(joined);
            if self.facts.is_sufficient(self.oracle, &longer)? {
                *draft = longer;
                index = 0;
            }
        }
        Ok(())
    }

    /// Drops single facts that the others make superfluous: order first, then absences.
    fn drop_superfluous(&mut self, draft: &mut Draft) -> Limited<()> {
        for index in (0..draft.size()).rev() {
            let without = draft.without(index);
            if self.facts.is_sufficient(self.oracle, &without)? {
                *draft = without;
            }
        }
        Ok(())
    }

    /// Drops carriers, those that the vocabulary lists last first, with positions only they used.
    fn few_carriers(&mut self, draft: Draft) -> Limited<Draft> {
        let (mut carriers, generic) = self.carriers_among(&draft.atoms);
        if carriers.is_empty() {
            return Ok(draft);
        }
        carriers.sort_by_key(|&a| {
            let atom = self.facts.atom(self.oracle.atoms(), a);
            (!self.preference.is_asked_for(atom), atom.item, self.facts.placed(a).positions.clone())
        });
        let only_carriers: BTreeSet<Position> =
            draft.positions.difference(&self.facts.positions_of(&generic)).copied().collect();
        let kept = quick_xplain(&carriers, &mut |facts| {
            let atoms = generic.iter().chain(facts).copied().collect();
            self.facts.is_sufficient(self.oracle, &Draft { atoms, ..draft.clone() })
        })?;
        let atoms = generic.into_iter().chain(kept).collect();
        let mut draft = Draft { atoms, ..draft };
        // A position that lost its last fact is dropped, unless it is needed as a gap between others.
        for position in only_carriers {
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

    fn try_without_position(&mut self, draft: &mut Draft, position: Position) -> Limited<()> {
        if self.facts.positions_of(&draft.atoms).contains(&position) {
            return Ok(());
        }
        let mut shorter = draft.clone();
        shorter.positions.remove(&position);
        let before: Vec<Position> =
            draft.order.iter().filter(|o| o.second == position).map(|o| o.first).collect();
        let after: Vec<Position> =
            draft.order.iter().filter(|o| o.first == position).map(|o| o.second).collect();
        shorter.order.retain(|o| o.first != position && o.second != position);
        if self.facts.orders.before {
            for &first in &before {
                let through =
                    after.iter().map(|&second| Ordered { first, second, order: OrderRelation::Before });
                shorter.order.extend(through);
            }
        }
        // Its neighbours get what is absent between them.
        let gap = (
            shorter.positions.range(..position).next_back().copied(),
            shorter.positions.range(position..).next().copied(),
        );
        if draft.absent.iter().any(|a| a.touches(position)) {
            shorter.absent.retain(|a| !a.touches(position));
            let between = self.facts.strongest_absences(&shorter.positions).into_iter();
            let new: Vec<Absence> =
                between.filter(|a| (a.from, a.to) == gap && !shorter.absent.contains(a)).collect();
            shorter.absent.extend(new);
        }
        if self.facts.is_sufficient(self.oracle, &shorter)? {
            *draft = shorter;
        }
        Ok(())
    }

    /// Drops order facts; what a dropped one implied together with its neighbours is kept.
    fn loosen_order(&mut self, draft: &mut Draft) -> Limited<()> {
        // What is dropped one by one can be dropped at once, and mostly nothing is left.
        let without = Draft { order: Vec::new(), ..draft.clone() };
        if draft.order.len() > 1 && self.facts.is_sufficient(self.oracle, &without)? {
            *draft = without;
        }
        let mut tried: Vec<Ordered> = Vec::new();
        while let Some(fact) = draft.order.iter().rev().find(|o| !tried.contains(o)).copied() {
            let mut looser = draft.clone();
            looser.order.retain(|o| *o != fact);
            let mut add = |first: Position, second: Position| {
                if self.facts.orders.before && !reaches(&looser.order, first, second) {
                    looser.order.push(Ordered { first, second, order: OrderRelation::Before });
                }
            };
            match fact.order {
                OrderRelation::Next => add(fact.first, fact.second),
                OrderRelation::Before => {
                    let before = draft.order.iter().filter(|o| o.second == fact.first);
                    before.for_each(|o| add(o.first, fact.second));
                    let after = draft.order.iter().filter(|o| o.first == fact.second);
                    after.for_each(|o| add(fact.first, o.second));
                }
            }
            if self.facts.is_sufficient(self.oracle, &looser)? {
                *draft = looser;
                tried.clear();
            } else {
                tried.push(fact);
            }
        }
        Ok(())
    }

    /// Sorts the facts of a draft for printing.
    fn sort(&self, draft: &mut Draft) {
        draft.order.sort_by_key(|o| (o.first, o.second));
        draft.atoms.sort_by_key(|&a| {
            let atom = self.facts.atom(self.oracle.atoms(), a);
            (!atom.is_predicate(), self.facts.placed(a).positions.clone(), atom.item)
        });
        draft.absent.sort_by_key(|a| (a.from, a.to.is_none(), a.to, a.what));
    }

    fn suffices(&mut self, atoms: &[PlacedId], positions: &BTreeSet<Position>) -> Limited<bool> {
        self.facts.suffices(self.oracle, atoms, positions)
    }
}
