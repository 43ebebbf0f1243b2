//! How good a constraint is for a reader, beside what it covers.

use crate::facts::atom::{Atom, Atoms};
use crate::facts::constraint::Constraint;
use crate::facts::fact::FactKind;
use crate::results::options::Preference;

/// The reading cost of a constraint; the costs of several constraints add up. Scores are compared field by field, so the fields are in
/// the order of their importance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score {
    /// 1 if facts were asked to be preferred and the constraint has none of them.
    pub without_preferred: usize,
    /// 1 if it has no predicate of the user.
    pub without_predicate: usize,
    /// Position variables.
    pub positions: usize,
    /// Facts other than order.
    pub facts: usize,
    /// Those of them that read states; labels say what was done.
    pub about_states: usize,
    /// Order facts.
    pub order: usize,
    /// Individuals.
    pub individuals: usize,
}

impl Score {
    /// The score of a constraint.
    pub fn of(atoms: &Atoms, constraint: &Constraint, preference: &Preference) -> Self {
        let used = constraint.facts.iter().filter_map(|fact| match fact.kind {
            FactKind::Atom(atom) | FactKind::Absent(atom, _) => Some(atoms.get(atom)),
            FactKind::Order(_) => None,
        });
        let used: Vec<&Atom> = used.collect();
        let order = constraint.facts.len() - used.len();
        Self::of_used(&used, preference).with(constraint.positions, order, constraint.individuals.len())
    }

    /// The score of facts about these atoms.
    pub fn of_used(used: &[&Atom], preference: &Preference) -> Self {
        let preferred = preference.items.is_empty() || used.iter().any(|atom| preference.is_asked_for(atom));
        Self {
            without_preferred: usize::from(!preferred),
            without_predicate: usize::from(!used.iter().any(|atom| atom.is_predicate())),
            facts: used.len(),
            about_states: used.iter().filter(|atom| !atom.reads_label()).count(),
            ..Self::default()
        }
    }

    /// The score with so many positions, order facts and individuals.
    #[must_use]
    pub fn with(self, positions: usize, order: usize, individuals: usize) -> Self {
        Self { positions, order, individuals, ..self }
    }

    /// How much there is to read: positions, individuals and facts, order facts included.
    pub fn length(&self) -> usize {
        self.positions + self.facts + self.order + self.individuals
    }

    /// True if a constraint is no longer than another one, and has a predicate and a preferred fact if that has them.
    pub fn is_as_easy_as(&self, other: &Self) -> bool {
        self.without_preferred <= other.without_preferred
            && self.without_predicate <= other.without_predicate
            && self.length() <= other.length()
    }

    /// The sum of both, field by field.
    #[must_use]
    pub fn plus(self, other: &Self) -> Self {
        Self {
            without_preferred: self.without_preferred + other.without_preferred,
            without_predicate: self.without_predicate + other.without_predicate,
            positions: self.positions + other.positions,
            facts: self.facts + other.facts,
            about_states: self.about_states + other.about_states,
            order: self.order + other.order,
            individuals: self.individuals + other.individuals,
        }
    }
}
