//! Facts of infinite traces: what happens at some position, again and again, or for ever from some position on.

use crate::classify::atom::{Atoms, Names};
use crate::classify::constraint::position_names;
use crate::classify::index::AtomId;
use crate::model::Model;
use crate::trace::Lasso;
use itertools::Itertools;

/// An atom of one position, or that it does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Said {
    /// The atom.
    pub atom: AtomId,
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
    /// Of [`When::Once`]: atoms that hold nowhere after that position.
    pub never_after: Vec<AtomId>,
}

/// A conjunction of facts of infinite traces. Its atoms are in an arena, which methods take where they need it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct LassoConstraint {
    /// The facts: those of some position first, then what happens again and again, then what lasts.
    pub facts: Vec<LassoFact>,
}

impl LassoFact {
    /// A fact about something that may hold or not.
    pub fn of(when: When, what: Vec<Said>) -> Self {
        Self { when, what, never_after: Vec::new() }
    }

    /// A fact about an atom that holds.
    pub fn single(when: When, atom: AtomId) -> Self {
        Self::of(when, vec![Said { atom, holds: true }])
    }

    /// The parts of which each could be left out.
    pub fn size(&self) -> usize {
        self.what.len() + self.never_after.len()
    }

    /// The atoms that it is about.
    pub fn atoms(&self) -> impl Iterator<Item = AtomId> + '_ {
        self.what.iter().map(|said| said.atom).chain(self.never_after.iter().copied())
    }

    /// Whether it is true of an infinite trace, given where its atoms hold: `holds(atom, position)`.
    pub(super) fn is_true(&self, lasso: &Lasso, mut holds: impl FnMut(AtomId, usize) -> bool) -> bool {
        // The step that closes the loop comes again and again, so the position after it belongs to the loop and the first one
        // of the loop, with the label of the stem, does not.
        let mut round = lasso.start + 1..=lasso.len();
        let mut here = |said: &[Said], at: usize| said.iter().all(|said| holds(said.atom, at) == said.holds);
        match self.when {
            When::Again => round.any(|at| here(&self.what, at)),
            When::Forever => round.all(|at| here(&self.what, at)),
            When::Once => self.place(lasso, holds).is_some(),
        }
    }

    /// Of [`When::Once`]: the first position at which it is so.
    fn place(&self, lasso: &Lasso, mut holds: impl FnMut(AtomId, usize) -> bool) -> Option<usize> {
        let mut is_so = |at: usize| {
            let mut later = (at + 1..=lasso.len()).chain(lasso.start + 1..=lasso.len());
            self.what.iter().all(|said| holds(said.atom, at) == said.holds)
                && later.all(|later| self.never_after.iter().all(|&atom| !holds(atom, later)))
        };
        (0..=lasso.len()).find(|&at| is_so(at))
    }

    /// Whether it is true of an infinite trace, by the reference semantics.
    pub fn holds(&self, model: &Model, atoms: &Atoms, lasso: &Lasso) -> bool {
        self.is_true(lasso, |atom, at| atoms.get(atom).holds(model, &lasso.trace.moments, &[at], &[]))
    }

    /// The fact as text; `position` is the name of the position of [`When::Once`].
    pub fn show(&self, model: &Model, atoms: &Atoms, position: &str) -> String {
        let said = |said: &Said, at: &[String]| {
            let text = show_atom(model, atoms, said.atom, at);
            match (said.holds, text.contains([' ', '='])) {
                (true, _) => text,
                (false, true) => format!("not ({text})"),
                (false, false) => format!("not {text}"),
            }
        };
        let all = |at: &[String]| self.what.iter().map(|s| said(s, at)).join(" ∧ ");
        let limit = |word: &str| match self.what.len() {
            1 => format!("{word} {}", all(&[])),
            _ => format!("{word} ({})", all(&[])),
        };
        match self.when {
            When::Again => limit("again"),
            When::Forever => limit("forever"),
            When::Once => {
                let never = self.never_after.iter().map(|&atom| show_atom(model, atoms, atom, &[]));
                let never = never.map(|text| format!("never {text} after {position}"));
                let here = Some(all(&[position.to_owned()])).filter(|text| !text.is_empty());
                here.into_iter().chain(never).join(" ∧ ")
            }
        }
    }
}

/// An atom at a position, or without one.
fn show_atom(model: &Model, atoms: &Atoms, atom: AtomId, at: &[String]) -> String {
    atoms.get(atom).show(model, &Names { positions: at.to_vec(), individuals: Vec::new() })
}

impl LassoConstraint {
    /// The conjunction of facts.
    pub fn new(mut facts: Vec<LassoFact>) -> Self {
        let order = |fact: &LassoFact| match fact.when {
            When::Once => 0,
            When::Again => 1,
            When::Forever => 2,
        };
        facts.sort_by(|a, b| (order(a), a).cmp(&(order(b), b)));
        facts.dedup();
        Self { facts }
    }

    /// The names of the positions of facts that hold at some position, in the order of the facts.
    pub fn position_names(&self) -> Vec<String> {
        position_names(self.facts.iter().filter(|fact| fact.when == When::Once).count())
    }

    /// Each fact as text.
    pub fn show_facts(&self, model: &Model, atoms: &Atoms) -> Vec<String> {
        let mut names = self.position_names().into_iter();
        let show = |fact: &LassoFact| {
            let name = if fact.when == When::Once { names.next() } else { None };
            fact.show(model, atoms, &name.unwrap_or_default())
        };
        self.facts.iter().map(show).collect()
    }

    /// The constraint: `∃ i : action@i = crash ∧ again waiting`.
    pub fn show(&self, model: &Model, atoms: &Atoms) -> String {
        let facts = self.show_facts(model, atoms).join(" ∧ ");
        let facts = if facts.is_empty() { "true".to_owned() } else { facts };
        match self.position_names().as_slice() {
            [] => facts,
            names => format!("∃ {} : {facts}", names.join(", ")),
        }
    }

    /// The names of its positions with the first places where they can lie in an infinite trace that satisfies it.
    pub fn places(&self, model: &Model, atoms: &Atoms, lasso: &Lasso) -> Vec<(String, usize)> {
        let holds = |atom, at: usize| atoms.get(atom).holds(model, &lasso.trace.moments, &[at], &[]);
        let once = self.facts.iter().filter(|fact| fact.when == When::Once);
        self.position_names().into_iter().zip(once.filter_map(|fact| fact.place(lasso, holds))).collect()
    }

    /// Whether an infinite trace satisfies it, by the reference semantics.
    pub fn holds(&self, model: &Model, atoms: &Atoms, lasso: &Lasso) -> bool {
        self.facts.iter().all(|fact| fact.holds(model, atoms, lasso))
    }

    /// The constraints that lack one of its parts each, in the order of facts and parts.
    pub fn weaker(&self) -> Vec<Self> {
        let mut list = Vec::new();
        for (index, fact) in self.facts.iter().enumerate() {
            for part in 0..fact.size() {
                let mut less = self.clone();
                let own = &mut less.facts[index];
                match part.checked_sub(own.what.len()) {
                    None => _ = own.what.remove(part),
                    Some(never) => _ = own.never_after.remove(never),
                }
                if own.size() == 0 {
                    less.facts.remove(index);
                }
                list.push(less);
            }
        }
        list
    }
}
