//! What a classification found: values only, nothing is printed here.

use super::constraint::Constraint;
use super::numbers::Numbers;
use super::unbounded::{Obstacle, Unbounded};
use crate::budget::Exhausted;
use crate::model::PredicateId;
use crate::trace::Trace;
use crate::unroll::Lengths;
use serde::Serialize;

/// How a classification ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// No trace that was asked for violates the property.
    Holds,
    /// Every violating trace of the lengths asked for is in one of the classes.
    Complete,
    /// The property is violated; the classes found are right, but there may be others.
    Partial(Why),
    /// The property is violated, and the vocabulary cannot tell this violation from an accepted trace.
    TooWeak(Box<TooWeak>),
    /// The budget ended before any violation was found or excluded.
    Undecided {
        /// What ended it.
        why: Exhausted,
        /// No trace violates the property after fewer steps than this.
        depth: usize,
    },
}

/// Why a classification is partial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The budget ended.
    Exhausted(Exhausted),
    /// The number of classes that was asked for is reached.
    MaxClasses,
    /// Only counterexamples that satisfy the predicate of `--start-with` were classified before the
    /// budget ended.
    StartWithOnly(Exhausted),
}

/// A counterexample that the vocabulary cannot characterise (line 10 of Algorithm 1).
#[derive(Debug, Clone, PartialEq)]
pub struct TooWeak {
    /// The counterexample.
    pub counterexample: Trace,
    /// All facts that hold in it, as a constraint; position variable p stands for its position p.
    pub constraint: Constraint,
    /// A trace without violation that satisfies the same constraint.
    pub accepting: Trace,
    /// Where in `accepting` the position variables lie.
    pub positions: Vec<usize>,
}

/// One class of counterexamples.
#[derive(Debug, Clone, PartialEq)]
pub struct Class {
    /// What its traces have in common; implies a violation.
    pub constraint: Constraint,
    /// A counterexample of the class, with as few steps before its first violation as any. It ends there
    /// unless its length was given.
    pub representative: Trace,
    /// Where in `representative` the position variables lie.
    pub positions: Vec<usize>,
    /// For each fact of the constraint a trace without violation that satisfies all other facts.
    /// Empty when the budget ended before they were found.
    pub needed: Vec<Trace>,
    /// A trace of the same kind that is in no other class of the result. `None` for redundant
    /// classes that were asked to be kept, or when the budget ended.
    pub canonical: Option<Trace>,
    /// Whether the other classes cover it (only with `keep_redundant`).
    pub redundant: bool,
    /// Whether its facts violate the property by themselves, whatever the model does: it explains nothing.
    pub restates: bool,
    /// Facts of the first constraint, before minimisation.
    pub initial_facts: usize,
}

/// What it took.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Statistics {
    /// Counterexamples that were looked at: each was outside of all classes chosen by then.
    pub counterexamples: usize,
    /// Constraints that preferences chose for one of these counterexamples, and that the classes made redundant.
    pub redundant: usize,
    /// Solver calls.
    pub solver_calls: u64,
    /// Seconds by phase.
    pub seconds: Seconds,
    /// The greatest number of SAT variables in one solver.
    pub peak_variables: usize,
    /// The greatest number of clauses in one solver.
    pub peak_clauses: usize,
    /// Seconds of processor time of this process from start to end, where the system tells.
    pub cpu_seconds: Option<f64>,
    /// The greatest resident memory of this process until the end, in units of 1024 bytes, where the
    /// system tells.
    pub peak_memory_kb: Option<u64>,
}

/// Seconds of wall-clock time by phase.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Seconds {
    /// Building the transition relation's copies.
    pub unroll: f64,
    /// Looking for counterexamples.
    pub search: f64,
    /// Collecting facts and checking that they suffice.
    pub facts: f64,
    /// Minimising constraints.
    pub minimise: f64,
    /// Building the blocking clauses.
    pub block: f64,
    /// Removing redundant classes and finding canonical counterexamples.
    pub redundancy: f64,
    /// The self-check in fresh solvers.
    pub verify: f64,
    /// The proof for traces of every length.
    pub prove: f64,
    /// Counting traces.
    pub count: f64,
    /// From start to end.
    pub total: f64,
}

impl Classification {
    /// Whether the verdict was proved for traces of every length.
    pub fn is_unbounded(&self) -> bool {
        matches!(self.unbounded, Some(Unbounded::Proved(_)))
    }
}

impl Verdict {
    /// What ended the search, if that was the budget.
    pub fn exhausted(&self) -> Option<Exhausted> {
        match self {
            Self::Partial(Why::Exhausted(why) | Why::StartWithOnly(why)) | Self::Undecided { why, .. } => {
                Some(*why)
            }
            _ => None,
        }
    }
}

impl Statistics {
    /// Adds what another run took, but for the processor time and the memory of the process.
    pub fn add(&mut self, other: &Statistics) {
        self.counterexamples += other.counterexamples;
        self.redundant += other.redundant;
        self.solver_calls += other.solver_calls;
        self.seconds.add(&other.seconds);
        self.peak_variables = self.peak_variables.max(other.peak_variables);
        self.peak_clauses = self.peak_clauses.max(other.peak_clauses);
    }
}

impl Seconds {
    fn add(&mut self, other: &Seconds) {
        self.unroll += other.unroll;
        self.search += other.search;
        self.facts += other.facts;
        self.minimise += other.minimise;
        self.block += other.block;
        self.redundancy += other.redundancy;
        self.verify += other.verify;
        self.prove += other.prove;
        self.count += other.count;
        self.total += other.total;
    }
}

/// The result of [`super::classify`].
#[derive(Debug, Clone, PartialEq)]
pub struct Classification {
    /// How it ended.
    pub verdict: Verdict,
    /// The traces that were considered.
    pub lengths: Lengths,
    /// The classes, in the order in which they were found (shortest representatives first).
    pub classes: Vec<Class>,
    /// Of a complete result: whether no smaller choice of the constraints that were made covers every
    /// counterexample. If not, a limit was met and the classes are only known not to be redundant.
    pub minimum: bool,
    /// With a partial verdict: a counterexample that is known and in none of the classes.
    pub unclassified: Option<Trace>,
    /// Predicates that say nothing here; `None` where that was not asked.
    pub silent: Option<Silent>,
    /// Which solver did the self-check, if it was done: of every complete result; of the classes that were
    /// found before a limit of classes or a weak vocabulary ended the search; and where the property holds,
    /// only by another solver than that of the search.
    pub checked_by: Option<String>,
    /// What ended the self-check before it was done.
    pub check_ended: Option<Exhausted>,
    /// Whether all counterexamples were looked at for the predicate of `start_with`, and none satisfies it.
    pub start_unmatched: bool,
    /// The solver that was used.
    pub solver: String,
    /// What is known of longer traces; `None` where that was not asked, or there is no such thing to say.
    pub unbounded: Option<Unbounded>,
    /// How many violating traces there are of each length, or why that is not known; `None` where it was not
    /// asked.
    pub counts: Option<Result<Numbers, Obstacle>>,
    /// What it took.
    pub statistics: Statistics,
}

/// Predicates of the vocabulary that hold in no short counterexample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Silent {
    /// Those that hold in no trace at all.
    pub never: Vec<PredicateId>,
    /// Those that hold in some traces, but in no counterexample up to its first violation.
    pub harmless: Vec<PredicateId>,
    /// Traces of these lengths were looked at.
    pub lengths: Lengths,
}
