//! Statements about a state, which a [`ObservedModel`](super::ObservedModel) numbers, and their literals.

use solvers::sat::Lit;
use std::ops::Not;

/// The number of a statement about a state: first the atoms of the model, then the latches of its observer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StatementId(pub usize);

/// A statement about a state, or its negation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateLit {
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
