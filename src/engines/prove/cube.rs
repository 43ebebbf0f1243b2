//! Sets of states as conjunctions of literals over the statements of a system.

use solvers::sat::Lit;
use std::ops::Not;

/// The set of states that satisfy all of its literals. Literals ascend, each occurring once; the cube without literals
/// is the set of all states.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cube {
    literals: Vec<StateLit>,
    /// A bit for each literal, shared by several: if this signature has a bit that another cube's lacks, that cube
    /// lacks a literal of this one (N. Eén, A. Biere, "Effective preprocessing in SAT through variable and clause
    /// elimination", SAT 2005).
    signature: u64,
}

impl Cube {
    /// Creates the cube of these literals.
    pub fn new(mut literals: Vec<StateLit>) -> Self {
        literals.sort_unstable();
        literals.dedup();
        Self::of_ascending(literals)
    }

    fn of_ascending(literals: Vec<StateLit>) -> Self {
        let bit = |literal: &StateLit| 1 << ((2 * literal.statement.0 + usize::from(literal.holds)) % 64);
        let signature = literals.iter().map(bit).fold(0, |bits, bit: u64| bits | bit);
        Self { literals, signature }
    }

    /// Returns the literals in ascending order.
    pub fn literals(&self) -> &[StateLit] {
        &self.literals
    }

    /// Returns the number of literals.
    pub fn width(&self) -> usize {
        self.literals.len()
    }

    /// True if the cube has the literal.
    pub fn contains(&self, literal: StateLit) -> bool {
        self.literals.binary_search(&literal).is_ok()
    }

    /// True if the literals here are among those of `other`, so that every state of `other` is in this cube.
    pub fn subsumes(&self, other: &Self) -> bool {
        if self.signature & !other.signature != 0 || self.width() > other.width() {
            return false;
        }
        let mut rest = &other.literals[..];
        self.literals.iter().all(|literal| {
            let place = rest.binary_search(literal);
            rest = &rest[place.map_or(0, |place| place + 1)..];
            place.is_ok()
        })
    }

    /// Returns the cube of the literals that satisfy a condition, a superset of the states.
    pub fn filtered(&self, keep: impl Fn(StateLit) -> bool) -> Self {
        Self::of_ascending(self.literals.iter().copied().filter(|&literal| keep(literal)).collect())
    }

    /// Returns the clause that excludes the states of this cube.
    pub fn negated(&self) -> Vec<StateLit> {
        self.literals.iter().map(|&literal| !literal).collect()
    }
}

/// The number of a statement about a state: first the atoms of the model, then the latches of its observer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StatementId(pub usize);

/// A statement about a state, or its negation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateLit {
    /// The statement.
    pub statement: StatementId,
    /// False for its negation.
    pub holds: bool,
}

impl StateLit {
    /// Returns its literal, given the literals of all statements in the order of their numbers.
    pub(super) fn lit(self, statements: &[Lit]) -> Lit {
        let lit = statements[self.statement.0];
        if self.holds { lit } else { !lit }
    }
}

impl Not for StateLit {
    type Output = Self;

    fn not(self) -> Self {
        Self { statement: self.statement, holds: !self.holds }
    }
}
