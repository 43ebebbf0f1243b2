//! The questions about violating traces, finite or infinite.

use super::condition::{ConditionCase, breaking_condition, case_of};
use super::kinds::CausalKind;
use super::pattern::ArgumentParts;
use crate::facts::problem::Problem;
use crate::lassos::options::LassoProblem;
use engines::ltl::Fairness;
use kit::budget::Budget;
use lang::model::Model;
use lang::model::expr::{Expr, Formula};
use solvers::sat::Setup;

/// A model with a property whose violations have causes.
#[derive(Debug, Clone, Copy)]
pub enum CausalProblem<'a> {
    /// An invariant.
    Invariant(Problem<'a>),
    /// A property of linear time.
    Linear(LassoProblem<'a>),
}

impl<'a> CausalProblem<'a> {
    /// The model.
    pub fn model(&self) -> &'a Model {
        match self {
            Self::Invariant(problem) => problem.model,
            Self::Linear(problem) => problem.model,
        }
    }

    /// The parts of arguments of the model.
    pub fn parts(&self) -> ArgumentParts {
        match *self {
            Self::Invariant(problem) => ArgumentParts::new(problem),
            Self::Linear(problem) => ArgumentParts::of_lassos(problem),
        }
    }

    /// The case of the condition under which the last step of a kind breaks an invariant, over the parameters of its action, that its first trace
    /// meets: no conjuncts if every such step does. `None` if it cannot be told in the words of the model.
    pub fn condition(&self, kind: &CausalKind) -> Option<ConditionCase> {
        let Self::Invariant(problem) = *self else { return None };
        let trace = &kind.ways[0].trace;
        let label = trace.labels().next_back()?;
        Some(case_of(&breaking_condition(problem, label.action)?, problem, trace))
    }
}

/// A property that a changed model has.
#[derive(Debug, Clone)]
pub enum ChangedProperty {
    /// An invariant.
    Invariant(Expr),
    /// A formula of linear time, with the conditions that infinite traces meet.
    Linear(Formula, Vec<Fairness>),
}

impl ChangedProperty {
    /// The property of its model.
    pub fn of<'a>(&'a self, model: &'a Model) -> CausalProblem<'a> {
        match self {
            Self::Invariant(invariant) => CausalProblem::Invariant(Problem::new(model, invariant)),
            Self::Linear(formula, fairness) => {
                CausalProblem::Linear(LassoProblem { model, formula, fairness })
            }
        }
    }
}

/// The violating traces that are asked about, and the solver.
#[derive(Debug, Clone, Copy)]
pub struct CausalQuestion<'a, P = CausalProblem<'a>> {
    /// The model with the property.
    pub problem: P,
    /// The parts of arguments of the model.
    pub parts: &'a ArgumentParts,
    /// The greatest number of steps; of infinite traces, at least 1.
    pub bound: usize,
    /// The solver.
    pub solver: Setup,
    /// The search ends after more patterns than these.
    pub most: usize,
    /// Time and memory.
    pub budget: &'a Budget,
}

impl<'a, P> CausalQuestion<'a, P> {
    /// The question about another sort of problem.
    pub fn about<Q>(&self, problem: Q) -> CausalQuestion<'a, Q> {
        let Self { parts, bound, solver, most, budget, .. } = *self;
        CausalQuestion { problem, parts, bound, solver, most, budget }
    }
}

/// The result of a search for violating traces of every length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EveryTrace {
    /// All of them are of one of the kinds.
    Covered {
        /// The number of states, of finite traces with different steps before them; `None` for a symbolic proof.
        situations: Option<usize>,
    },
    /// The shortest one that is of no kind has so many steps, more than the bound.
    Longer(usize),
}
