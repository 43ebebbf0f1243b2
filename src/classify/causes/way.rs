//! Irreducible traces with the reasons of their steps.

use super::pattern::{ArgumentParts, CausePattern, ChangedStep, MOST_CHOICES, RoleSteps, ToldRoles};
use super::reasons::Reasons;
use super::replay::{leads_alike, violates_with};
use crate::facts::problem::Problem;
use itertools::Itertools;
use lang::model::Position;
use lang::model::value::Label;
use lang::trace::{Lasso, Trace};

struct ChangedTrace<'a> {
    problem: Problem<'a>,
    trace: &'a Trace,
}

impl ChangedStep for ChangedTrace<'_> {
    fn violates_with(&self, step: usize, label: &Label) -> bool {
        violates_with(self.problem, self.trace, step, label)
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
    /// The same steps, with values that the model names in those alone that violate the property.
    pub with_last_roles: CausePattern,
    /// The same steps without values that the model names.
    pub without_roles: CausePattern,
    /// All its steps, with values that the model names in those alone that violate the property.
    pub all_with_last_roles: CausePattern,
    /// The loop of an infinite trace.
    pub round: Option<Round>,
}

/// The loop of an infinite trace.
#[derive(Debug, Clone)]
pub struct Round {
    /// The position where it begins.
    pub start: Position,
    /// True if its steps are of actions that change nothing.
    pub rests: bool,
    /// The steps to which it is due that the trace is fair, but for those that are due themselves.
    pub lasting: CausePattern,
}

impl Way {
    /// The way of a trace that ends in its first violation.
    pub fn new(problem: Problem<'_>, parts: &ArgumentParts, trace: Trace) -> Self {
        let reasons = Reasons::new(problem, &trace);
        let (first, types) = (trace.len().saturating_sub(1), &problem.model.types);
        let [pattern, all_with_last_roles, deciding, with_last_roles, without_roles] = {
            let changed = ChangedTrace { problem, trace: &trace };
            let labels = trace.labels().collect();
            let steps = RoleSteps::new(types, parts, labels, MOST_CHOICES, &changed);
            let of = |others: Vec<usize>, told: ToldRoles| {
                let chosen: Vec<usize> = (first..trace.len()).chain(others).collect();
                steps.pattern_of(types, parts, (trace.len() - first, &chosen), told)
            };
            let (all, deciding): (Vec<usize>, _) = ((0..first).collect(), reasons.deciding());
            let [deciding, with_last_roles, without_roles] =
                [ToldRoles::OfAll, ToldRoles::OfRoots, ToldRoles::OfNone]
                    .map(|told| of(deciding.clone(), told));
            let [pattern, all_with_last_roles] =
                [ToldRoles::OfAll, ToldRoles::OfRoots].map(|told| of(all.clone(), told));
            [pattern, all_with_last_roles, deciding, with_last_roles, without_roles]
        };
        Self {
            trace,
            pattern,
            reasons,
            deciding,
            with_last_roles,
            without_roles,
            all_with_last_roles,
            round: None,
        }
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
