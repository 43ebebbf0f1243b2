//! How long a run may go on, and who is told how it is getting on.
//!
//! Engines take a [`Budget`] and an [`Observer`]; neither knows a terminal, a clock on the wall or a
//! signal. Running out is an ordinary result, never an error.

mod usage;

pub use usage::{cpu_seconds, peak_memory_kb};

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why a run ended before its work was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exhausted {
    /// The time limit was reached.
    Time,
    /// The memory limit was reached.
    Memory,
    /// The user asked to stop (Ctrl-C or SIGTERM).
    Interrupt,
}

/// Limits shared by every part of one run; cheap to clone, all clones share one interrupt flag.
#[derive(Debug, Clone, Default)]
pub struct Budget {
    deadline: Option<Instant>,
    memory: Option<u64>,
    interrupted: Arc<AtomicBool>,
}

impl Budget {
    /// No limits; only [`Budget::interrupt`] ends it.
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// Limits the run to `time` from now.
    pub fn with_timeout(mut self, time: Duration) -> Self {
        self.deadline = Instant::now().checked_add(time);
        self
    }

    /// Limits the resident memory of the process, in bytes. Read from `/proc/self/statm`; where that
    /// does not exist the limit has no effect, see [`Budget::memory_is_measurable`].
    pub fn with_memory(mut self, bytes: u64) -> Self {
        self.memory = Some(bytes);
        self
    }

    /// Uses `flag` as the interrupt flag, so that a signal handler can set it.
    pub fn with_interrupt_flag(mut self, flag: Arc<AtomicBool>) -> Self {
        self.interrupted = flag;
        self
    }

    /// Asks the run to stop as soon as possible.
    pub fn interrupt(&self) {
        self.interrupted.store(true, Ordering::Relaxed);
    }

    /// Says whether, and why, the run has to stop now. Cheap enough for inner loops: the memory is
    /// only looked at when a memory limit is set.
    pub fn exhausted(&self) -> Option<Exhausted> {
        if self.interrupted.load(Ordering::Relaxed) {
            return Some(Exhausted::Interrupt);
        }
        if self.deadline.is_some_and(|end| Instant::now() >= end) {
            return Some(Exhausted::Time);
        }
        let limit = self.memory?;
        (resident_bytes()? >= limit).then_some(Exhausted::Memory)
    }

    /// Whether memory limits work on this machine.
    pub fn memory_is_measurable() -> bool {
        resident_bytes().is_some()
    }
}

/// The resident memory of this process in bytes, where the system tells.
pub fn resident_bytes() -> Option<u64> {
    const PAGE: u64 = 4096;
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * PAGE)
}

/// Where a run stands; what a progress line shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Progress {
    /// What is going on, one or two words: `search`, `minimise`, `verify`.
    pub phase: &'static str,
    /// The trace length looked at, in steps.
    pub depth: usize,
    /// Counterexamples found so far.
    pub counterexamples: usize,
    /// Classes found so far.
    pub classes: usize,
    /// Facts of the constraint at hand, before and after minimisation.
    pub facts: Option<(usize, usize)>,
    /// Solver calls so far.
    pub solver_calls: u64,
    /// Seconds spent in the solver so far.
    pub solver_seconds: f64,
}

/// Is told how a run is getting on. The unit type ignores it.
pub trait Observer {
    /// Called at every noteworthy moment, often many times a second.
    fn progress(&mut self, progress: &Progress);
}

impl Observer for () {
    fn progress(&mut self, _: &Progress) {}
}
