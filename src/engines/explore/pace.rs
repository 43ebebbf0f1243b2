//! How many states are worth giving to another thread at a time.

use std::time::{Duration, Instant};

/// The time that so many states should take.
const WORTH: Duration = Duration::from_micros(200);
/// There are at most so many of them.
const MOST: usize = 256;
/// The time that states take is measured this many at a time.
const MEASURED: usize = 16;

/// Measures how long states take.
pub struct Pace {
    begun: Instant,
    states: usize,
    piece: Option<usize>,
    fixed: bool,
}

impl Pace {
    /// Measures from now on, unless the number of states is fixed.
    pub fn new(fixed: Option<usize>) -> Self {
        Self { begun: Instant::now(), states: 0, piece: fixed, fixed: fixed.is_some() }
    }

    /// To be called before each state: how many states are worth giving away; `None` before it is known.
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
