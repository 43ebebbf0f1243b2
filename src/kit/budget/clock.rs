//! Budget checks and progress of long passes.

use super::{Budget, Exhausted, Stage};
use std::collections::HashMap;

/// The number of steps between two checks of the budget.
const PATIENCE: u32 = 1 << 14;

/// Counts the steps of a computation.
pub struct Clock<'a> {
    budget: &'a Budget,
    left: u32,
    done: u64,
    what: &'static str,
}

impl<'a> Clock<'a> {
    /// Creates a clock at zero; `what` names the steps in progress messages: `states reached`.
    pub fn new(budget: &'a Budget, what: &'static str) -> Self {
        Self { budget, left: PATIENCE, done: 0, what }
    }

    /// Starts the next phase; its steps are counted from 0.
    pub fn next(&mut self, what: &'static str) {
        *self = Self::new(self.budget, what);
    }

    /// Counts one step.
    ///
    /// # Errors
    /// If a check finds the budget exhausted.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Exhausted> {
        self.left -= 1;
        if self.left == 0 { self.look() } else { Ok(()) }
    }

    /// Counts several steps.
    ///
    /// # Errors
    /// If a check finds the budget exhausted.
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

    /// Checks the memory limit before an allocation of this many bytes.
    pub fn room(&mut self, bytes: usize) -> Result<(), Exhausted> {
        self.budget.exhausted_by(bytes as u64).map_or(Ok(()), Err)
    }

    /// Checks the memory limit if a map is about to grow, which copies it.
    #[inline]
    pub fn room_in<K, V, S>(&mut self, map: &HashMap<K, V, S>) -> Result<(), Exhausted> {
        match map.len() < map.capacity() {
            true => Ok(()),
            false => self.room(4 * map.capacity() * size_of::<(K, V)>()),
        }
    }

    /// The number of steps at the last check of the budget.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Checks the budget at once, before a long uninterrupted operation.
    #[cold]
    pub fn look(&mut self) -> Result<(), Exhausted> {
        self.done += u64::from(PATIENCE - self.left);
        self.left = PATIENCE;
        let stage = Stage { done: self.done, of: None, what: self.what };
        self.budget.at(stage).map_or(Ok(()), Err)
    }
}
