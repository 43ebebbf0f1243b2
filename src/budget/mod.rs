//! How long a run may go on, and who is told how it is getting on.
//!
//! Engines take a [`Budget`] and an [`Observer`]; neither knows a terminal, a clock on the wall or a
//! signal. Running out is an ordinary result, never an error.

mod memory;
mod usage;
mod watch;

use memory::resident_bytes;
pub use memory::usual_limit;
pub use usage::{cpu_seconds, peak_memory_kb};
pub use watch::Stage;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use watch::Watch;

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

/// What a computation under a [`Budget`] returns: its result, or what ended it before.
pub type Limited<T> = Result<T, Exhausted>;

/// Limits shared by every part of one run; cheap to clone, all clones share one interrupt flag.
#[derive(Debug, Clone, Default)]
pub struct Budget {
    deadline: Option<Instant>,
    memory: Option<u64>,
    interrupted: Arc<AtomicBool>,
    watch: Watch,
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

    /// Tells how far long computations have come: every [`Budget::at`].
    pub fn watched(mut self, tell: impl Fn(&Stage) + Send + Sync + 'static) -> Self {
        self.watch = Watch::new(tell);
        self
    }

    /// The same limits, and no more time than this from now.
    pub fn at_most(&self, time: Duration) -> Self {
        let end = Instant::now().checked_add(time);
        let deadline = [self.deadline, end].into_iter().flatten().min();
        Self { deadline, ..self.clone() }
    }

    /// The same limits with an equal part of the time that is left: one of `parts`, at least one.
    pub fn share(&self, parts: usize) -> Self {
        let mut budget = self.clone();
        if let Some(deadline) = self.deadline {
            let now = Instant::now();
            let parts = u32::try_from(parts.max(1)).unwrap_or(u32::MAX);
            budget.deadline = Some(now + deadline.saturating_duration_since(now) / parts);
        }
        budget
    }

    /// The same limits with the time that is left but for one of `parts` of it, at least two.
    pub fn all_but_one(&self, parts: usize) -> Self {
        let mut budget = self.clone();
        if let Some(deadline) = self.deadline {
            let parts = u32::try_from(parts.max(2)).unwrap_or(u32::MAX);
            budget.deadline = Some(deadline - deadline.saturating_duration_since(Instant::now()) / parts);
        }
        budget
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

    /// Whether so many more bytes would go beyond the memory limit: asked before something large is allocated.
    pub fn exhausted_by(&self, bytes: u64) -> Option<Exhausted> {
        let limit = self.memory?;
        (resident_bytes()?.saturating_add(bytes) > limit).then_some(Exhausted::Memory)
    }

    /// Notes how far a computation has come, and says as [`Budget::exhausted`] whether it has to stop.
    pub fn at(&self, stage: Stage) -> Option<Exhausted> {
        self.watch.at(stage);
        self.exhausted()
    }

    /// Where the computation was last, if somebody watches.
    pub fn stage(&self) -> Option<Stage> {
        self.watch.last()
    }

    /// Whether memory limits work on this machine.
    pub fn memory_is_measurable() -> bool {
        resident_bytes().is_some()
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_no_time_is_none_and_of_unlimited_time_unlimited() {
        let spent = Budget::unlimited().with_timeout(Duration::ZERO);
        assert_eq!(spent.share(3).exhausted(), Some(Exhausted::Time));
        assert_eq!(spent.at_most(Duration::from_secs(60)).exhausted(), Some(Exhausted::Time));
        let free = Budget::unlimited();
        assert_eq!(free.share(0).exhausted(), None);
        assert_eq!(free.at_most(Duration::ZERO).exhausted(), Some(Exhausted::Time));
        let hour = Budget::unlimited().with_timeout(Duration::from_secs(3600));
        assert!(hour.share(4).deadline < hour.deadline && hour.share(4).exhausted().is_none());
        let most = hour.all_but_one(4);
        assert!(hour.share(2).deadline < most.deadline && most.deadline < hour.deadline);
        assert_eq!(spent.all_but_one(0).exhausted(), Some(Exhausted::Time));
        assert_eq!(free.all_but_one(5).deadline, None);
    }

    #[test]
    fn parts_share_the_interrupt() {
        let budget = Budget::unlimited();
        let (part, capped) = (budget.share(2), budget.at_most(Duration::from_secs(60)));
        budget.interrupt();
        assert_eq!([part.exhausted(), capped.exhausted()], [Some(Exhausted::Interrupt); 2]);
    }
}
