//! The time limits of trials if there is no limit of time, or a distant one.

use std::time::Duration;

/// The time limit of a trial as a multiple of the time of a good vocabulary.
const TIMES: u32 = 5;

/// The multiple, and the least time, once a vocabulary has one class: others can only be smaller in size.
const TIMES_TO_READ_LESS: u32 = 2;
const LEAST_TO_READ_LESS: Duration = Duration::from_secs(1);

/// The time limit of all trials after the first one together, in the absence of a limit of time.
pub const SEARCH: Duration = Duration::from_secs(5);

/// The time limits of a trial.
#[derive(Debug, Clone, Copy)]
pub(super) struct TrialTimeout {
    /// The lower limit.
    pub least: Duration,
    /// The upper limit, and the limit while there is no good vocabulary.
    pub most: Duration,
}

impl TrialTimeout {
    /// Returns the time limit after a good vocabulary took `seconds` and gave `classes` classes.
    pub fn after(self, seconds: f64, classes: usize) -> Duration {
        let (times, least) = match classes {
            0 | 1 => (TIMES_TO_READ_LESS, LEAST_TO_READ_LESS),
            _ => (TIMES, self.least),
        };
        Duration::from_secs_f64(seconds).saturating_mul(times).clamp(least, self.most)
    }
}
