//! Answers about violating traces, whether these are finite or infinite.

use super::enumeration::Enumeration;
use super::kinds::{CausalKind, kinds, kinds_of_lassos};
use super::pattern::CausePattern;
use super::question::{CausalProblem, CausalQuestion, EveryTrace};
use super::replay::irreducible;
use super::way::Way;
use engines::ltl::{Bounded, bounded};
use kit::budget::{Limited, Observer};
use solvers::sat::Backend;
use solvers::unroll::{BoundedResult, Lengths, check};

impl CausalQuestion<'_> {
    /// The irreducible violating traces.
    pub fn enumerate(&self, observer: &mut dyn Observer) -> Enumeration {
        match self.problem {
            CausalProblem::Invariant(problem) => self.about(problem).enumerate(observer),
            CausalProblem::Linear(problem) => self.about(problem).enumerate(observer),
        }
    }

    /// The kinds of irreducible traces.
    pub fn kinds(&self, found: Vec<Way>) -> Vec<CausalKind> {
        match self.problem {
            CausalProblem::Invariant(problem) => kinds(problem, found),
            CausalProblem::Linear(problem) => kinds_of_lassos(problem, found),
        }
    }

    /// Asks a fresh solver whether every violating trace contains one of these patterns; its name.
    ///
    /// # Errors
    /// If the budget is exhausted first.
    ///
    /// # Panics
    /// If one does not, which is a bug in this program.
    pub fn check_complete(&self, patterns: &[&CausePattern], backend: Backend) -> Limited<&'static str> {
        match self.problem {
            CausalProblem::Invariant(problem) => self.about(problem).check_complete(patterns, backend),
            CausalProblem::Linear(problem) => self.about(problem).check_complete(patterns, backend),
        }
    }

    /// Decides whether violating traces of every length contain one of these patterns, which those within the bound do: by listing at most `limit` states,
    /// or by a symbolic proof. `None` if there is too much to remember.
    ///
    /// # Errors
    /// If the budget is exhausted first.
    pub fn every_length(&self, patterns: &[&CausePattern], limit: usize) -> Limited<Option<EveryTrace>> {
        match self.problem {
            CausalProblem::Invariant(problem) => self.about(problem).every_length(patterns, limit),
            CausalProblem::Linear(problem) => self.about(problem).every_length(patterns, limit),
        }
    }

    /// True if a violating trace takes exactly the actions of a way, one after the other; a finite one that contains none of some other patterns.
    ///
    /// # Errors
    /// If the budget is exhausted first.
    pub fn is_violated_by(&self, way: &Way, others: &[&CausePattern]) -> Limited<bool> {
        match self.problem {
            CausalProblem::Invariant(problem) => self.about(problem).is_violated_by(&way.actions(), others),
            CausalProblem::Linear(problem) => self.about(problem).is_violated_by(way),
        }
    }

    /// The orders of the steps of a way in which they are an irreducible violating trace; none of `most` orders or more in which they are a violating
    /// trace. The pattern of an infinite trace says which order matters.
    ///
    /// # Errors
    /// If the budget is exhausted first.
    pub fn orders(&self, way: &Way, most: usize) -> Limited<Vec<Way>> {
        match self.problem {
            CausalProblem::Invariant(problem) => {
                let mut traces = self.about(problem).orders(&way.pattern, most)?;
                let is_bounded = traces.len() < most;
                traces.retain(|trace| is_bounded && irreducible(problem, trace) == *trace);
                Ok(traces.into_iter().map(|trace| Way::new(problem, self.parts, trace)).collect())
            }
            CausalProblem::Linear(_) => Ok(vec![way.clone()]),
        }
    }

    /// True if nothing within the bound violates the property.
    ///
    /// # Errors
    /// If the budget is exhausted first.
    pub fn holds(&self) -> Limited<bool> {
        let (lengths, backend, budget) = (Lengths::UpTo(self.bound), self.solver.backend, self.budget);
        match self.problem {
            CausalProblem::Invariant(problem) => {
                match check(problem.model, problem.invariant, lengths, backend, budget, &mut ()) {
                    BoundedResult::Holds => Ok(true),
                    BoundedResult::Violated(_) => Ok(false),
                    BoundedResult::Undecided { why, .. } => Err(why),
                }
            }
            CausalProblem::Linear(problem) => {
                let (model, formula, fairness) = (problem.model, problem.formula, problem.fairness);
                match bounded(model, formula, fairness, lengths, backend, budget, &mut ()) {
                    Bounded::Holds => Ok(true),
                    Bounded::Violated(_) => Ok(false),
                    Bounded::Undecided { why, .. } => Err(why),
                }
            }
        }
    }
}
