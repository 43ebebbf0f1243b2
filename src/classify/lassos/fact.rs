//! Facts of infinite traces: what happens at some position, again and again, or for ever from some position on.

use crate::classify::atom::{Atoms, Names};
use crate::classify::index::{AtomId, IndividualVar};
use crate::model::Model;
use crate::model::value::{Moment, Value};
use crate::trace::Lasso;
use itertools::Itertools;

/// An atom of one position and of certain individuals.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct About {
    /// The atom.
    pub atom: AtomId,
    /// The individuals, one for each of its value parameters; none of a ground atom.
    pub individuals: Vec<IndividualVar>,
}

/// That an atom holds, or that it does not.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Said {
    /// The atom.
    pub about: About,
    /// Whether it holds.
    pub holds: bool,
}

/// At which positions of an infinite trace something holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum When {
    /// At infinitely many.
    Again,
    /// At all from some position on.
    Forever,
    /// At some position.
    Once,
}

/// A fact of an infinite trace.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LassoFact {
    /// At which positions.
    pub when: When,
    /// What holds there, all of it at the same position.
    pub what: Vec<Said>,
    /// Of [`When::Once`]: what is so at every position after that one.
    pub after: Vec<Said>,
}

impl About {
    /// A ground atom.
    pub fn ground(atom: AtomId) -> Self {
        Self { atom, individuals: Vec::new() }
    }

    /// The values of its individuals, of those of all.
    fn own<T: Clone>(&self, all: &[T]) -> Vec<T> {
        self.individuals.iter().map(|individual| all[individual.index()].clone()).collect()
    }

    /// Whether it holds at a position of a trace, if all individuals have these values, by the reference semantics. What is said of
    /// individuals alone needs no position.
    pub fn holds(
        &self,
        (model, atoms): (&Model, &Atoms),
        trace: &[Moment],
        at: &[usize],
        values: &[Value],
    ) -> bool {
        atoms.get(self.atom).holds(model, trace, at, &self.own(values))
    }

    /// The ground atom that it is if the individuals have these values.
    pub(super) fn instance(&self, atoms: &Atoms, values: &[Value]) -> Self {
        Self::ground(atoms.instance(self.atom, &self.own(values)))
    }

    /// It as text: `names` has those of all individuals, and of the position, if there is one.
    pub fn show(&self, model: &Model, atoms: &Atoms, names: &Names) -> String {
        atoms.get(self.atom).show(model, &self.names(names))
    }

    /// The names of the position and of its own individuals, from those of all.
    pub fn names(&self, names: &Names) -> Names {
        Names { positions: names.positions.clone(), individuals: self.own(&names.individuals) }
    }
}

impl Said {
    /// That an atom holds.
    pub fn holds(about: About) -> Self {
        Self { about, holds: true }
    }

    /// That it does not.
    pub fn fails(about: About) -> Self {
        Self { about, holds: false }
    }
}

impl LassoFact {
    /// A fact about something that may hold or not.
    pub fn of(when: When, what: Vec<Said>) -> Self {
        Self { when, what, after: Vec::new() }
    }

    /// A fact about an atom that holds.
    pub fn single(when: When, about: About) -> Self {
        Self::of(when, vec![Said::holds(about)])
    }

    /// The parts of which each could be left out.
    pub fn size(&self) -> usize {
        self.what.len() + self.after.len()
    }

    /// The atoms that it is about.
    pub fn atoms(&self) -> impl Iterator<Item = &About> {
        self.said().map(|said| &said.about)
    }

    /// Everything that it says of atoms.
    pub fn said(&self) -> impl Iterator<Item = &Said> {
        self.what.iter().chain(&self.after)
    }

    /// The fact with something else in the place of each atom.
    pub(super) fn map(&self, mut to: impl FnMut(&About) -> About) -> Self {
        let mut all = |said: &[Said]| -> Vec<Said> {
            said.iter().map(|said| Said { about: to(&said.about), holds: said.holds }).collect()
        };
        Self { when: self.when, what: all(&self.what), after: all(&self.after) }
    }

    /// Whether it is true of an infinite trace, given where its atoms hold: `holds(atom, position)`.
    pub(super) fn is_true(&self, lasso: &Lasso, mut holds: impl FnMut(&About, usize) -> bool) -> bool {
        // The step that closes the loop comes again and again, so the position after it belongs to the loop and the first one
        // of the loop, with the label of the stem, does not.
        let mut round = lasso.start + 1..=lasso.len();
        let mut here =
            |said: &[Said], at: usize| said.iter().all(|said| holds(&said.about, at) == said.holds);
        match self.when {
            When::Again => round.any(|at| here(&self.what, at)),
            When::Forever => round.all(|at| here(&self.what, at)),
            When::Once => self.place(lasso, holds).is_some(),
        }
    }

    /// Whether it is true of an infinite trace, if all individuals have these values, by the reference semantics.
    pub fn holds(&self, of: (&Model, &Atoms), lasso: &Lasso, values: &[Value]) -> bool {
        self.is_true(lasso, |about, at| about.holds(of, &lasso.trace.moments, &[at], values))
    }

    /// Of [`When::Once`]: the first position at which it is so.
    pub(super) fn place(&self, lasso: &Lasso, mut holds: impl FnMut(&About, usize) -> bool) -> Option<usize> {
        let mut here =
            |said: &[Said], at: usize| said.iter().all(|said| holds(&said.about, at) == said.holds);
        (0..=lasso.len()).find(|&at| {
            let mut later = (at + 1..=lasso.len()).chain(lasso.start + 1..=lasso.len());
            here(&self.what, at) && later.all(|later| here(&self.after, later))
        })
    }

    /// The fact as text; `names` has those of all individuals, and of the position of [`When::Once`].
    pub fn show(&self, model: &Model, atoms: &Atoms, names: &Names) -> String {
        let nowhere = Names { positions: Vec::new(), ..names.clone() };
        let said = |said: &Said, names: &Names| {
            let text = said.about.show(model, atoms, names);
            match (said.holds, text.contains([' ', '='])) {
                (true, _) => text,
                (false, true) => format!("not ({text})"),
                (false, false) => format!("not {text}"),
            }
        };
        let all = |names: &Names| self.what.iter().map(|s| said(s, names)).join(" ∧ ");
        let limit = |word: &str| match self.what.len() {
            1 => format!("{word} {}", all(&nowhere)),
            _ => format!("{word} ({})", all(&nowhere)),
        };
        match self.when {
            When::Again => limit("again"),
            When::Forever => limit("forever"),
            When::Once => {
                let position = names.positions.first().map(String::as_str).unwrap_or_default();
                let after = self.after.iter().map(|said| {
                    let word = if said.holds { "always" } else { "never" };
                    format!("{word} {} after {position}", said.about.show(model, atoms, &nowhere))
                });
                let here = Some(all(names)).filter(|text| !text.is_empty());
                here.into_iter().chain(after).join(" ∧ ")
            }
        }
    }
}
