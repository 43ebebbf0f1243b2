//! The reasons of the steps of an irreducible trace.

use super::replay::{Replay, breaks};
use crate::facts::problem::Problem;
use lang::model::Model;
use lang::model::eval::{Scope, arguments};
use lang::model::expr::Expr;
use lang::model::value::{Label, State};
use lang::trace::Trace;

/// A part of the condition of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ConditionPart {
    /// The violation: after the last step, or of a property of linear time.
    Breaks,
    /// The condition of fairness with this number, which an infinite trace meets.
    Fair(usize),
    /// A conjunct of the guards of its action, by its number in [`guards`].
    Guard(usize),
}

/// A part of a condition with the steps that it is due to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// The part.
    pub part: ConditionPart,
    /// The steps without which it is false, by number from 0, but for those that only make another one of them possible.
    pub steps: Vec<usize>,
}

impl Reason {
    /// A part with the steps without which it is false, but for those that only make another one possible: `taken` tells if a step is taken without
    /// another one. `None` if it is due to no step.
    pub fn of(part: ConditionPart, needed: &[usize], taken: &dyn Fn(usize, usize) -> bool) -> Option<Self> {
        let is_direct = |&cause: &usize| !needed.iter().any(|&other| other != cause && !taken(cause, other));
        let steps: Vec<usize> = needed.iter().copied().filter(is_direct).collect();
        (!steps.is_empty()).then_some(Self { part, steps })
    }
}

/// The reasons of each step of a trace: the parts of its condition that are due to earlier steps.
#[derive(Debug, Clone)]
pub struct Reasons {
    /// By step, from 0.
    pub of: Vec<Vec<Reason>>,
    /// Of an infinite trace the steps of the stem to which it is due that it is a violation.
    pub of_whole: Option<Vec<usize>>,
}

/// The conjuncts of the guards of an action.
pub fn guards(model: &Model, action: usize) -> Vec<Expr> {
    model.actions[action].requires.iter().flat_map(Expr::split_conjuncts).collect()
}

/// A part of a condition as a test of states.
pub(super) type StateTest<'a> = &'a dyn Fn(&State) -> bool;

/// The reasons of the guards of a step. `reason` gives that of a part, which is true in some states.
pub(super) fn of_guards(
    model: &Model,
    label: &Label,
    reason: &dyn Fn(ConditionPart, StateTest<'_>) -> Option<Reason>,
) -> Vec<Reason> {
    let locals = arguments(&model.actions[label.action], &label.args);
    let of_guard = |(number, guard): (usize, &Expr)| {
        let holds = |state: &State| Scope::new(model).with_state(state).with_locals(&locals).holds(guard);
        reason(ConditionPart::Guard(number), &holds)
    };
    guards(model, label.action).iter().enumerate().filter_map(of_guard).collect()
}

impl Reasons {
    /// The reasons in a trace that ends in its first violation.
    pub fn new(problem: Problem<'_>, trace: &Trace) -> Self {
        let labels: Vec<&Label> = trace.labels().collect();
        let without: Vec<Replay> =
            (0..labels.len()).map(|left_out| Replay::new(problem, trace, &|step| step == left_out)).collect();
        let reason = |part: ConditionPart, step: usize, holds: &dyn Fn(&Replay) -> bool| {
            let needed: Vec<usize> = (0..step).filter(|&cause| !holds(&without[cause])).collect();
            Reason::of(part, &needed, &|cause, other| without[cause].taken[other])
        };
        let of_step = |step: usize| {
            let label = labels[step];
            let breaking = (step + 1 == labels.len()).then(|| {
                reason(ConditionPart::Breaks, step, &|run| breaks(problem, trace, &run.before[step]))
            });
            let guards = of_guards(problem.model, label, &|part, holds| {
                reason(part, step, &|run| holds(&run.before[step]))
            });
            breaking.flatten().into_iter().chain(guards).collect()
        };
        Self { of: (0..labels.len()).map(of_step).collect(), of_whole: None }
    }

    /// The deciding steps: those to which the violation, or the fairness of an infinite trace, is due; where it is due to none, those that make the
    /// last step possible.
    pub fn deciding(&self) -> Vec<usize> {
        if let Some(steps) = &self.of_whole {
            return steps.clone();
        }
        let Some(last) = self.of.last() else { return Vec::new() };
        let is_deciding = |reason: &&Reason| !self.is_breaking_due() || reason.part == ConditionPart::Breaks;
        let mut steps: Vec<usize> =
            last.iter().filter(is_deciding).flat_map(|reason| reason.steps.iter().copied()).collect();
        steps.sort_unstable();
        steps.dedup();
        steps
    }

    /// True if the violation itself is due to earlier steps, and not only the possibility of the last one.
    pub fn is_breaking_due(&self) -> bool {
        self.of_whole.is_some()
            || self.of.last().is_some_and(|last| last.iter().any(|r| r.part == ConditionPart::Breaks))
    }
}
