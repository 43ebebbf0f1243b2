//! Irreducible traces with the reasons of their steps.

use super::pattern::{ArgumentParts, CausePattern, ChangedLabels, MOST_CHOICES, RoleSteps, ToldRoles};
use super::reasons::Reasons;
use super::replay::{leads_alike, violates_as};
use crate::facts::problem::Problem;
use itertools::Itertools;
use lang::model::Position;
use lang::model::value::Label;
use lang::trace::{Lasso, Trace};

struct ChangedTrace<'a> {
    problem: Problem<'a>,
    trace: &'a Trace,
}

impl ChangedLabels for ChangedTrace<'_> {
    fn violates_as(&self, labels: &[&Label]) -> bool {
        violates_as(self.problem, self.trace, labels)
    }

    fn is_alike(&self, step: usize, label: &Label) -> bool {
        leads_alike(self.problem.model, self.trace, step, label)
    }
}

/// An irreducible violating trace: one way in which a kind of violation comes about.
#[derive(Debug, Clone)]
pub struct Way {
    /// A shortest trace of its pattern, the first one of finite traces.
    pub trace: Trace,
    /// Its steps.
    pub pattern: CausePattern,
    /// The reasons of its steps.
    pub reasons: Reasons,
    /// The steps that violate the property with the deciding ones, in the order of the trace.
    pub deciding: CausePattern,
    /// The steps with fewer roles.
    pub fewer: FewerRoles,
    /// The loop of an infinite trace.
    pub round: Option<LoopRound>,
}

/// The loop of an infinite trace.
#[derive(Debug, Clone)]
pub struct LoopRound {
    /// The position where it begins.
    pub start: Position,
    /// True if its steps are of actions that change nothing.
    pub rests: bool,
    /// The steps to which it is due that the trace is fair, but for those that are due themselves.
    pub lasting: CausePattern,
}

/// The steps of a way in which not every value that the model names is told from others.
#[derive(Debug, Clone)]
pub struct FewerRoles {
    /// All steps, with roles in those that violate the property.
    pub all: CausePattern,
    /// The steps that violate the property, with roles, and the deciding ones.
    pub deciding: CausePattern,
    /// The steps without roles.
    pub without: CausePattern,
}

impl FewerRoles {
    /// Those of a way; `of` gives the pattern of the steps that violate the property and others.
    pub fn new(of: &dyn Fn(&[usize], ToldRoles) -> CausePattern, all: &[usize], deciding: &[usize]) -> Self {
        Self {
            all: of(all, ToldRoles::OfRoots),
            deciding: of(deciding, ToldRoles::OfRoots),
            without: of(deciding, ToldRoles::OfNone),
        }
    }
}

impl Way {
    /// The way of a trace that ends in its first violation.
    pub fn new(problem: Problem<'_>, parts: &ArgumentParts, trace: Trace) -> Self {
        let reasons = Reasons::new(problem, &trace);
        let (first, types) = (trace.len().saturating_sub(1), &problem.model.types);
        let all: Vec<usize> = (0..first).collect();
        let (pattern, deciding, fewer) = {
            let changed = ChangedTrace { problem, trace: &trace };
            let steps =
                RoleSteps::new(types, parts, (trace.labels().collect(), first), MOST_CHOICES, &changed);
            let of = |others: &[usize], told: ToldRoles| {
                let chosen: Vec<usize> = (first..trace.len()).chain(others.iter().copied()).collect();
                steps.pattern_of(types, parts, (trace.len() - first, &chosen), told)
            };
            let deciding = reasons.deciding();
            let fewer = FewerRoles::new(&of, &all, &deciding);
            (of(&all, ToldRoles::OfAll), of(&deciding, ToldRoles::OfAll), fewer)
        };
        Self { trace, pattern, reasons, deciding, fewer, round: None }
    }

    /// Its steps, or, where there are too many ways, the deciding ones.
    pub fn told(&self, is_narrowed: bool) -> &CausePattern {
        if is_narrowed { &self.deciding } else { &self.pattern }
    }

    /// Its trace as an infinite one, if it is one.
    pub fn as_lasso(&self) -> Option<Lasso> {
        self.round.as_ref().map(|round| Lasso { trace: self.trace.clone(), start: round.start })
    }

    /// True for an infinite trace in whose loop no step changes the state.
    pub fn stays(&self) -> bool {
        self.round.as_ref().is_some_and(|round| {
            self.trace.moments[round.start.index()..].iter().map(|moment| &moment.state).all_equal()
        })
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
