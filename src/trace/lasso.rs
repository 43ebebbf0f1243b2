//! Infinite traces that repeat themselves.

use super::Trace;

/// An infinite trace that repeats a part for ever: its last state is the one at position `start`, and after it the steps from
/// there on are taken again.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Lasso {
    /// The steps up to the first return, the one that closes the loop included; at least one.
    pub trace: Trace,
    /// The position where the loop begins, less than the number of steps.
    pub start: usize,
}

impl Lasso {
    /// The number of different positions, in the stem and the loop: that of steps, including the one that closes the loop.
    pub fn len(&self) -> usize {
        self.trace.len()
    }

    /// Never: a loop has a step.
    pub fn is_empty(&self) -> bool {
        self.trace.is_empty()
    }

    /// The position that follows one of the different positions.
    pub fn after(&self, position: usize) -> usize {
        if position + 1 == self.len() { self.start } else { position + 1 }
    }

    /// Where a position of the infinite trace is: that itself, or the same one of the first round if it is in a later one.
    pub fn place(&self, position: usize) -> usize {
        match position.checked_sub(self.len() + 1) {
            None => position,
            Some(later) => self.start + 1 + later % (self.len() - self.start),
        }
    }

    /// Whether it ends in the state in which its loop begins.
    pub fn is_closed(&self) -> bool {
        let states = &self.trace.moments;
        self.start < self.len() && states.last().map(|last| &last.state) == Some(&states[self.start].state)
    }
}
