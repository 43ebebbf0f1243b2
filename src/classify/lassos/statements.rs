//! Constraints of infinite traces as sets of statements.
//!
//! Each fact has positions of its own, also where it does not name them, so that what it says of one position stays together.

use super::constraint::LassoConstraint;
use super::fact::{AtomLiteral, AtomRef, LassoFact, When};
use crate::facts::index::PositionVar;
use crate::facts::statements::{Statement, Statements};

/// The statement, but for the atom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum OfLassos {
    /// One position of a fact is before another one.
    Before,
    /// The atom holds or not at the positions of a fact.
    At(When, bool),
    /// It holds or not at all positions after that of a fact.
    After(bool),
    /// It is so of individuals, at whatever position.
    OfIndividuals,
}

impl From<&LassoConstraint> for Statements<OfLassos> {
    fn from(constraint: &LassoConstraint) -> Self {
        let individuals = constraint.individuals.clone();
        let mut statements = Self { positions: 0, individuals, all: Vec::new() };
        for fact in &constraint.facts {
            statements.add(fact);
        }
        for about in &constraint.distinct {
            statements.say(OfLassos::OfIndividuals, about, Vec::new());
        }
        statements
    }
}

impl Statements<OfLassos> {
    fn add(&mut self, fact: &LassoFact) {
        let mut earlier = None;
        for here in fact.before.iter().chain([&fact.what]) {
            let position = PositionVar::new(self.positions);
            self.positions += 1;
            if let Some(earlier) = earlier.replace(position) {
                let (atom, individuals) = (None, Vec::new());
                let positions = vec![earlier, position];
                self.all.push(Statement { said: OfLassos::Before, atom, positions, individuals });
            }
            for AtomLiteral { about, holds } in here {
                self.say(OfLassos::At(fact.when, *holds), about, vec![position]);
            }
        }
        for AtomLiteral { about, holds } in &fact.after {
            self.say(OfLassos::After(*holds), about, earlier.into_iter().collect());
        }
    }

    fn say(&mut self, said: OfLassos, about: &AtomRef, positions: Vec<PositionVar>) {
        let (atom, individuals) = (Some(about.atom), about.individuals.clone());
        self.all.push(Statement { said, atom, positions, individuals });
    }
}
