//! Long passes look at the budget now and then, and say how far they are.

use crate::budget::{Budget, Exhausted, Stage};
use std::collections::HashMap;

/// Steps between two looks at the budget.
const PATIENCE: u32 = 1 << 14;

/// Counts the steps of a computation.
pub(in crate::lts) struct Clock<'a> {
    budget: &'a Budget,
    left: u32,
    done: u64,
    what: &'static str,
}

impl<'a> Clock<'a> {
    /// Nothing is done yet; `what` is said after the number of steps: `states reached`.
    pub fn new(budget: &'a Budget, what: &'static str) -> Self {
        Self { budget, left: PATIENCE, done: 0, what }
    }

    /// The next part of the computation: steps are counted from 0 again.
    pub fn next(&mut self, what: &'static str) {
        *self = Self::new(self.budget, what);
    }

    /// One step more.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Exhausted> {
        self.left -= 1;
        if self.left == 0 { self.look() } else { Ok(()) }
    }

    /// Many steps at once.
    #[inline]
    pub fn ticks(&mut self, steps: usize) -> Result<(), Exhausted> {
        match u32::try_from(steps) {
            Ok(steps) if steps < self.left => {
                self.left -= steps;
                Ok(())
            }
            _ => {
                self.done += steps as u64;
                self.look()
            }
        }
    }

    /// Looks at the memory before so many bytes are allocated.
    pub fn room(&mut self, bytes: usize) -> Result<(), Exhausted> {
        self.budget.exhausted_by(bytes as u64).map_or(Ok(()), Err)
    }

    /// Looks at the memory where a map is about to grow: then all of it is copied.
    #[inline]
    pub fn room_in<K, V, S>(&mut self, map: &HashMap<K, V, S>) -> Result<(), Exhausted> {
        match map.len() < map.capacity() {
            true => Ok(()),
            false => self.room(4 * map.capacity() * size_of::<(K, V)>()),
        }
    }

    /// The steps up to the last look at the budget.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Looks at the budget at once: before something that takes long by itself.
    #[cold]
    pub fn look(&mut self) -> Result<(), Exhausted> {
        self.done += u64::from(PATIENCE - self.left);
        self.left = PATIENCE;
        let stage = Stage { done: self.done, of: None, what: self.what };
        self.budget.at(stage).map_or(Ok(()), Err)
    }
}
