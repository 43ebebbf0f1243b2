//! The names that are known at a place of a formula.

use crate::mucalc::expr::Slot;
use crate::mucalc::formula::FixpointId;

/// What a name stands for.
#[derive(Debug, Clone)]
pub enum Bound {
    /// A variable for data.
    Variable(Slot),
    /// A fixpoint.
    Fixpoint {
        /// Its number.
        id: FixpointId,
        /// Whether it stands under an even number of negations.
        positive: bool,
        /// Its parameters.
        parameters: Vec<Slot>,
    },
}

/// Names with what they stand for, inner ones last.
#[derive(Debug, Default)]
pub struct Scope {
    names: Vec<(String, Bound)>,
}

impl Scope {
    /// Makes a name known.
    pub fn enter(&mut self, name: &str, bound: Bound) {
        self.names.push((name.to_owned(), bound));
    }

    /// Forgets the last names.
    pub fn leave(&mut self, names: usize) {
        self.names.truncate(self.names.len() - names);
    }

    /// What a name stands for.
    pub fn find(&self, name: &str) -> Option<&Bound> {
        self.names.iter().rev().find(|(known, _)| known == name).map(|(_, bound)| bound)
    }

    /// The names of fixpoints.
    pub fn fixpoints(&self) -> impl Iterator<Item = &str> {
        let names = self.names.iter().filter(|(_, bound)| matches!(bound, Bound::Fixpoint { .. }));
        names.map(|(name, _)| name.as_str())
    }

    /// The names of variables.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        let names = self.names.iter().filter(|(_, bound)| matches!(bound, Bound::Variable(_)));
        names.map(|(name, _)| name.as_str())
    }
}
