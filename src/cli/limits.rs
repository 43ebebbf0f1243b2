//! The limits of a command.

use super::values::{parse_bytes, parse_duration, parse_threads};
use cladist::budget::usual_limit;
use clap::Args;
use std::num::NonZeroUsize;
use std::time::Duration;

#[derive(Debug, Clone, Copy, Default)]
pub struct CommandLimits {
    /// `--timeout`, from the start of the program.
    pub timeout: Option<Duration>,
    pub memory: Option<u64>,
    pub threads: Option<NonZeroUsize>,
}

impl CommandLimits {
    /// Adds the default memory limit if none was given.
    pub fn or_usual(self) -> Self {
        Self { memory: self.memory.or_else(usual_limit), ..self }
    }
}

/// The limits on the time and memory of a command.
#[derive(Debug, Clone, Args)]
pub struct LimitArgs {
    /// Time limit (90, 10s, 5m, 1h); the result is then partial
    #[arg(long, value_name = "TIME", value_parser = parse_duration, allow_negative_numbers = true, env = "CLADIST_TIMEOUT")]
    pub timeout: Option<Duration>,
    /// Memory limit (500M, 2G); the result is then partial
    ///
    /// The default is four fifths of the memory of the machine or container, but at most half of a limit on the
    /// address space (ulimit -v). If a solver reaches such a hard limit, the program ends without a result: then set
    /// a lower value here.
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, allow_negative_numbers = true, env = "CLADIST_MEMORY")]
    pub memory: Option<u64>,
    /// The part of the time limit that is used already.
    #[arg(skip)]
    pub used: Duration,
}

impl LimitArgs {
    /// Returns the limits of a command that lists no states of models.
    pub fn limits(&self) -> CommandLimits {
        let timeout = self.timeout.map(|time| time.saturating_sub(self.used));
        CommandLimits { timeout, memory: self.memory, threads: None }
    }

    /// Returns the limits of a command with threads.
    pub fn with(&self, threads: ThreadsArgs) -> CommandLimits {
        CommandLimits { threads: threads.threads, ..self.limits() }
    }
}

/// The limit on the threads of a command that lists the states of models.
#[derive(Debug, Clone, Copy, Args)]
pub struct ThreadsArgs {
    /// Use at most N threads [default: one for each processor]
    ///
    /// Threads list states, try vocabularies and check results. Results do not depend on their number, but for limits of
    /// time and memory.
    #[arg(long, value_name = "N", value_parser = parse_threads, allow_negative_numbers = true, env = "CLADIST_THREADS")]
    pub threads: Option<NonZeroUsize>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_that_is_used_is_not_granted_again() {
        let [second, minute] = [1, 60].map(Duration::from_secs);
        let mut limits = LimitArgs { timeout: Some(minute), memory: None, used: second };
        assert_eq!(limits.limits().timeout, Some(minute - second));
        limits.used = 2 * minute;
        assert_eq!(limits.limits().timeout, Some(Duration::ZERO));
        limits.timeout = None;
        assert_eq!(limits.limits().timeout, None);
    }
}
