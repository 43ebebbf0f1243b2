//! The limits of a command.

use super::values::parse_threads;
use cladist::budget::usual_limit;
use clap::Args;
use std::num::NonZeroUsize;
use std::time::Duration;

/// The limits of a command.
#[derive(Debug, Clone, Copy, Default)]
pub struct Limits {
    /// `--timeout`, from the start of the program.
    pub timeout: Option<Duration>,
    /// `--memory`, in bytes.
    pub memory: Option<u64>,
    /// `--threads`.
    pub threads: Option<NonZeroUsize>,
}

impl Limits {
    /// Adds the default memory limit if none was given.
    pub fn or_usual(self) -> Self {
        Self { memory: self.memory.or_else(usual_limit), ..self }
    }
}

/// The limit on the threads of a command that lists the states of models.
#[derive(Debug, Clone, Copy, Args)]
pub struct ThreadsArgs {
    /// Use at most N threads [default: one for each processor]
    ///
    /// Threads list states, try vocabularies and check results. Results do not depend on their number, but for limits of
    /// time and memory.
    #[arg(long, value_name = "N", value_parser = parse_threads, allow_negative_numbers = true, env = "CLADIST_THREADS", help_heading = "Run")]
    pub threads: Option<NonZeroUsize>,
}
