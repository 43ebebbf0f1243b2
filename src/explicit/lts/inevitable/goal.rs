//! What every maximal run should contain, and which runs lack it.

use crate::lts::bits::Bits;
use crate::lts::graph::{StateId, Transition};
use crate::lts::sequence::Steps;

/// What every maximal run should contain.
#[derive(Debug, Clone, Copy)]
pub enum Goal<'a> {
    /// Actions in this order, with anything between them.
    Sequence(&'a Steps),
    /// An answer, again and again: no run stays for ever in these states, nor ends in one. In each of them something is waited for.
    Answer(&'a Bits),
}

impl Goal<'_> {
    /// The number of stages that a run can be in before it has all that it should contain: how many of the actions it has.
    pub fn stages(self) -> usize {
        match self {
            Self::Sequence(steps) => steps.len(),
            Self::Answer(_) => 1,
        }
    }

    /// The stage after a transition, given that before it; [`Goal::stages`] is the end.
    #[inline]
    pub fn forward(self, step: Transition, stage: usize) -> usize {
        match self {
            Self::Sequence(steps) => steps.forward(step.label, stage),
            Self::Answer(_) => stage,
        }
    }

    /// Whether a cycle may contain a transition so that a run that stays in it does not get further than a stage: for a sequence, the
    /// action with this number is lacking for ever.
    #[inline]
    pub fn avoids(self, step: Transition, stage: usize) -> bool {
        match self {
            Self::Sequence(steps) => !steps.is(step.label, stage),
            Self::Answer(waiting) => waiting.has(step.to.index()),
        }
    }

    /// Whether a run that is in some stage may not end in a state.
    pub fn fails_at(self, end: StateId) -> bool {
        match self {
            Self::Sequence(_) => true,
            Self::Answer(waiting) => waiting.has(end.index()),
        }
    }
}
