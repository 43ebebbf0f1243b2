//! Positions of traces.

use super::value::Value;
use kit::index;
use std::ops::Range;

index! {
    /// A position of a trace: the initial state, or a step and the state that it leads to. It is not a length; how many steps or
    /// states there are is a plain number.
    Position
}

impl Position {
    /// The position that so many steps lead to.
    #[inline]
    pub fn after(steps: usize) -> Self {
        Self::new(steps)
    }

    /// How many steps lead there.
    #[inline]
    pub const fn steps(self) -> usize {
        self.index()
    }

    /// The one after it.
    #[inline]
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// The one before it, if it is not the first one.
    #[inline]
    #[must_use]
    pub fn previous(self) -> Option<Self> {
        self.0.checked_sub(1).map(Self)
    }

    /// The one that so many steps lead to from here.
    #[inline]
    #[must_use]
    pub fn later(self, steps: usize) -> Self {
        Self::after(self.steps() + steps)
    }

    /// The positions from one on, up to the one before another.
    #[inline]
    pub fn range(positions: Range<Self>) -> impl DoubleEndedIterator<Item = Self> + Clone {
        (positions.start.0..positions.end.0).map(Self)
    }

    /// The positions up to one, which is among them.
    #[inline]
    pub fn up_to(last: Self) -> impl DoubleEndedIterator<Item = Self> + Clone {
        Self::range(Self::FIRST..last.next())
    }

    /// All positions of a trace with so many states, or the first ones of a longer trace.
    #[inline]
    pub fn all(count: usize) -> impl DoubleEndedIterator<Item = Self> + Clone {
        Self::range(Self::FIRST..Self::new(count))
    }
}

impl From<Position> for Value {
    /// The position as formulas know it.
    fn from(at: Position) -> Self {
        Self::Int(i64::from(at.to_u32()))
    }
}
