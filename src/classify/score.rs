//! How good a constraint is for a reader, beside what it covers.

use super::constraint::Constraint;
use super::fact::{FactKind, Origin};
use super::minimise::Preference;

/// What a constraint costs its reader, what matters most first; costs of several constraints add up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score([usize; 6]);

impl Score {
    /// The score of a constraint: whether nothing in it was asked to be preferred, whether it has no predicate of
    /// the user, then its positions, its facts, those of them about states (labels say what was
    /// done), and its order facts.
    pub fn of(constraint: &Constraint, preference: &Preference) -> Self {
        let atoms = || {
            constraint.facts.iter().filter_map(|fact| match &fact.kind {
                FactKind::Atom(atom) | FactKind::Absent(atom, _) => Some(atom),
                FactKind::Before | FactKind::Next => None,
            })
        };
        let asked_for = atoms().any(|atom| preference.items.contains(&atom.item));
        let predicate = atoms().any(|atom| matches!(atom.origin, Origin::Predicate { .. }));
        let facts = atoms().count();
        let states = atoms().filter(|atom| !atom.reads_label()).count();
        Self([
            usize::from(!preference.items.is_empty() && !asked_for),
            usize::from(!predicate),
            constraint.positions,
            facts,
            states,
            constraint.facts.len() - facts,
        ])
    }

    /// Both together.
    #[must_use]
    pub fn plus(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a += b);
        self
    }
}

/// A score with these costs for its predicates and its positions.
#[cfg(test)]
pub(super) fn score_of(predicates: usize, positions: usize) -> Score {
    Score([0, predicates, positions, 0, 0, 0])
}
