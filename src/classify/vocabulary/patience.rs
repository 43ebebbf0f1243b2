//! How long a vocabulary is tried where there is no limit of time, or that is far away.

use std::time::Duration;

/// Once there is a good vocabulary, others may take so many times as long as it took.
const TIMES: u32 = 5;

/// Once there is one that gives one class, others can only give less to read, and may take so many times as long, but a second in any
/// case.
const TIMES_TO_READ_LESS: u32 = 2;
const LEAST_TO_READ_LESS: Duration = Duration::from_secs(1);

/// The longest time that a trial may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    /// A trial may take this in any case.
    pub least: Duration,
    /// As long as there is no good vocabulary, it may take this.
    pub most: Duration,
}

impl Patience {
    /// What is left of it once a good vocabulary took so many seconds and gave so many classes.
    pub fn after(self, seconds: f64, classes: usize) -> Duration {
        let (times, least) = match classes {
            0 | 1 => (TIMES_TO_READ_LESS, LEAST_TO_READ_LESS),
            _ => (TIMES, self.least),
        };
        Duration::from_secs_f64(seconds).saturating_mul(times).clamp(least, self.most)
    }
}
