//! Limits of time and memory, cancellation, and progress observers.
//!
//! Engines take a [`Budget`] and an [`Observer`]; neither knows about a terminal, the wall clock or
//! signals. Running out of a budget is an ordinary result, never an error.

mod clock;
mod helper;
mod memory;
mod meter;
mod units;
mod usage;
mod watch;

pub use clock::Clock;
pub use helper::helper;
pub use memory::{resident_bytes, usual_limit};
use meter::MemoryLimit;
pub use units::{bytes_text, parse_bytes, parse_duration};
pub use usage::{cpu_seconds, peak_memory_kb, thread_time};
pub use watch::Stage;

use std::any::Any;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::ThreadId;
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

impl std::fmt::Display for Exhausted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Exhausted::Time => "time limit reached",
            Exhausted::Memory => "memory limit reached",
            Exhausted::Interrupt => "interrupted",
        })
    }
}

impl std::error::Error for Exhausted {}

/// What a computation under a [`Budget`] returns: its result, or what ended it before.
pub type Limited<T> = Result<T, Exhausted>;

/// The limits of one run, shared by all its parts. Cheap to clone; all clones share one interrupt flag and
/// one measurement of the memory.
#[derive(Debug, Clone, Default)]
pub struct Budget {
    deadline: Option<Instant>,
    memory: Option<MemoryLimit>,
    work: Option<WorkLimit>,
    interrupted: Arc<AtomicBool>,
    /// Set once nobody wants the result of this part of the run any more, if it is a part for which that can happen.
    given_up: Option<Arc<AtomicBool>>,
    /// Set if the process ends with the run: the deadline of the whole run, if there is one.
    until_exit: Option<Option<Instant>>,
    /// How many threads may work; `None` for as many as there are processors.
    threads: Option<NonZeroUsize>,
    watch: Watch,
}

/// A limit of the processor time of one thread.
#[derive(Debug, Clone, Copy)]
struct WorkLimit {
    thread: ThreadId,
    /// The time that the thread may have used then.
    end: Duration,
    /// It cannot be used up before.
    not_before: Instant,
}

impl WorkLimit {
    /// Whether this thread is the one, and its time is used up.
    fn is_reached(&self, now: Instant) -> bool {
        now >= self.not_before
            && std::thread::current().id() == self.thread
            && thread_time().is_some_and(|used| used >= self.end)
    }
}

impl Budget {
    /// No limits: only [`Budget::interrupt`] ends the run.
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// Limits the run to `time` from now.
    pub fn with_timeout(mut self, time: Duration) -> Self {
        self.deadline = Instant::now().checked_add(time);
        self
    }

    /// Limits the resident memory of the whole process, in bytes. It is measured through
    /// `/proc/self/status`; where that does not exist the limit has no effect, see
    /// [`Budget::memory_is_measurable`].
    pub fn with_memory(mut self, bytes: u64) -> Self {
        self.memory = Some(MemoryLimit::new(bytes));
        self
    }

    /// Lets at most so many threads work at the same time, apart from one that puts together what they find. Without it there are as
    /// many as processors.
    pub fn with_threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// How many threads may work at the same time, where something can be done by several.
    pub fn threads(&self) -> usize {
        self.threads.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
    }

    /// Uses `flag` as the interrupt flag, so that a signal handler can set it.
    pub fn with_interrupt_flag(mut self, flag: Arc<AtomicBool>) -> Self {
        self.interrupted = flag;
        self
    }

    /// Says that the process ends with this run, at the latest when its time is over or it is interrupted. What is large is
    /// then left to the operating system: to free a solver with gigabytes of clauses takes seconds. Limits of time are
    /// set before.
    pub fn until_exit(mut self) -> Self {
        self.until_exit = Some(self.deadline);
        self
    }

    /// Whether the process is about to end, so that nothing needs to be freed: see [`Budget::until_exit`]. Parts of a
    /// budget that have used up their own time do not end the process.
    pub fn ends_process(&self) -> bool {
        let over = |deadline: Option<Instant>| deadline.is_some_and(|end| Instant::now() >= end);
        self.until_exit.is_some_and(|end| over(end) || self.interrupted.load(Ordering::Relaxed))
    }

    /// Calls `tell` at every [`Budget::at`], from the thread that computes.
    pub fn watched(mut self, tell: impl Fn(&Stage) + Send + Sync + 'static) -> Self {
        self.watch = Watch::new(tell);
        self
    }

    /// The same limits, but at most `time` from now.
    pub fn at_most(&self, time: Duration) -> Self {
        let end = Instant::now().checked_add(time);
        let deadline = [self.deadline, end].into_iter().flatten().min();
        Self { deadline, ..self.clone() }
    }

    /// The same limits, but at most so much processor time of this thread from now, so that it does not matter what else the machine
    /// does. It is this thread that has to notice. By the clock where the system does not measure that.
    pub fn at_most_work(&self, time: Duration) -> Self {
        let (Some(used), Some(not_before)) = (thread_time(), Instant::now().checked_add(time)) else {
            return self.at_most(time);
        };
        let limit = WorkLimit { thread: std::thread::current().id(), end: used + time, not_before };
        let sooner = |other: &WorkLimit| other.thread == limit.thread && other.end <= limit.end;
        Self { work: Some(self.work.filter(sooner).unwrap_or(limit)), ..self.clone() }
    }

    /// Whether processor time is limited, which is measured of one thread alone: what others do would not count.
    pub fn limits_work(&self) -> bool {
        self.work.is_some()
    }

    /// The same limits, but only 1/`parts` of the remaining time (0 counts as 1).
    pub fn share(&self, parts: usize) -> Self {
        let mut budget = self.clone();
        if let Some(deadline) = self.deadline {
            let now = Instant::now();
            let parts = u32::try_from(parts.max(1)).unwrap_or(u32::MAX);
            budget.deadline = Some(now + deadline.saturating_duration_since(now) / parts);
        }
        budget
    }

    /// The same limits, but 1/`parts` of the remaining time is held back (0 and 1 count as 2).
    pub fn all_but_one(&self, parts: usize) -> Self {
        let mut budget = self.clone();
        if let Some(deadline) = self.deadline {
            let parts = u32::try_from(parts.max(2)).unwrap_or(u32::MAX);
            budget.deadline = Some(deadline - deadline.saturating_duration_since(Instant::now()) / parts);
        }
        budget
    }

    /// The same limits for a part of the run whose result may turn out not to be needed: [`Budget::give_up`] ends that part and nothing
    /// else. To give up a part does not end such a part of it, which has to be given up by itself.
    pub fn unless_given_up(&self) -> Self {
        Self { given_up: Some(Arc::default()), ..self.clone() }
    }

    /// Asks a part of the run to stop as soon as possible, as if it were interrupted; does nothing unless it is one
    /// [of which nobody may want the result](Budget::unless_given_up).
    pub fn give_up(&self) {
        self.given_up.iter().for_each(|flag| flag.store(true, Ordering::Relaxed));
    }

    /// Asks the run to stop as soon as possible.
    pub fn interrupt(&self) {
        self.interrupted.store(true, Ordering::Relaxed);
    }

    /// Whether, and why, the run has to stop now. Cheap enough for inner loops: it reads the clock (some
    /// 25 ns) if there is a limit of time or memory, and measures the memory at most every 10 ms, whichever
    /// clone asks. So memory can grow beyond its limit for that long before it is noticed.
    pub fn exhausted(&self) -> Option<Exhausted> {
        let is_set = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        if is_set(&self.interrupted) || self.given_up.as_deref().is_some_and(is_set) {
            return Some(Exhausted::Interrupt);
        }
        if self.deadline.is_none() && self.memory.is_none() && self.work.is_none() {
            return None;
        }
        let now = Instant::now();
        if self.deadline.is_some_and(|end| now >= end) || self.work.is_some_and(|limit| limit.is_reached(now))
        {
            return Some(Exhausted::Time);
        }
        let memory = self.memory.as_ref()?;
        memory.is_reached(now).then_some(Exhausted::Memory)
    }

    /// Whether so many more bytes would exceed the memory limit: asked before something large is allocated.
    pub fn exhausted_by(&self, bytes: u64) -> Option<Exhausted> {
        self.memory.as_ref()?.would_exceed(bytes).then_some(Exhausted::Memory)
    }

    /// Reports how far a computation has come, and returns [`Budget::exhausted`].
    pub fn at(&self, stage: Stage) -> Option<Exhausted> {
        self.watch.at(stage);
        self.exhausted()
    }

    /// The stage reported last; `None` unless the budget is [watched](Budget::watched).
    pub fn stage(&self) -> Option<Stage> {
        self.watch.last()
    }

    /// Whether memory limits work on this machine.
    pub fn memory_is_measurable() -> bool {
        resident_bytes().is_some()
    }
}

/// How far a classification or check has come, as the progress line shows it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Progress {
    /// The current phase, one or two words: `search`, `minimise`, `verify`.
    pub phase: &'static str,
    /// The trace length under examination, in steps.
    pub depth: usize,
    /// Counterexamples found so far.
    pub counterexamples: usize,
    /// Classes found so far.
    pub classes: usize,
    /// Number of facts of the constraint under minimisation: at first, and now.
    pub facts: Option<(usize, usize)>,
    /// Solver calls so far.
    pub solver_calls: u64,
    /// Seconds spent in the solver so far.
    pub solver_seconds: f64,
}

/// A progress observer. The unit type ignores all progress.
pub trait Observer {
    /// Called at every noteworthy moment, often many times a second.
    fn progress(&mut self, progress: &Progress);

    /// Called when more of the result is known. `so_far` makes the partial result, as of a computation that ends now, of the type that the
    /// computation returns; that takes its time, and need not be asked for.
    fn found(&mut self, _so_far: &dyn Fn() -> Box<dyn Any>) {}
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
    fn only_the_whole_run_ends_the_process() {
        let spent = Budget::unlimited().with_timeout(Duration::ZERO);
        assert!(!spent.ends_process());
        assert!(spent.until_exit().share(2).ends_process());
        let hour = Budget::unlimited().with_timeout(Duration::from_secs(3600)).until_exit();
        let part = hour.at_most(Duration::ZERO);
        assert_eq!((part.exhausted(), part.ends_process()), (Some(Exhausted::Time), false));
        hour.interrupt();
        assert!(part.ends_process());
    }

    #[test]
    fn a_part_that_is_given_up_ends_alone() {
        let whole = Budget::unlimited().until_exit();
        let (part, other) = (whole.unless_given_up(), whole.unless_given_up());
        let clone = part.at_most(Duration::from_secs(3600));
        whole.give_up();
        assert_eq!([&whole, &part, &clone, &other].map(Budget::exhausted), [None; 4]);
        part.give_up();
        let ended = Some(Exhausted::Interrupt);
        assert_eq!([&whole, &part, &clone, &other].map(Budget::exhausted), [None, ended, ended, None]);
        assert!(!part.ends_process());
        whole.interrupt();
        assert_eq!(other.exhausted(), ended);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_thread_that_waits_does_not_work() {
        let budget = Budget::unlimited().at_most_work(Duration::from_millis(30));
        std::thread::sleep(Duration::from_millis(60));
        assert_eq!(budget.exhausted(), None);
        let tighter = budget.at_most_work(Duration::from_millis(5));
        let looser = tighter.at_most_work(Duration::from_secs(60));
        let start = thread_time().expect("measured");
        while tighter.exhausted().is_none() {
            std::hint::black_box((0..1000).sum::<u64>());
        }
        assert!(thread_time().expect("measured") - start >= Duration::from_millis(4));
        assert_eq!(looser.exhausted(), Some(Exhausted::Time));
        assert_eq!(std::thread::scope(|scope| scope.spawn(|| tighter.exhausted()).join()).ok(), Some(None));
    }

    #[test]
    fn parts_share_the_interrupt() {
        let budget = Budget::unlimited();
        let (part, capped) = (budget.share(2), budget.at_most(Duration::from_secs(60)));
        budget.interrupt();
        assert_eq!([part.exhausted(), capped.exhausted()], [Some(Exhausted::Interrupt); 2]);
    }
}
