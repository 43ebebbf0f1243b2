//! The property of a model that asks for an answer, as reports name it and the states of its analysis.

use explicit::lts::{Bits, StateId};

/// A property that asks for an answer.
#[derive(Debug, Clone, Copy)]
pub struct Answered<'a> {
    /// Its name.
    pub property: &'a str,
    /// For each state of the analysed system the number of the state of the model.
    pub states: &'a [StateId],
    /// In which states of the analysed system something is waited for.
    pub waiting: &'a Bits,
}

impl Answered<'_> {
    pub(super) fn state(self, analysed: StateId) -> StateId {
        self.states[analysed.index()]
    }

    /// Whether something is waited for.
    pub(super) fn is_waiting(self, analysed: StateId) -> bool {
        self.waiting.has(analysed.index())
    }
}
