//! What a vocabulary names, each thing as a constraint of its own.

use crate::classify::atom::Atoms;
use crate::classify::block;
use crate::classify::collect::Collector;
use crate::classify::constraint::Constraint;
use crate::classify::index::AtomId;
use crate::classify::lifting::Lifter;
use crate::classify::occurrence::anywhere;
use crate::classify::options::Preference;
use crate::classify::score::Score;
use crate::classify::space::Space;
use crate::model::{Vocabulary, VocabularyItem};
use crate::sat::Lit;
use itertools::Itertools;

/// Observables with more values than this are left out.
const MOST_VALUES: u64 = 256;

/// What may be chosen as a class.
pub struct Thing {
    /// It as a constraint of one fact.
    pub constraint: Constraint,
    /// Whether it is a predicate, and not just something observed.
    pub named: bool,
    pub score: Score,
    matched: Option<Lit>,
    happens: Option<Lit>,
}

impl Thing {
    fn of(atoms: &Atoms, constraint: Constraint, preference: &Preference) -> Self {
        Self {
            named: constraint.has_predicate(atoms),
            score: Score::of(atoms, &constraint, preference),
            constraint,
            matched: None,
            happens: None,
        }
    }

    /// One that others are not compared with by its score.
    pub fn unranked(atoms: &Atoms, constraint: Constraint) -> Self {
        Self { score: Score::default(), ..Self::of(atoms, constraint, &Preference::default()) }
    }

    /// The same for another solver.
    pub fn afresh(&self) -> Self {
        Self { constraint: self.constraint.clone(), matched: None, happens: None, ..*self }
    }

    /// A literal that is true in every trace in which it happens.
    pub fn matched(&mut self, space: &mut Space<'_>) -> Lit {
        *self.matched.get_or_insert_with(|| block::matched(space, &self.constraint))
    }

    /// A literal that, when it is true, makes it happen, with variables of its own: `number` tells it from other things.
    pub fn happens(&mut self, space: &mut Space<'_>, number: usize) -> Lit {
        *self.happens.get_or_insert_with(|| anywhere(space, &self.constraint, number))
    }
}

/// The things of a vocabulary.
pub struct Things {
    pub things: Vec<Thing>,
    /// The texts of observables that have too many values.
    pub skipped: Vec<String>,
}

/// The predicates of a vocabulary, at any positions and of any individuals; if it has none, every value of each observable
/// but `none`, and every pair of observables that are compared.
pub fn of(
    collector: &mut Collector<'_>,
    lifter: &Lifter<'_>,
    vocabulary: &Vocabulary,
    preference: &Preference,
) -> Things {
    let is_predicate = |item: &VocabularyItem| matches!(item, VocabularyItem::Predicate(..));
    let named = vocabulary.items.iter().any(is_predicate);
    let (mut found, mut skipped): (Vec<AtomId>, Vec<String>) = (Vec::new(), Vec::new());
    for (index, item) in vocabulary.items.iter().enumerate() {
        // That an observable has the same value twice is true of any position and itself.
        let is_trivial = matches!(item, VocabularyItem::Across(left, right) if left.text == right.text);
        if named && !is_predicate(item) || is_trivial {
            continue;
        }
        match collector.atoms_of(index, MOST_VALUES) {
            Some(atoms) => found.extend(atoms.into_iter().map(|atom| lifter.shape(atom))),
            None => skipped.extend(item.observables().into_iter().map(str::to_owned)),
        }
    }
    let atoms = collector.atoms();
    let things = found
        .into_iter()
        .unique_by(|&atom| atoms.get(atom).says())
        .map(|atom| Thing::of(atoms, Constraint::of_atom(atoms, atom), preference));
    Things { things: things.collect(), skipped }
}
