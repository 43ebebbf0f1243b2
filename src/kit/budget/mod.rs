//! Limits of time and memory, cancellation, and progress observers.
//!
//! Engines take a [`Budget`] and an [`Observer`]; neither knows about a terminal, the wall clock or
//! signals. Running out of a budget is an ordinary result, never an error.

mod clock;
mod meter;
mod units;
mod usage;
mod watch;

pub use clock::Clock;
pub use units::{bytes_text, parse_bytes, parse_duration};
pub use usage::{cpu_seconds, peak_memory_kb, thread_time};
pub use usage::{resident_bytes, usual_limit};
pub use watch::Stage;

use meter::MemoryLimit;
use std::any::Any;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, ThreadId};
use std::time::{Duration, Instant};
use watch::Watch;

/// The reason why a run ended before its work was done.
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

impl Exhausted {
    /// Returns the limit in a sentence about a search: `the time ran out`.
    pub fn ran_out(self) -> &'static str {
        match self {
            Exhausted::Time => "the time ran out",
            Exhausted::Memory => "the memory ran out",
            Exhausted::Interrupt => "the run was interrupted",
        }
    }

    /// Returns the limit in a sentence about an operation: `the time limit was reached`.
    pub fn was_reached(self) -> &'static str {
        match self {
            Exhausted::Time => "the time limit was reached",
            Exhausted::Memory => "the memory limit was reached",
            Exhausted::Interrupt => "interrupted",
        }
    }

    /// Returns the option that raises the limit, in a sentence, or else the consequence of an interrupt.
    pub fn help(self, interrupted: &'static str) -> &'static str {
        match self {
            Exhausted::Time => "allow more time with --timeout",
            Exhausted::Memory => "allow more memory with --memory",
            Exhausted::Interrupt => interrupted,
        }
    }
}

/// The result of a computation under a [`Budget`], or the limit that ended it.
pub type Limited<T> = Result<T, Exhausted>;

/// The limits of one run, shared by all its parts. Cheap to clone; all clones share one interrupt flag and
/// one measurement of the memory.
#[derive(Debug, Clone, Default)]
pub struct Budget {
    deadline: Option<Instant>,
    memory: Option<MemoryLimit>,
    work: Option<WorkLimit>,
    interrupted: Arc<AtomicBool>,
    /// Set once the result of this part of the run is no longer wanted, if it is a part that can be given up.
    given_up: Option<Arc<AtomicBool>>,
    /// Set if the process ends with the run: the deadline of the whole run, if there is one.
    until_exit: Option<Option<Instant>>,
    /// The most threads that may work; `None` for as many as there are processors.
    threads: Option<NonZeroUsize>,
    watch: Watch,
}

/// A limit of the processor time of one thread.
#[derive(Debug, Clone, Copy)]
struct WorkLimit {
    thread: ThreadId,
    /// The processor time of the thread at which the limit is reached.
    end: Duration,
    /// The earliest instant at which the limit can be reached.
    not_before: Instant,
}

impl WorkLimit {
    /// True on the limited thread once its time is used up.
    fn is_reached(&self, now: Instant) -> bool {
        now >= self.not_before
            && std::thread::current().id() == self.thread
            && thread_time().is_some_and(|used| used >= self.end)
    }
}

impl Budget {
    /// Creates a budget without limits: only [`Budget::interrupt`] ends the run.
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// Limits the run to `time` from now.
    pub fn with_timeout(mut self, time: Duration) -> Self {
        self.deadline = Instant::now().checked_add(time);
        self
    }

    /// Limits the resident memory of the whole process, in bytes. The memory is read from `/proc/self/status`; where
    /// that does not exist the limit has no effect, see [`Budget::memory_is_measurable`].
    pub fn with_memory(mut self, bytes: u64) -> Self {
        self.memory = Some(MemoryLimit::new(bytes));
        self
    }

    /// Lets at most `threads` threads work at the same time, apart from one that combines their results. By default
    /// there are as many as processors.
    pub fn with_threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Returns the number of threads that may work at the same time on parallel tasks.
    pub fn threads(&self) -> usize {
        self.threads.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
    }

    /// Uses `flag` as the interrupt flag, so that a signal handler can set it.
    pub fn with_interrupt_flag(mut self, flag: Arc<AtomicBool>) -> Self {
        self.interrupted = flag;
        self
    }

    /// Declares that the process ends with this run, at the latest at the deadline or an interrupt. Large structures
    /// are then left to the operating system, since freeing a solver with gigabytes of clauses takes seconds. Time
    /// limits must be set before.
    pub fn until_exit(mut self) -> Self {
        self.until_exit = Some(self.deadline);
        self
    }

    /// True if the process is about to end, so that nothing needs to be freed: see [`Budget::until_exit`]. Parts of a
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

    /// Returns these limits, but at most `time` from now.
    pub fn at_most(&self, time: Duration) -> Self {
        let end = Instant::now().checked_add(time);
        let deadline = [self.deadline, end].into_iter().flatten().min();
        Self { deadline, ..self.clone() }
    }

    /// Returns these limits, but at most `time` of processor time of this thread from now, independent of other load on
    /// the machine. Only this thread notices the limit. Uses the clock where the system does not measure processor
    /// time.
    pub fn at_most_work(&self, time: Duration) -> Self {
        let (Some(used), Some(not_before)) = (thread_time(), Instant::now().checked_add(time)) else {
            return self.at_most(time);
        };
        let limit = WorkLimit { thread: std::thread::current().id(), end: used + time, not_before };
        let sooner = |other: &WorkLimit| other.thread == limit.thread && other.end <= limit.end;
        Self { work: Some(self.work.filter(sooner).unwrap_or(limit)), ..self.clone() }
    }

    /// Returns these limits, but at most half of the memory, and at most `bytes`: for a part of the run whose memory the others may need.
    pub fn at_most_memory(&self, bytes: u64) -> Self {
        let memory =
            self.memory.as_ref().map_or_else(|| MemoryLimit::new(bytes), |limit| limit.half_up_to(bytes));
        Self { memory: Some(memory), ..self.clone() }
    }

    /// True if processor time is limited; only that of one thread counts, so work must not move to others.
    pub fn limits_work(&self) -> bool {
        self.work.is_some()
    }

    /// Returns these limits, but only 1/`parts` of the remaining time (0 counts as 1).
    pub fn share(&self, parts: usize) -> Self {
        let mut budget = self.clone();
        if let Some(deadline) = self.deadline {
            let now = Instant::now();
            let parts = u32::try_from(parts.max(1)).unwrap_or(u32::MAX);
            budget.deadline = Some(now + deadline.saturating_duration_since(now) / parts);
        }
        budget
    }

    /// Returns these limits, but holds 1/`parts` of the remaining time back (0 and 1 count as 2).
    pub fn all_but_one(&self, parts: usize) -> Self {
        let mut budget = self.clone();
        if let Some(deadline) = self.deadline {
            let parts = u32::try_from(parts.max(2)).unwrap_or(u32::MAX);
            budget.deadline = Some(deadline - deadline.saturating_duration_since(Instant::now()) / parts);
        }
        budget
    }

    /// Returns these limits for a part of the run whose result may not be needed: [`Budget::give_up`] ends that part
    /// and nothing else. Nested parts of this kind must be given up by themselves.
    pub fn unless_given_up(&self) -> Self {
        Self { given_up: Some(Arc::default()), ..self.clone() }
    }

    /// Asks a part of the run to stop as soon as possible, as if it were interrupted; does nothing unless it is one
    /// [that can be given up](Budget::unless_given_up).
    pub fn give_up(&self) {
        self.given_up.iter().for_each(|flag| flag.store(true, Ordering::Relaxed));
    }

    /// Asks the run to stop as soon as possible.
    pub fn interrupt(&self) {
        self.interrupted.store(true, Ordering::Relaxed);
    }

    /// Returns the reason why the run has to stop now, if there is one. Cheap enough for inner loops: it reads the
    /// clock (some 25 ns) if there is a limit of time or memory, and measures the memory at most every 10 ms over all
    /// clones. Memory can therefore exceed its limit for that long unnoticed.
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

    /// Succeeds unless the run [has to stop](Self::exhausted).
    ///
    /// # Errors
    /// The reason.
    pub fn check(&self) -> Limited<()> {
        self.exhausted().map_or(Ok(()), Err)
    }

    /// Returns [`Exhausted::Memory`] if `bytes` more would exceed the memory limit, for checks before large
    /// allocations.
    pub fn exhausted_by(&self, bytes: u64) -> Option<Exhausted> {
        self.memory.as_ref()?.would_exceed(bytes).then_some(Exhausted::Memory)
    }

    /// Reports the progress of a computation, and returns [`Budget::exhausted`].
    pub fn at(&self, stage: Stage) -> Option<Exhausted> {
        self.watch.at(stage);
        self.exhausted()
    }

    /// The stage reported last; `None` unless the budget is [watched](Budget::watched).
    pub fn stage(&self) -> Option<Stage> {
        self.watch.last()
    }

    /// True if memory limits work on this machine.
    pub fn memory_is_measurable() -> bool {
        resident_bytes().is_some()
    }
}

/// A part of a classification or check.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Activity {
    /// Searches for counterexamples.
    #[default]
    Search,
    /// Searches for counterexamples of other causes; those found so far are kinds.
    Causes,
    /// Removes facts from a constraint.
    Shorten,
    /// Searches for redundant classes.
    Redundancy,
    /// Checks the result.
    Check,
    /// Lists the reachable states.
    List,
    /// Proves the result for traces of every length.
    Prove,
    /// Proves by k-induction.
    Induction,
    /// Proves by IC3.
    Ic3,
}

/// The progress of a classification or check, as the progress line shows it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Progress {
    /// The current activity.
    pub activity: Activity,
    /// The trace length under examination, in steps.
    pub depth: usize,
    /// Counterexamples found so far.
    pub counterexamples: usize,
    /// Classes found so far.
    pub classes: usize,
    /// The number of facts of the constraint under minimisation: initially, and now.
    pub facts: Option<(usize, usize)>,
    /// Solver calls so far.
    pub solver_calls: u64,
    /// Seconds spent in the solver so far.
    pub solver_seconds: f64,
}

impl Progress {
    /// Returns the progress of an activity at a depth, with the calls of solvers so far and their seconds.
    pub fn of(activity: Activity, depth: usize, (solver_calls, solver_seconds): (u64, f64)) -> Self {
        Self { activity, depth, solver_calls, solver_seconds, ..Self::default() }
    }
}

/// A progress observer. The unit type ignores all progress.
pub trait Observer {
    /// Called at every noteworthy moment, often many times a second.
    fn progress(&mut self, progress: &Progress);

    /// Returns the number of steps in fewer than which other engines found no violation, if they work on the same question.
    fn excluded(&self) -> usize {
        0
    }

    /// Called when more of the result is known. `so_far` builds the partial result, as if the computation ended now, of
    /// the type that the computation returns; building it takes time and is optional.
    fn found(&mut self, _so_far: &dyn Fn() -> Box<dyn Any>) {}
}

impl Observer for () {
    fn progress(&mut self, _: &Progress) {}
}

/// The stack of a thread, in bytes: evaluation of expressions recurses as deep as they are nested.
const STACK: usize = 16 << 20;

/// Returns a builder of threads that do a part of the work of another one.
pub fn helper() -> Builder {
    Builder::new().stack_size(STACK)
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
