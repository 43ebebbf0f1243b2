//! Constraints as sets of statements, modulo the order of facts and the names of variables.

use crate::facts::constraint::Constraint;
use crate::facts::fact::{Fact, FactKind, OrderRelation, Stretch};
use crate::facts::index::{AtomId, DomainId, IndividualVar, PositionVar};

/// The statements of a constraint about positions and individuals.
#[derive(Debug, Clone)]
pub struct Statements<S> {
    /// The number of positions.
    pub positions: usize,
    /// The domains of the individuals.
    pub individuals: Vec<DomainId>,
    /// The statements; the order is irrelevant.
    pub all: Vec<Statement<S>>,
}

/// A statement of a constraint.
#[derive(Debug, Clone)]
pub struct Statement<S> {
    /// The form, without the atom.
    pub said: S,
    /// The atom; `None` for an order of positions.
    pub atom: Option<AtomId>,
    /// Its positions.
    pub positions: Vec<PositionVar>,
    /// Its individuals.
    pub individuals: Vec<IndividualVar>,
}

/// The form of a fact, without its atom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FactForm {
    /// An order of two positions.
    Order(OrderRelation),
    /// An atom that holds.
    Holds,
    /// An atom that holds nowhere in a stretch.
    Absent(Stretch),
}

impl From<&Constraint> for Statements<FactForm> {
    fn from(constraint: &Constraint) -> Self {
        let statement = |fact: &Fact| {
            let (said, atom) = match fact.kind {
                FactKind::Order(order) => (FactForm::Order(order), None),
                FactKind::Atom(atom) => (FactForm::Holds, Some(atom)),
                FactKind::Absent(atom, stretch) => (FactForm::Absent(stretch), Some(atom)),
            };
            let (positions, individuals) = (fact.positions.clone(), fact.individuals.clone());
            Statement { said, atom, positions, individuals }
        };
        Self {
            positions: constraint.positions,
            individuals: constraint.individuals.clone(),
            all: constraint.facts.iter().map(statement).collect(),
        }
    }
}
