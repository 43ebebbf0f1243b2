//! The time limits of trials if there is no limit of time, or a distant one.

use std::time::Duration;

/// The time limit of a trial as a multiple of the time of a good vocabulary.
const TIMES: u32 = 5;

/// The multiple, and the least time, once a vocabulary has one class: others can only be smaller in size.
const TIMES_TO_READ_LESS: u32 = 2;
const LEAST_TO_READ_LESS: Duration = Duration::from_secs(1);

/// Without a limit of time, all trials after the first one may take this together.
pub const SEARCH: Duration = Duration::from_secs(5);

/// The time limits of a trial.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    /// The lower limit.
    pub least: Duration,
    /// The upper limit, and the limit while there is no good vocabulary.
    pub most: Duration,
}

impl Patience {
    /// Returns the time limit after a good vocabulary took `seconds` and gave `classes` classes.
    pub fn after(self, seconds: f64, classes: usize) -> Duration {
        let (times, least) = match classes {
            0 | 1 => (TIMES_TO_READ_LESS, LEAST_TO_READ_LESS),
            _ => (TIMES, self.least),
        };
        Duration::from_secs_f64(seconds).saturating_mul(times).clamp(least, self.most)
    }
}

/// The processor time that the trials after the first one may take together, where there is no limit of time: five seconds, or twice as long as the
/// first one took.
#[derive(Debug, Default)]
pub(super) struct Allowance {
    /// Seconds that the first trial took, once it is done.
    first: Option<f64>,
    /// Seconds that the others took.
    spent: f64,
}

impl Allowance {
    /// Notes a trial that took so many seconds.
    pub fn note(&mut self, seconds: f64) {
        match self.first {
            None => self.first = Some(seconds),
            Some(_) => self.spent += seconds,
        }
    }

    /// The time that is left.
    pub fn left(&self) -> Duration {
        let all = self.first.map_or(SEARCH, |first| Duration::from_secs_f64(2.0 * first).max(SEARCH));
        all.saturating_sub(Duration::from_secs_f64(self.spent))
    }
}
