//! Irreducible traces with the reasons of their steps.

use super::pattern::{ArgumentParts, MOST_CHOICES, Pattern, Steps};
use super::reasons::Reasons;
use super::replay::violates_with;
use crate::facts::problem::Problem;
use lang::model::value::Label;
use lang::model::{LassoFormulaText, Position};
use lang::trace::Trace;

/// An irreducible violating trace: one way in which a kind of violation comes about.
#[derive(Debug, Clone)]
pub struct Way {
    /// The first of the shortest traces of its pattern.
    pub trace: Trace,
    /// Of an infinite trace the position where its loop begins.
    pub start: Option<Position>,
    /// Its steps.
    pub pattern: Pattern,
    /// The reasons of its steps.
    pub reasons: Reasons,
    /// The steps that violate the property with the deciding ones, in the order of the trace.
    pub deciding: Pattern,
    /// True if the steps of its loop are of actions that change nothing.
    pub rests: bool,
    /// Of an infinite trace the steps to which it is due that it is fair.
    pub lasting: Pattern,
    /// Of an infinite trace its pattern, with the order of steps where it matters.
    pub recurrence: Option<LassoFormulaText>,
}

impl Way {
    /// The way of a trace that ends in its first violation.
    pub fn new(problem: Problem<'_>, parts: &ArgumentParts, trace: Trace) -> Self {
        let reasons = Reasons::new(problem, &trace);
        let (first, types) = (trace.len().saturating_sub(1), &problem.model.types);
        let (pattern, deciding) = {
            let changed = |step, label: &Label| violates_with(problem, &trace, step, label);
            let labels = (trace.labels().collect(), first);
            let steps = Steps::new(types, parts, labels, MOST_CHOICES, &changed);
            let of = |others: Vec<usize>| {
                let chosen: Vec<usize> = (first..trace.len()).chain(others).collect();
                steps.pattern_of(types, parts, (trace.len() - first, &chosen))
            };
            (of((0..first).collect()), of(reasons.deciding()))
        };
        Self {
            trace,
            start: None,
            pattern,
            reasons,
            deciding,
            rests: false,
            lasting: Pattern::default(),
            recurrence: None,
        }
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
