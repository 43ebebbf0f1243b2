//! The lengths of traces considered in an analysis.

use std::ops::RangeInclusive;

/// The greatest bound of whatever unrolls a model up to it before anything is known. A state takes hundreds of bytes at least.
pub const MOST_STEPS: usize = 1_000_000;

/// The numbers of steps that traces may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lengths {
    /// Traces of at most this many steps, which may end anywhere.
    UpTo(usize),
    /// Traces of exactly this many steps; a violation at any position counts, and runs that end in a deadlock
    /// earlier are not considered. This is how the prototype of Vick, Kang and Tripakis (*Counterexample
    /// classification*, 2023) interprets a bound, which it counts in states: one more than steps.
    Exactly(usize),
}

impl Lengths {
    /// The error for a bound beyond [`MOST_STEPS`]; `None` with others.
    pub fn absurd(self) -> Option<String> {
        (self.bound() > MOST_STEPS).then(|| format!("no model can be unrolled for {} steps", self.bound()))
    }

    /// The maximum number of steps.
    pub fn bound(self) -> usize {
        match self {
            Self::UpTo(bound) | Self::Exactly(bound) => bound,
        }
    }

    /// The length of a trace of which only the first `steps` steps matter: it ends there unless its length is fixed.
    pub fn whole(self, steps: usize) -> usize {
        match self {
            Self::UpTo(_) => steps,
            Self::Exactly(bound) => bound,
        }
    }

    /// All lengths, in ascending order.
    pub fn all(self) -> RangeInclusive<usize> {
        match self {
            Self::UpTo(bound) => 0..=bound,
            Self::Exactly(bound) => bound..=bound,
        }
    }
}
