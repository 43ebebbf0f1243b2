//! How long a vocabulary is tried where there is no limit of time, or that is far away.

use std::time::Duration;

/// Once there is a good vocabulary, others may take so many times as long as it took.
const TIMES: u32 = 5;

/// The longest time that a trial may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    /// A trial may take this in any case.
    pub least: Duration,
    /// As long as there is no good vocabulary, it may take this.
    pub most: Duration,
}

impl Patience {
    /// What is left of it once a good vocabulary took so many seconds.
    pub fn after(self, seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds).saturating_mul(TIMES).clamp(self.least, self.most)
    }
}
