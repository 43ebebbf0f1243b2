//! Which traces of a model are looked at.

use std::ops::RangeInclusive;

/// The numbers of steps that traces may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lengths {
    /// Traces of up to this many steps, each ending anywhere.
    UpTo(usize),
    /// Traces of exactly this many steps. What cannot go on for so long is no trace, whatever
    /// happens in it; a violation anywhere counts. This is how the classification paper's prototype reads a
    /// bound, which it counts in states: one more than steps.
    Exactly(usize),
}

impl Lengths {
    /// The greatest number of steps.
    pub fn bound(self) -> usize {
        match self {
            Self::UpTo(bound) | Self::Exactly(bound) => bound,
        }
    }

    /// The number of steps of a trace of which only the first `steps` matter: it ends there if it may.
    pub fn whole(self, steps: usize) -> usize {
        match self {
            Self::UpTo(_) => steps,
            Self::Exactly(bound) => bound,
        }
    }

    /// All numbers of steps, least first.
    pub fn all(self) -> RangeInclusive<usize> {
        match self {
            Self::UpTo(bound) => 0..=bound,
            Self::Exactly(bound) => bound..=bound,
        }
    }
}
