//! The number of states that are worth giving to another thread at a time.

use std::time::{Duration, Instant};

/// The time that a piece of states should take.
const WORTH: Duration = Duration::from_micros(200);
/// The most states of a piece.
const MOST: usize = 256;
/// The number of states over which their time is measured.
const MEASURED: usize = 16;

/// Measures the time that states take.
pub struct StateTimer {
    begun: Instant,
    states: usize,
    piece: Option<usize>,
    fixed: bool,
}

impl StateTimer {
    /// Measures from now on, unless the number of states is fixed.
    pub fn new(fixed: Option<usize>) -> Self {
        Self { begun: Instant::now(), states: 0, piece: fixed, fixed: fixed.is_some() }
    }

    /// Counts a state, before it is explored, and returns the number of states worth giving away; `None` before it is
    /// known.
    pub fn piece(&mut self) -> Option<usize> {
        if !self.fixed && self.states == MEASURED {
            let each = self.begun.elapsed().as_nanos().max(1) / MEASURED as u128;
            self.piece = Some((WORTH.as_nanos() / each.max(1)).clamp(1, MOST as u128) as usize);
            (self.begun, self.states) = (Instant::now(), 0);
        }
        self.states += 1;
        self.piece
    }
}
