//! The bounded check: a shortest trace that violates an invariant, or none up to the bound.

use crate::budget::{Budget, Exhausted, Observer};
use crate::model::Model;
use crate::model::expr::Expr;
use crate::sat::Backend;
use crate::trace::Trace;

/// What a bounded check found.
#[derive(Debug, Clone, PartialEq)]
pub enum Checked {
    /// No trace of up to the bound's number of steps violates the invariant.
    Holds,
    /// A shortest violating trace, which ends in its only violation.
    Violated(Trace),
    /// The budget ended; no trace of fewer than `depth` steps violates the invariant.
    Undecided {
        /// What ended it.
        why: Exhausted,
        /// The length that was not finished.
        depth: usize,
    },
}

/// What a model does not do within a bound: signs that it does not mean what was intended.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Vacuity {
    /// No state satisfies `init` and the assumptions.
    pub no_initial_state: bool,
    /// Actions (indices) that are never taken in any trace up to the bound.
    pub dead_actions: Vec<usize>,
    /// Assignments (action, index into its updates) whose value can lie outside the type of its place while the
    /// action's `require`s hold: that step does not exist, which may come as a surprise.
    pub overflows: Vec<(usize, usize)>,
    /// Whether the budget ended first: what is listed is right, but there may be more.
    pub incomplete: bool,
}

/// Looks for a shortest violation of `invariant` in traces of up to `bound` steps.
#[allow(unused_variables)]
pub fn check(
    model: &Model,
    invariant: &Expr,
    bound: usize,
    backend: Backend,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Checked {
    unimplemented!()
}

/// Looks for what never happens in traces of up to `bound` steps.
#[allow(unused_variables)]
pub fn vacuity(model: &Model, bound: usize, backend: Backend, budget: &Budget) -> Vacuity {
    unimplemented!()
}
