//! Sets of states of an automaton, small enough to be copied.

/// How many words a set has.
const WORDS: usize = 4;

/// A set of states of an automaton, a bit each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bits([u64; WORDS]);

impl Bits {
    /// No states.
    pub const EMPTY: Self = Self([0; WORDS]);
    /// States have numbers less than this.
    pub const MOST: usize = u64::BITS as usize * WORDS;

    /// One state.
    ///
    /// # Panics
    /// If the state is not less than [`Bits::MOST`]; so do all methods here that take one.
    pub fn of(state: usize) -> Self {
        let mut set = Self::EMPTY;
        set.insert(state);
        set
    }

    /// Whether a state is among them.
    pub fn contains(&self, state: usize) -> bool {
        self.0[state / 64] & (1 << (state % 64)) != 0
    }

    /// Adds a state.
    pub fn insert(&mut self, state: usize) {
        self.0[state / 64] |= 1 << (state % 64);
    }

    /// Takes a state out.
    pub fn remove(&mut self, state: usize) {
        self.0[state / 64] &= !(1 << (state % 64));
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        *self == Self::EMPTY
    }

    /// Whether both sets have a state in common.
    pub fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// The states of both.
    #[must_use]
    pub fn union(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
        self
    }

    /// The states of this set that are not in the other.
    #[must_use]
    pub fn without(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= !b);
        self
    }

    /// The states, ascending.
    pub fn states(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(word, mut bits)| {
            std::iter::from_fn(move || {
                let next = bits.trailing_zeros() as usize;
                bits &= bits.checked_sub(1)?;
                Some(64 * word + next)
            })
        })
    }
}

impl FromIterator<usize> for Bits {
    fn from_iter<I: IntoIterator<Item = usize>>(states: I) -> Self {
        let mut set = Self::EMPTY;
        states.into_iter().for_each(|state| set.insert(state));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::Bits;
    use std::collections::BTreeSet;

    #[test]
    fn sets_behave_as_sets() {
        let of = |step: usize| (0..Bits::MOST).step_by(step);
        let (threes, fives): (Bits, Bits) = (of(3).collect(), of(5).collect());
        let (a, b): (BTreeSet<usize>, BTreeSet<usize>) = (of(3).collect(), of(5).collect());
        assert!(threes.states().eq(a.iter().copied()));
        assert!(threes.union(&fives).states().eq(a.union(&b).copied()));
        assert!(threes.without(&fives).states().eq(a.difference(&b).copied()));
        assert!((0..Bits::MOST).all(|q| threes.contains(q) == a.contains(&q)));
        assert!(threes.meets(&fives) && !threes.meets(&fives.without(&threes)));
        let mut last = Bits::of(Bits::MOST - 1);
        assert!(last.contains(Bits::MOST - 1) && !last.is_empty());
        last.remove(Bits::MOST - 1);
        assert!(last.is_empty());
    }
}
