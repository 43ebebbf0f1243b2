//! What a classification found: values only, nothing is printed here.

use super::constraint::Constraint;
use crate::budget::Exhausted;
use crate::model::PredicateId;
use crate::trace::Trace;

/// How a classification ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// No trace up to the bound violates the property.
    Holds,
    /// Every violating trace up to the bound is in one of the classes.
    Complete,
    /// The property is violated; the classes found are right, but there may be others.
    Partial(Why),
    /// The property is violated, and the vocabulary cannot tell this violation from an accepted trace.
    TooWeak(Box<TooWeak>),
    /// The budget ended before any violation was found or excluded; up to `depth` steps there is none.
    Undecided {
        /// What ended it.
        why: Exhausted,
        /// Traces of fewer steps than this were all looked at: none of them violates the property.
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
    /// A shortest trace of the class, ending in its first violation.
    pub representative: Trace,
    /// Where in `representative` the position variables lie.
    pub positions: Vec<usize>,
    /// For each fact of the constraint a trace without violation that satisfies all other facts.
    /// Empty when the budget ended before they were found.
    pub needed: Vec<Trace>,
    /// A shortest trace of this class that is in no other class of the result. `None` for redundant
    /// classes that were asked to be kept, or when the budget ended.
    pub canonical: Option<Trace>,
    /// Whether the other classes cover it (only with `keep_redundant`).
    pub redundant: bool,
    /// Facts of the first constraint, before minimisation.
    pub initial_facts: usize,
}

/// What it took.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Statistics {
    /// Counterexamples that were looked at: one for each class found.
    pub counterexamples: usize,
    /// Classes that were found redundant.
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
#[derive(Debug, Clone, Copy, Default, PartialEq)]
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
    /// From start to end.
    pub total: f64,
}

/// The result of [`super::classify`].
#[derive(Debug, Clone, PartialEq)]
pub struct Classification {
    /// How it ended.
    pub verdict: Verdict,
    /// The bound: traces of up to this many steps were considered.
    pub bound: usize,
    /// The classes, in the order in which they were found (shortest representatives first).
    pub classes: Vec<Class>,
    /// With a partial verdict: a counterexample that is known and in none of the classes.
    pub unclassified: Option<Trace>,
    /// Predicates of the vocabulary that hold in no counterexample that was looked at.
    pub silent_predicates: Vec<PredicateId>,
    /// Whether the self-check was done, and by which solver; `None` when the budget ended before.
    pub checked_by: Option<String>,
    /// The solver that was used.
    pub solver: String,
    /// What it took.
    pub statistics: Statistics,
}
