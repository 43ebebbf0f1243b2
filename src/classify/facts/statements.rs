//! What constraints say, one statement beside the other: what is left of them where neither the order nor the names of variables count.

use crate::facts::constraint::Constraint;
use crate::facts::fact::{Fact, FactKind, Order, Stretch};
use crate::facts::index::{AtomId, DomainId, IndividualVar, PositionVar};

/// What a constraint says of positions and individuals.
#[derive(Debug, Clone)]
pub struct Statements<S> {
    /// How many positions there are.
    pub positions: usize,
    /// The domains of the individuals.
    pub individuals: Vec<DomainId>,
    /// The statements, in no order.
    pub all: Vec<Statement<S>>,
}

/// One of them.
#[derive(Debug, Clone)]
pub struct Statement<S> {
    /// What is said, but for the atom.
    pub said: S,
    /// What it is said of; nothing where positions only follow each other.
    pub atom: Option<AtomId>,
    /// The positions that it names.
    pub positions: Vec<PositionVar>,
    /// The individuals that it names.
    pub individuals: Vec<IndividualVar>,
}

/// What a fact says, but for its atom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum OfTraces {
    Order(Order),
    Holds,
    Absent(Stretch),
}

impl From<&Constraint> for Statements<OfTraces> {
    fn from(constraint: &Constraint) -> Self {
        let statement = |fact: &Fact| {
            let (said, atom) = match fact.kind {
                FactKind::Order(order) => (OfTraces::Order(order), None),
                FactKind::Atom(atom) => (OfTraces::Holds, Some(atom)),
                FactKind::Absent(atom, stretch) => (OfTraces::Absent(stretch), Some(atom)),
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
