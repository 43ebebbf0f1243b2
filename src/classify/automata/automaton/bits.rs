//! Sets of states of an automaton, small enough to be copied.

/// The number of words of a set.
const WORDS: usize = 4;

/// A set of states of an automaton, as a bit set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AutomatonStates([u64; WORDS]);

impl AutomatonStates {
    /// The empty set.
    pub const EMPTY: Self = Self([0; WORDS]);
    /// The greatest number of states; states are less than this.
    pub const MOST: usize = u64::BITS as usize * WORDS;

    /// Returns the set of one state.
    ///
    /// # Panics
    /// If the state is not less than [`AutomatonStates::MOST`]; all methods with a state as argument panic then.
    pub fn of(state: usize) -> Self {
        let mut set = Self::EMPTY;
        set.insert(state);
        set
    }

    /// True if a state is among them.
    pub fn contains(&self, state: usize) -> bool {
        self.0[state / 64] & (1 << (state % 64)) != 0
    }

    /// Adds a state.
    pub fn insert(&mut self, state: usize) {
        self.0[state / 64] |= 1 << (state % 64);
    }

    /// Removes a state.
    pub fn remove(&mut self, state: usize) {
        self.0[state / 64] &= !(1 << (state % 64));
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        *self == Self::EMPTY
    }

    /// True if both sets have a state in common.
    pub fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// Returns the union of both sets.
    #[must_use]
    pub fn union(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
        self
    }

    /// Returns the states of this set that are not in the other.
    #[must_use]
    pub fn without(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= !b);
        self
    }

    /// Iterates over the states, ascending.
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

impl FromIterator<usize> for AutomatonStates {
    fn from_iter<I: IntoIterator<Item = usize>>(states: I) -> Self {
        let mut set = Self::EMPTY;
        states.into_iter().for_each(|state| set.insert(state));
        set
    }
}
