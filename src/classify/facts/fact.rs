//! Facts: atoms, absences and order at position variables (section 3.2 of the classification paper).

use crate::facts::atom::{Atoms, VariableNames};
use crate::facts::index::{AtomId, IndividualVar, PositionVar};
use lang::model::value::{Moment, Value};
use lang::model::{Model, Position, PredicateId};

/// An order relation between two positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OrderRelation {
    /// The first position is less than the second.
    Before,
    /// The second position is the one after the first.
    Next,
}

/// The kind of a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FactKind {
    /// Two positions are in order.
    Order(OrderRelation),
    /// An atom holds.
    Atom(AtomId),
    /// An atom of one position holds nowhere in a stretch of the trace.
    Absent(AtomId, Stretch),
}

/// A part of a trace between, before or after positions, excluding these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stretch {
    /// After the first position and before the second. Empty unless the second is later.
    Between,
    /// From the start of the trace to the position.
    Before,
    /// From the position to the end of the trace.
    After,
}

/// A fact of a trace constraint.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fact {
    /// The kind.
    pub kind: FactKind,
    /// Its position variables: two for an order, as many as the atom has parameters, or the bounds of the
    /// stretch.
    pub positions: Vec<PositionVar>,
    /// Its individuals: as many as the atom has value parameters.
    pub individuals: Vec<IndividualVar>,
}

/// The values of a constraint's variables in a trace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Assignment {
    /// For each position variable, its position.
    pub positions: Vec<Position>,
    /// For each individual, its value.
    pub individuals: Vec<Value>,
}

impl OrderRelation {
    /// True if two positions of a trace follow each other like this.
    pub fn holds(self, first: Position, second: Position) -> bool {
        match self {
            Self::Before => first < second,
            Self::Next => first.next() == second,
        }
    }
}

impl Stretch {
    /// Iterates over the positions of the stretch in a trace with `length` positions.
    pub fn range(
        self,
        positions: &[Position],
        length: usize,
    ) -> impl DoubleEndedIterator<Item = Position> + use<> {
        Position::range(match self {
            Self::Between => positions[0].next()..positions[1],
            Self::Before => Position::FIRST..positions[0],
            Self::After => positions[0].next()..Position::new(length),
        })
    }

    /// Returns the stretch as an interval: `(i..j)`, `[0..i)`, `(i..len(ρ)]`.
    fn show(self, names: &[String]) -> String {
        match self {
            Self::Between => format!("({}..{})", names[0], names[1]),
            Self::Before => format!("[0..{})", names[0]),
            Self::After => format!("({}..len(ρ)]", names[0]),
        }
    }
}

impl Fact {
    /// Creates an order fact.
    pub fn order(order: OrderRelation, first: PositionVar, second: PositionVar) -> Self {
        Self::about(FactKind::Order(order), vec![first, second])
    }

    /// Creates a fact about positions only.
    pub fn about(kind: FactKind, positions: Vec<PositionVar>) -> Self {
        Self { kind, positions, individuals: Vec::new() }
    }

    /// Returns the fact in the paper's notation; `names` are those of all variables.
    pub fn show(&self, model: &Model, atoms: &Atoms, names: &VariableNames) -> String {
        let own = self.own_names(names);
        match self.kind {
            FactKind::Order(OrderRelation::Before) => format!("{} < {}", own.positions[0], own.positions[1]),
            FactKind::Order(OrderRelation::Next) => {
                format!("{} = {} + 1", own.positions[1], own.positions[0])
            }
            FactKind::Atom(atom) => atoms.get(atom).show(model, &own),
            FactKind::Absent(atom, stretch) => {
                let within = stretch.show(&own.positions);
                let what = atoms.get(atom).show(model, &VariableNames { positions: Vec::new(), ..own });
                format!("never {what} within {within}")
            }
        }
    }

    /// Returns the names of its positions and individuals, in the order of its parameters.
    pub fn own_names(&self, names: &VariableNames) -> VariableNames {
        VariableNames {
            positions: self.positions.iter().map(|p| names.positions[p.index()].clone()).collect(),
            individuals: self.individuals.iter().map(|v| names.individuals[v.index()].clone()).collect(),
        }
    }

    /// True if this is an order fact: one that only compares positions.
    pub fn is_order(&self) -> bool {
        matches!(self.kind, FactKind::Order(_))
    }

    /// True if this is an absence: something that holds nowhere in a stretch.
    pub fn is_absence(&self) -> bool {
        matches!(self.kind, FactKind::Absent(..))
    }

    /// True if it only says which individuals are meant.
    pub fn is_about_individuals(&self, atoms: &Atoms) -> bool {
        matches!(self.kind, FactKind::Atom(atom) if atoms.get(atom).is_about_individuals())
    }

    /// Returns the predicate of the user that holds; `None` for all other facts.
    pub fn predicate(&self, atoms: &Atoms) -> Option<PredicateId> {
        match self.kind {
            FactKind::Atom(atom) => atoms.get(atom).predicate(),
            _ => None,
        }
    }

    /// True if it holds in a trace when the variables stand for these, by the reference semantics.
    pub fn holds(&self, model: &Model, atoms: &Atoms, trace: &[Moment], assigned: &Assignment) -> bool {
        let at: Vec<Position> = self.positions.iter().map(|&p| assigned.positions[p.index()]).collect();
        let of: Vec<Value> =
            self.individuals.iter().map(|&v| assigned.individuals[v.index()].clone()).collect();
        self.holds_by(trace.len(), &at, |atom, at| atoms.get(atom).holds(model, trace, at, &of))
    }

    /// Like [`Fact::holds`], in a trace with `length` positions, with its variables at `at`, given the truth
    /// of atoms as `holds`.
    pub(crate) fn holds_by(
        &self,
        length: usize,
        at: &[Position],
        mut holds: impl FnMut(AtomId, &[Position]) -> bool,
    ) -> bool {
        match self.kind {
            FactKind::Order(order) => order.holds(at[0], at[1]),
            FactKind::Atom(atom) => holds(atom, at),
            FactKind::Absent(atom, stretch) => stretch.range(at, length).all(|t| !holds(atom, &[t])),
        }
    }
}
