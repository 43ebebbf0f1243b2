//! Runs of an infinite trace without some of its steps, or in another order.

use super::replay::{after_label, label};
use crate::lassos::options::LassoProblem;
use engines::ltl::{is_fair, satisfies};
use lang::model::value::{Label, Moment, State};
use lang::model::{Model, Position};
use lang::trace::{Lasso, Trace};

/// A loop is taken so often to come back to a state in which it began.
const MOST_ROUNDS: usize = 64;

/// The steps of an infinite trace, by number from 0, in the order in which they are to be taken.
#[derive(Debug, Clone)]
pub struct StepOrder {
    /// Those of the stem.
    pub stem: Vec<usize>,
    /// Those of the loop.
    pub round: Vec<usize>,
}

impl StepOrder {
    /// The order of the trace itself.
    pub fn of(lasso: &Lasso) -> Self {
        let start = lasso.start.steps();
        Self { stem: (0..start).collect(), round: (start..lasso.len()).collect() }
    }

    /// The order without a step.
    pub fn without(&self, step: usize) -> Self {
        let rest = |steps: &[usize]| steps.iter().copied().filter(|&other| other != step).collect();
        Self { stem: rest(&self.stem), round: rest(&self.round) }
    }
}

/// A run of steps of an infinite trace, without those that are not possible when it is their turn.
#[derive(Debug, Clone)]
pub struct LassoReplay {
    /// The run; `None` if it does not go on for ever, or comes back to no state within 64 lasso_replay.
    pub lasso: Option<Lasso>,
    /// For each step of the trace the state before it when it was last its turn; `None` if that never came.
    pub before: Vec<Option<State>>,
    /// For each step, true if it is taken; of the loop, in the last round.
    pub taken: Vec<bool>,
}

impl LassoReplay {
    /// The run of the steps in an order; `label` gives the label of each.
    pub fn new<'l>(
        model: &Model,
        lasso: &'l Lasso,
        order: &StepOrder,
        label: &dyn Fn(usize) -> &'l Label,
    ) -> Self {
        let mut run = RoundReplay {
            model,
            trace: &lasso.trace,
            label,
            moments: vec![lasso.trace.moments[0].clone()],
            before: vec![None; lasso.len()],
            taken: vec![false; lasso.len()],
        };
        run.go(&order.stem);
        let mut starts: Vec<usize> = Vec::new();
        for _ in 0..MOST_ROUNDS {
            let last = run.moments.len() - 1;
            let is_start = |&at: &usize| run.moments[at].state == run.moments[last].state;
            if let Some(start) = starts.iter().copied().find(is_start) {
                let closed = (start < last)
                    .then(|| Lasso { trace: Trace { moments: run.moments }, start: Position::new(start) });
                return Self { lasso: closed, before: run.before, taken: run.taken };
            }
            starts.push(last);
            run.go(&order.round);
        }
        Self { lasso: None, before: run.before, taken: run.taken }
    }

    /// True if each of these steps is taken.
    pub fn has_taken(&self, steps: &[usize]) -> bool {
        steps.iter().all(|&step| self.taken[step])
    }

    /// True if each step is taken in a fair infinite trace that violates the property.
    pub fn is_whole_violation(&self, problem: LassoProblem<'_>) -> bool {
        self.taken.iter().all(|&taken| taken) && self.is_violation(problem)
    }

    /// True if it is a fair infinite trace that violates the property.
    pub fn is_violation(&self, problem: LassoProblem<'_>) -> bool {
        self.lasso.as_ref().is_some_and(|lasso| {
            is_fair(problem.model, problem.fairness, lasso)
                && !satisfies(problem.model, problem.formula, lasso)
        })
    }
}

/// A part of the steps of a violating lasso that is one as well, and of which no step can be left out, together with those that are not possible
/// without it.
pub fn irreducible_lasso(problem: LassoProblem<'_>, lasso: &Lasso) -> Lasso {
    let (mut lasso, mut step) = (lasso.clone(), 0);
    while step < lasso.len() {
        let order = StepOrder::of(&lasso).without(step);
        let run = LassoReplay::new(problem.model, &lasso, &order, &|at| label(&lasso.trace, at));
        step += 1;
        if run.is_violation(problem)
            && let Some(shorter) = run.lasso
            && shorter.len() < lasso.len()
        {
            (lasso, step) = (shorter, 0);
        }
    }
    lasso
}

struct RoundReplay<'r, 'l> {
    model: &'r Model,
    trace: &'r Trace,
    label: &'r dyn Fn(usize) -> &'l Label,
    moments: Vec<Moment>,
    before: Vec<Option<State>>,
    taken: Vec<bool>,
}

impl RoundReplay<'_, '_> {
    fn go(&mut self, steps: &[usize]) {
        for &step in steps {
            let state = self.moments[self.moments.len() - 1].state.clone();
            let label = (self.label)(step);
            let next = after_label(self.model, self.trace, step, label, &state);
            self.before[step] = Some(state);
            self.taken[step] = next.is_some();
            if let Some(state) = next {
                self.moments.push(Moment { label: Some(label.clone()), state });
            }
        }
    }
}
