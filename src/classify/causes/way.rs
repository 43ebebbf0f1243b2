//! Irreducible traces with the reasons of their steps.

use super::pattern::{ArgumentParts, Pattern, Steps};
use super::reasons::Reasons;
use crate::facts::problem::Problem;
use lang::trace::Trace;

/// An irreducible violating trace: one way in which a kind of violation comes about.
#[derive(Debug, Clone)]
pub struct Way {
    /// The first of the shortest traces of its pattern.
    pub trace: Trace,
    /// Its steps.
    pub pattern: Pattern,
    /// The reasons of its steps.
    pub reasons: Reasons,
    /// The last step with the deciding ones, in the order of the trace.
    pub deciding: Pattern,
}

impl Way {
    /// The way of a trace that ends in its first violation.
    pub fn new(problem: Problem<'_>, parts: &ArgumentParts, trace: Trace) -> Self {
        let reasons = Reasons::new(problem, &trace);
        let last = trace.len().checked_sub(1);
        let (pattern, deciding) = {
            let steps = Steps::new(problem, parts, &trace);
            let of = |others: Vec<usize>| {
                let chosen: Vec<usize> = last.into_iter().chain(others).collect();
                steps.pattern_of(problem, parts, &chosen)
            };
            (of((0..last.unwrap_or(0)).collect()), of(reasons.deciding()))
        };
        Self { trace, pattern, reasons, deciding }
    }

    /// The actions of its steps.
    pub fn actions(&self) -> Vec<usize> {
        self.trace.labels().map(|label| label.action).collect()
    }

    /// The actions of its deciding steps, in the order of the trace.
    pub fn deciding_actions(&self) -> Vec<usize> {
        let actions = self.actions();
        self.reasons.deciding().into_iter().map(|step| actions[step]).collect()
    }
}
