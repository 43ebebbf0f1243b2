//! The problem that is classified, and the options for infinite traces.

use super::result::Infinite;
use crate::results::options::Options;
use crate::results::result::{Classification, Verdict};
use engines::ltl::Fairness;
use lang::model::Model;
use lang::model::expr::Formula;
use solvers::unroll::Lengths;

/// The fair infinite traces of a model that violate a formula.
#[derive(Debug, Clone, Copy)]
pub struct LassoProblem<'m> {
    /// The model.
    pub model: &'m Model,
    /// The formula, of linear time.
    pub formula: &'m Formula,
    /// The conditions that infinite traces meet.
    pub fairness: &'m [Fairness],
}

impl Options {
    /// Returns the default options for lassos of at most `bound` steps, at least 1, with classes that suffice for lassos up to the
    /// horizon, at least the bound. Beyond it, there is more room for lassos that satisfy the property, and fewer classes depend on the
    /// bound.
    pub fn of_lassos(bound: usize, horizon: usize) -> Self {
        Self { horizon: Some(horizon), ..Self::of(Lengths::UpTo(bound)) }
    }

    /// Returns the number of steps of lassos for which classes suffice.
    pub(super) fn lasso_horizon(&self) -> usize {
        self.horizon.unwrap_or(self.lengths.bound())
    }

    /// Returns a result with this verdict, without classes and other information.
    pub fn result(&self, verdict: Verdict<Infinite>) -> Classification<Infinite> {
        let result = Classification::new(verdict, self.lengths, self.backend.to_string());
        Classification { sufficient_up_to: self.lasso_horizon(), ..result }
    }
}
