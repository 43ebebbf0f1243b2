//! Infinite traces that repeat themselves.

use super::Trace;
use crate::model::permutation::Permutation;
use crate::model::{Model, Position};

/// An infinite trace that repeats a part for ever: its last state is the one at position `start`, and after it the steps from
/// there on are taken again.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Lasso {
    /// The steps up to the first return, the one that closes the loop included; at least one.
    pub trace: Trace,
    /// The position where the loop begins, before the last one.
    pub start: Position,
}

impl Lasso {
    /// The image under a permutation.
    #[must_use]
    pub fn permuted(&self, model: &Model, by: &Permutation) -> Self {
        Self { trace: self.trace.permuted(model, by), start: self.start }
    }

    /// The number of different positions, in the stem and the loop: that of steps, including the one that closes the loop.
    pub fn len(&self) -> usize {
        self.trace.len()
    }

    /// Never: a loop has a step.
    pub fn is_empty(&self) -> bool {
        self.trace.is_empty()
    }

    /// The number of steps of the loop.
    pub fn round(&self) -> usize {
        self.len() - self.start.steps()
    }

    /// Its different positions, in order.
    pub fn positions(&self) -> impl DoubleEndedIterator<Item = Position> + Clone + use<> {
        Position::all(self.len())
    }

    /// The positions that the steps of the loop lead to, the first time.
    pub fn loop_steps(&self) -> impl DoubleEndedIterator<Item = Position> + Clone + use<> {
        Position::range(self.start.next()..self.trace.last().next())
    }

    /// The position that follows one of the different positions.
    pub fn after(&self, position: Position) -> Position {
        let next = position.next();
        if next == self.trace.last() { self.start } else { next }
    }

    /// Where a position of the infinite trace is: that itself, or the same one of the first round if it is in a later one.
    pub fn place(&self, position: Position) -> Position {
        match position.index().checked_sub(self.len() + 1) {
            None => position,
            Some(later) => Position::new(self.start.index() + 1 + later % self.round()),
        }
    }

    /// True if it ends in the state in which its loop begins.
    pub fn is_closed(&self) -> bool {
        let trace = &self.trace;
        self.start < trace.last() && trace.state(trace.last()) == trace.state(self.start)
    }
}
