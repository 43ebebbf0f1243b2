//! A table of packed states, numbered in order of insertion.

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxHasher;
use std::hash::Hasher;
use std::ops::Range;

/// Distinct states, one after the other, and an index to find them by their words.
#[derive(Debug, Clone)]
pub struct StateTable {
    words_per_state: usize,
    words: Vec<u64>,
    index: HashTable<u32>,
}

impl StateTable {
    /// Creates a table without states, with the number of words of each, at least one.
    pub fn new(words_per_state: usize) -> Self {
        Self { words_per_state, words: Vec::new(), index: HashTable::new() }
    }

    /// Returns the number of states.
    pub fn state_count(&self) -> usize {
        self.words.len() / self.words_per_state
    }

    /// Returns the words of a state.
    #[inline]
    pub fn get(&self, number: u32) -> &[u64] {
        let start = number as usize * self.words_per_state;
        &self.words[start..start + self.words_per_state]
    }

    /// Returns the words of some consecutive states.
    pub fn range(&self, numbers: Range<usize>) -> &[u64] {
        &self.words[numbers.start * self.words_per_state..numbers.end * self.words_per_state]
    }

    /// Returns the number of a state, if the table has it.
    pub fn find(&self, state: &[u64]) -> Option<u32> {
        self.index.find(hash(state), |&number| self.get(number) == state).copied()
    }

    /// Returns the number of a state, with true if it is new. Adds a new state if there are fewer than `limit`;
    /// otherwise returns `None`.
    ///
    /// # Panics
    /// If `limit` is greater than 2^32.
    #[inline]
    pub fn insert(&mut self, state: &[u64], limit: usize) -> Option<(u32, bool)> {
        self.insert_hashed(hash(state), state, limit)
    }

    /// Like [`StateTable::insert`], for a state whose [`hash`] is known.
    #[inline]
    pub fn insert_hashed(&mut self, hashed: u64, state: &[u64], limit: usize) -> Option<(u32, bool)> {
        let Self { words_per_state: per_state, words, index } = self;
        let of = |number: u32| &words[number as usize * *per_state..][..*per_state];
        let entry = index.entry(hashed, |&number| of(number) == state, |&number| hash(of(number)));
        match entry {
            Entry::Occupied(known) => Some((*known.get(), false)),
            Entry::Vacant(free) => {
                let number = words.len() / *per_state;
                if number >= limit {
                    return None;
                }
                let number = u32::try_from(number).expect("the limit is at most 2^32 states");
                free.insert(number);
                words.extend_from_slice(state);
                Some((number, true))
            }
        }
    }
}

/// Returns the hash by which a table finds a state.
#[inline]
pub fn hash(state: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    state.iter().for_each(|&word| hasher.write_u64(word));
    hasher.finish()
}
