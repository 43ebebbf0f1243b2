//! Facts of infinite traces: what happens at some position, again and again, or for ever from some position on.

use crate::facts::atom::{Atoms, VariableNames};
use crate::facts::index::{AtomId, IndividualVar};
use itertools::Itertools;
use lang::model::value::{Moment, Value};
use lang::model::{Model, Position, Recurrence};
use lang::trace::Lasso;

/// An atom of one position and of certain individuals.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AtomRef {
    /// The atom.
    pub atom: AtomId,
    /// The individuals, one for each of its value parameters; none of a ground atom.
    pub individuals: Vec<IndividualVar>,
}

/// An atom or its negation.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AtomLiteral {
    /// The atom.
    pub about: AtomRef,
    /// False for the negation.
    pub holds: bool,
}

/// A fact of an infinite trace.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LassoFact {
    /// At which positions.
    pub when: Recurrence,
    /// Literals that all hold there, at the same position.
    pub what: Vec<AtomLiteral>,
    /// Of [`Recurrence::Once`]: what is so at every position after that one.
    pub after: Vec<AtomLiteral>,
    /// Of [`Recurrence::Once`]: what is so at earlier positions, one after the other; something at each.
    pub before: Vec<Vec<AtomLiteral>>,
}

impl AtomRef {
    /// A ground atom.
    pub fn ground(atom: AtomId) -> Self {
        Self { atom, individuals: Vec::new() }
    }

    /// The values of its individuals, of those of all.
    fn own<T: Clone>(&self, all: &[T]) -> Vec<T> {
        self.individuals.iter().map(|individual| all[individual.index()].clone()).collect()
    }

    /// True if the literal holds at a position of a trace, if all individuals have these values, by the reference semantics. Literals
    /// about individuals alone need no position.
    pub fn holds(
        &self,
        (model, atoms): (&Model, &Atoms),
        trace: &[Moment],
        at: &[Position],
        values: &[Value],
    ) -> bool {
        atoms.get(self.atom).holds(model, trace, at, &self.own(values))
    }

    /// The ground atom that it is if the individuals have these values.
    pub(super) fn instance(&self, atoms: &Atoms, values: &[Value]) -> Self {
        Self::ground(atoms.instance(self.atom, &self.own(values)))
    }

    /// It as text: `names` has those of all individuals, and of the position, if there is one.
    pub fn show(&self, model: &Model, atoms: &Atoms, names: &VariableNames) -> String {
        atoms.get(self.atom).show(model, &self.names(names))
    }

    /// The names of the position and of its own individuals, from those of all.
    pub fn names(&self, names: &VariableNames) -> VariableNames {
        VariableNames { positions: names.positions.clone(), individuals: self.own(&names.individuals) }
    }
}

impl AtomLiteral {
    /// A positive literal.
    pub fn positive(about: AtomRef) -> Self {
        Self { about, holds: true }
    }

    /// A negative literal.
    pub fn negative(about: AtomRef) -> Self {
        Self { about, holds: false }
    }
}

impl LassoFact {
    /// A fact about something that may hold or not.
    pub fn of(when: Recurrence, what: Vec<AtomLiteral>) -> Self {
        Self { when, what, after: Vec::new(), before: Vec::new() }
    }

    /// A fact about an atom that holds.
    pub fn single(when: Recurrence, about: AtomRef) -> Self {
        Self::of(when, vec![AtomLiteral::positive(about)])
    }

    /// How much it says of atoms.
    pub fn size(&self) -> usize {
        self.said().count()
    }

    /// How many positions it names.
    pub fn positions(&self) -> usize {
        match self.when {
            Recurrence::Once => self.before.len() + 1,
            Recurrence::Again | Recurrence::Forever => 0,
        }
    }

    /// The atoms that it is about.
    pub fn atoms(&self) -> impl Iterator<Item = &AtomRef> {
        self.said().map(|said| &said.about)
    }

    /// Everything that it says of atoms, that of earlier positions first.
    pub fn said(&self) -> impl Iterator<Item = &AtomLiteral> {
        self.before.iter().flatten().chain(&self.what).chain(&self.after)
    }

    /// The fact with something else in the place of each atom.
    pub(super) fn map(&self, mut to: impl FnMut(&AtomRef) -> AtomRef) -> Self {
        let mut all = |said: &[AtomLiteral]| -> Vec<AtomLiteral> {
            said.iter().map(|said| AtomLiteral { about: to(&said.about), holds: said.holds }).collect()
        };
        Self {
            when: self.when,
            what: all(&self.what),
            after: all(&self.after),
            before: self.before.iter().map(|said| all(said)).collect(),
        }
    }

    /// Sorts the literals of each position by their atoms, as in the facts of a lasso.
    #[must_use]
    pub(super) fn in_order_of_atoms(mut self) -> Self {
        self.what.sort_unstable();
        self.after.sort_unstable();
        self.before.iter_mut().for_each(|here| here.sort_unstable());
        self
    }

    /// True if the fact holds in an infinite trace, given where its atoms hold: `holds(atom, position)`.
    pub(super) fn is_true(&self, lasso: &Lasso, mut holds: impl FnMut(&AtomRef, Position) -> bool) -> bool {
        // The step that closes the loop comes again and again, so the position after it belongs to the loop and the first one
        // of the loop, with the label of the stem, does not.
        let mut round = lasso.loop_steps();
        let mut here =
            |said: &[AtomLiteral], at: Position| said.iter().all(|said| holds(&said.about, at) == said.holds);
        match self.when {
            Recurrence::Again => round.any(|at| here(&self.what, at)),
            Recurrence::Forever => round.all(|at| here(&self.what, at)),
            Recurrence::Once => self.places(lasso, holds).is_some(),
        }
    }

    /// True if the fact holds in an infinite trace, if all individuals have these values, by the reference semantics.
    pub fn holds(&self, of: (&Model, &Atoms), lasso: &Lasso, values: &[Value]) -> bool {
        self.is_true(lasso, |about, at| about.holds(of, &lasso.trace.moments, &[at], values))
    }

    /// Of [`Recurrence::Once`]: the first positions at which it is so, in the order in which it names them. Those beyond the end of the lasso
    /// are in a later iteration of its loop.
    pub(super) fn places(
        &self,
        lasso: &Lasso,
        mut holds: impl FnMut(&AtomRef, Position) -> bool,
    ) -> Option<Vec<Position>> {
        let mut here =
            |said: &[AtomLiteral], at: Position| said.iter().all(|said| holds(&said.about, at) == said.holds);
        // From one position on, everything that still comes is there once more at the end of the next round.
        let end = lasso.trace.last().next();
        let from = |least: Position| Position::range(least..least.max(end).later(lasso.round()));
        let mut places = Vec::new();
        let mut least = Position::FIRST;
        for said in &self.before {
            let place = from(least).find(|&at| here(said, lasso.place(at)))?;
            places.push(place);
            least = place.next();
        }
        let last = from(least).find(|&at| {
            let mut later = Position::range(at.next()..end).chain(lasso.loop_steps());
            here(&self.what, lasso.place(at)) && later.all(|later| here(&self.after, later))
        })?;
        places.push(last);
        Some(places)
    }

    /// The fact as text; `names` has those of all individuals, and of its own positions.
    pub fn show(&self, model: &Model, atoms: &Atoms, names: &VariableNames) -> String {
        let nowhere = VariableNames { positions: Vec::new(), ..names.clone() };
        let said = |said: &AtomLiteral, names: &VariableNames| {
            let text = said.about.show(model, atoms, names);
            match (said.holds, text.contains([' ', '='])) {
                (true, _) => text,
                (false, true) => format!("not ({text})"),
                (false, false) => format!("not {text}"),
            }
        };
        let all =
            |what: &[AtomLiteral], names: &VariableNames| what.iter().map(|s| said(s, names)).join(" ∧ ");
        let limit = |word: &str| match self.what.len() {
            1 => format!("{word} {}", all(&self.what, &nowhere)),
            _ => format!("{word} ({})", all(&self.what, &nowhere)),
        };
        match self.when {
            Recurrence::Again => limit("again"),
            Recurrence::Forever => limit("forever"),
            Recurrence::Once => {
                let here = self.placed(names).map(|(what, names)| all(what, &names));
                let here = here.filter(|text| !text.is_empty());
                let order = Some(names.positions.join(" < ")).filter(|_| !self.before.is_empty());
                let last = names.positions.last().map(String::as_str).unwrap_or_default();
                let after = self.after.iter().map(|said| {
                    let word = if said.holds { "always" } else { "never" };
                    format!("{word} {} after {last}", said.about.show(model, atoms, &nowhere))
                });
                here.chain(order).chain(after).join(" ∧ ")
            }
        }
    }

    /// Of [`Recurrence::Once`]: what holds at each of its positions, with the name of that and those of all individuals, from the names of all.
    pub fn placed<'f>(
        &'f self,
        names: &'f VariableNames,
    ) -> impl Iterator<Item = (&'f [AtomLiteral], VariableNames)> {
        let named = |at: &String| VariableNames {
            positions: vec![at.clone()],
            individuals: names.individuals.clone(),
        };
        let what = self.before.iter().chain([&self.what]).map(Vec::as_slice);
        what.zip(names.positions.iter().map(named))
    }
}
