//! The effort of a run: time by phase, processor time and memory.

use kit::budget::{cpu_seconds, peak_memory_kb};
use serde::Serialize;
use solvers::sat::Circuit;
use std::time::{Duration, Instant};

/// Time, memory and solver calls of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Statistics {
    /// Counterexamples examined: each was outside of all classes chosen at the time.
    pub counterexamples: usize,
    /// Constraints that preferences alone chose for one of these counterexamples and that the classes made redundant.
    pub redundant: usize,
    /// The number of solver calls.
    pub solver_calls: u64,
    /// Seconds by phase.
    pub seconds: Seconds,
    /// The greatest number of SAT variables in one solver.
    pub peak_variables: usize,
    /// The greatest number of clauses in one solver.
    pub peak_clauses: usize,
    /// Seconds of processor time of this process from start to end, if the system measures it.
    pub cpu_seconds: Option<f64>,
    /// The peak resident memory of this process until the end, in units of 1024 bytes, if the system measures it.
    pub peak_memory_kb: Option<u64>,
}

impl Statistics {
    /// Adds the calls of another solver, and its size if that is the greatest.
    pub(crate) fn add_solver(&mut self, circuit: &Circuit) {
        self.solver_calls += circuit.solver_calls();
        self.peak_variables = self.peak_variables.max(circuit.variables());
        self.peak_clauses = self.peak_clauses.max(circuit.clauses());
    }

    /// Adds the time of trying other vocabularies, before or after the classification.
    pub fn add_vocabularies(&mut self, taken: Duration) {
        self.seconds.add(Phase::Vocabularies, taken.as_secs_f64());
        self.seconds.total += taken.as_secs_f64();
    }

    /// Returns the total time without that of other vocabularies, whose limit is a share of it.
    pub fn without_vocabularies(&self) -> Duration {
        Duration::try_from_secs_f64(self.seconds.total - self.seconds.vocabularies).unwrap_or_default()
    }

    /// Adds the statistics of another run, except for the processor time and the memory of the process.
    pub fn add(&mut self, other: &Statistics) {
        self.counterexamples += other.counterexamples;
        self.redundant += other.redundant;
        self.solver_calls += other.solver_calls;
        self.seconds = self.seconds.plus(other.seconds);
        self.peak_variables = self.peak_variables.max(other.peak_variables);
        self.peak_clauses = self.peak_clauses.max(other.peak_clauses);
    }
}

/// A timed part of a classification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Building the unrolling.
    Unroll,
    /// Searching for counterexamples.
    Search,
    /// Collecting facts and checking that they are sufficient.
    Facts,
    /// Minimising constraints.
    Minimise,
    /// Building the blocking clauses.
    Block,
    /// Removing redundant classes and finding canonical counterexamples.
    Redundancy,
    /// Searching for facts that all violating traces have, or none.
    Necessary,
    /// The self-check in fresh solvers. Possibly in a thread of its own, parallel to the search and later phases.
    Verify,
    /// The proof for traces of every length.
    Prove,
    /// Counting traces.
    Count,
    /// Trying other vocabularies: for automatic ones, for repairs, and for hints.
    Vocabularies,
}

/// Seconds of wall-clock time by phase.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Seconds {
    /// `Phase::Unroll`.
    pub unroll: f64,
    /// `Phase::Search`.
    pub search: f64,
    /// `Phase::Facts`.
    pub facts: f64,
    /// `Phase::Minimise`.
    pub minimise: f64,
    /// `Phase::Block`.
    pub block: f64,
    /// `Phase::Redundancy`.
    pub redundancy: f64,
    /// `Phase::Necessary`.
    pub necessary: f64,
    /// `Phase::Verify`.
    pub verify: f64,
    /// `Phase::Prove`.
    pub prove: f64,
    /// `Phase::Count`.
    pub count: f64,
    /// `Phase::Vocabularies`.
    pub vocabularies: f64,
    /// Seconds from start to end: at least the sum of all phases other than the self-check.
    pub total: f64,
}

impl Seconds {
    /// Adds a measured time to a phase.
    pub fn add(&mut self, phase: Phase, seconds: f64) {
        *match phase {
            Phase::Unroll => &mut self.unroll,
            Phase::Search => &mut self.search,
            Phase::Facts => &mut self.facts,
            Phase::Minimise => &mut self.minimise,
            Phase::Block => &mut self.block,
            Phase::Redundancy => &mut self.redundancy,
            Phase::Necessary => &mut self.necessary,
            Phase::Verify => &mut self.verify,
            Phase::Prove => &mut self.prove,
            Phase::Count => &mut self.count,
            Phase::Vocabularies => &mut self.vocabularies,
        } += seconds;
    }

    /// Returns the sum of both, field by field.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            unroll: self.unroll + other.unroll,
            search: self.search + other.search,
            facts: self.facts + other.facts,
            minimise: self.minimise + other.minimise,
            block: self.block + other.block,
            redundancy: self.redundancy + other.redundancy,
            necessary: self.necessary + other.necessary,
            verify: self.verify + other.verify,
            prove: self.prove + other.prove,
            count: self.count + other.count,
            vocabularies: self.vocabularies + other.vocabularies,
            total: self.total + other.total,
        }
    }

    /// Applies a function to each field.
    #[must_use]
    pub fn map(self, round: impl Fn(f64) -> f64) -> Self {
        Self {
            unroll: round(self.unroll),
            search: round(self.search),
            facts: round(self.facts),
            minimise: round(self.minimise),
            block: round(self.block),
            redundancy: round(self.redundancy),
            necessary: round(self.necessary),
            verify: round(self.verify),
            prove: round(self.prove),
            count: round(self.count),
            vocabularies: round(self.vocabularies),
            total: round(self.total),
        }
    }
}

/// A run that measures the time of its parts.
pub(crate) trait Timed: Sized {
    /// Returns the statistics so far.
    fn statistics(&mut self) -> &mut Statistics;

    /// Runs a part of the work and adds its time to a phase.
    fn timed<T>(&mut self, phase: Phase, work: impl FnOnce(&mut Self) -> T) -> T {
        let clock = Instant::now();
        let result = work(self);
        self.statistics().seconds.add(phase, clock.elapsed().as_secs_f64());
        result
    }
}

/// A stopwatch for a run.
pub struct Stopwatch {
    clock: Instant,
    cpu: Option<f64>,
}

impl Stopwatch {
    /// Starts the stopwatch.
    pub fn start() -> Self {
        Self { clock: Instant::now(), cpu: cpu_seconds() }
    }

    /// Returns seconds of wall-clock time since the start.
    pub fn seconds(&self) -> f64 {
        self.clock.elapsed().as_secs_f64()
    }

    /// Records the time and memory used since the start. Changes no phase other than the total.
    pub fn stop(&self, statistics: &mut Statistics) {
        statistics.seconds.total = self.seconds();
        statistics.cpu_seconds = cpu_seconds().zip(self.cpu).map(|(now, then)| now - then);
        statistics.peak_memory_kb = peak_memory_kb();
    }
}
