//! Runs of a trace without some of its steps.

use crate::facts::problem::Problem;
use lang::model::eval::{Place, Scope, allows_step, arguments, successor};
use lang::model::value::{Label, Moment, State, Value};
use lang::model::{Model, UpdateValue};
use lang::trace::Trace;

/// The run of a trace without some of its steps, and without those that are not possible then.
#[derive(Debug, Clone)]
pub struct Replay {
    /// For each step of the trace the state before it.
    pub before: Vec<State>,
    /// For each step the state after it, which is the same if the step is not taken.
    pub after: Vec<State>,
    /// For each step, whether it is taken.
    pub taken: Vec<bool>,
}

impl Replay {
    /// The run of a trace without the steps that `without` names, from 0.
    pub fn new(problem: Problem<'_>, trace: &Trace, without: &dyn Fn(usize) -> bool) -> Self {
        let mut state = trace.moments[0].state.clone();
        let (mut before, mut afterwards, mut taken) = (Vec::new(), Vec::new(), Vec::new());
        for step in 0..trace.len() {
            before.push(state.clone());
            let next = if without(step) { None } else { after(problem.model, trace, step, &state) };
            taken.push(next.is_some());
            if let Some(next) = next {
                state = next;
            }
            afterwards.push(state.clone());
        }
        Self { before, after: afterwards, taken }
    }
}

/// A part of the steps of a trace that ends in its first violation, which does so as well, with the same last step, and of which no steps can be left
/// out; of more than ten, no single one.
pub fn irreducible(problem: Problem<'_>, trace: &Trace) -> Trace {
    let mut whole = trace.clone();
    while let Some(part) = proper_part(problem, &whole) {
        whole = part;
    }
    whole
}

/// A violating trace with the same last step as another one, and a proper part of the steps before it.
fn proper_part(problem: Problem<'_>, trace: &Trace) -> Option<Trace> {
    let last = trace.len().checked_sub(1)?;
    let all: u64 = if last <= MOST_SUBSETS { 1 << last } else { 0 };
    let mut choices = (0..last.min(64)).map(|step| 1 << step).chain(1..all);
    choices.find_map(|left_out: u64| {
        let run = Replay::new(problem, trace, &|step| step < 64 && left_out >> step & 1 == 1);
        let is_violated = |step: usize| problem.is_violated_in(&run.after[step]);
        if !run.taken[last] || !is_violated(last) || (0..last).any(is_violated) {
            return None;
        }
        let taken = (0..=last).filter(|&step| run.taken[step]);
        let moment =
            |step: usize| Moment { label: Some(label(trace, step).clone()), state: run.after[step].clone() };
        let moments = std::iter::once(trace.moments[0].clone()).chain(taken.map(moment)).collect();
        Some(Trace { moments })
    })
}

/// Of a trace with more steps, only one of them at a time is left out to find a shorter violation.
const MOST_SUBSETS: usize = 10;

/// The last step, from 0, of a violation that a proper part of the steps of the trace gives, in their order and from the same initial state.
pub fn shorter_violation(problem: Problem<'_>, trace: &Trace) -> Option<usize> {
    let steps = trace.len();
    let violation = |left_out: u64| {
        let run = Replay::new(problem, trace, &|step| step < 64 && left_out >> step & 1 == 1);
        (0..steps).find(|&step| problem.is_violated_in(&run.after[step]))
    };
    let all = if steps <= MOST_SUBSETS { 1 << steps } else { 0 };
    let single = (0..steps.min(64)).map(|step| 1 << step);
    (1..all).chain(single).find_map(violation)
}

/// True if the trace ends in its first violation, too, with other labels.
pub fn violates_as(problem: Problem<'_>, trace: &Trace, labels: &[&Label]) -> bool {
    let mut state = trace.moments[0].state.clone();
    for (step, label) in labels.iter().enumerate() {
        if problem.is_violated_in(&state) {
            return false;
        }
        let Some(next) = after_label(problem.model, trace, step, label, &state) else { return false };
        state = next;
    }
    problem.is_violated_in(&state)
}

/// True if a step of a trace, by number from 0, leads to the same state with another label.
pub fn leads_alike(model: &Model, trace: &Trace, step: usize, changed: &Label) -> bool {
    let (before, after) = (&trace.moments[step].state, &trace.moments[step + 1].state);
    after_label(model, trace, step, changed, before).as_ref() == Some(after)
}

/// The label of a step, by number from 0.
pub fn label(trace: &Trace, step: usize) -> &Label {
    trace.moments[step + 1].label.as_ref().expect("a step has a label")
}

/// The state after a step of the trace from another state; `None` if it is not possible there. Values that the step leaves open
/// are those of the trace.
fn after(model: &Model, trace: &Trace, step: usize, state: &State) -> Option<State> {
    after_label(model, trace, step, label(trace, step), state)
}

/// The state after such a step with another label.
pub fn after_label(model: &Model, trace: &Trace, step: usize, label: &Label, state: &State) -> Option<State> {
    if let Some(after) = successor(model, state, label) {
        return Some(after);
    }
    // Values that the action leaves open change as in the trace; assignments are evaluated in this state.
    let action = &model.actions[label.action];
    let (old, new) = (&trace.moments[step].state.0, &trace.moments[step + 1].state.0);
    let locals = arguments(action, &label.args);
    let scope = Scope::new(model).with_state(state).with_locals(&locals);
    let mut after = state.clone();
    for var in &action.modifies {
        let at = var.0 as usize;
        after.0[at] = carried(&old[at], &new[at], &state.0[at]);
    }
    for update in &action.updates {
        if update.guard.as_ref().is_some_and(|guard| !scope.holds(guard)) {
            continue;
        }
        let place = Place::of_update(&scope, update);
        let value = match &update.value {
            UpdateValue::Is(value) => scope.value(value),
            UpdateValue::In(_) => place.read(&trace.moments[step + 1].state)?.clone(),
        };
        if !place.write(&mut after, value) {
            return None;
        }
    }
    allows_step(model, state, label, &after).then_some(after)
}

/// The value after the change from `old` to `new` is made to another one.
fn carried(old: &Value, new: &Value, here: &Value) -> Value {
    match (old, new, here) {
        _ if old == new => here.clone(),
        (Value::Set(old), Value::Set(new), Value::Set(here)) => {
            let kept = here.iter().filter(|member| new.contains(member) || !old.contains(member));
            Value::Set(kept.chain(new.difference(old)).cloned().collect())
        }
        (Value::Map(old), Value::Map(new), Value::Map(here)) => {
            let entry = |(key, here): (&Value, &Value)| match (old.get(key), new.get(key)) {
                (Some(old), Some(new)) => (key.clone(), carried(old, new, here)),
                _ => (key.clone(), here.clone()),
            };
            Value::Map(here.iter().map(entry).collect())
        }
        (Value::Record(_, old), Value::Record(_, new), Value::Record(id, here)) => {
            let fields = old.iter().zip(new).zip(here).map(|((old, new), here)| carried(old, new, here));
            Value::Record(*id, fields.collect())
        }
        _ => new.clone(),
    }
}

/// True if the last step of the trace violates the invariant from this state, whether its guards hold there or not.
pub fn breaks(problem: Problem<'_>, trace: &Trace, state: &State) -> bool {
    let model = problem.model;
    let step = trace.len() - 1;
    let label = label(trace, step);
    let action = &model.actions[label.action];
    let locals = arguments(action, &label.args);
    let scope = Scope::new(model).with_state(state).with_locals(&locals);
    let is_open =
        !action.modifies.is_empty() || action.updates.iter().any(|u| matches!(u.value, UpdateValue::In(_)));
    if is_open {
        return after(model, trace, step, state).is_some_and(|after| problem.is_violated_in(&after));
    }
    let mut after = state.clone();
    for update in &action.updates {
        let UpdateValue::Is(value) = &update.value else { continue };
        if update.guard.as_ref().is_none_or(|guard| scope.holds(guard))
            && !Place::of_update(&scope, update).write(&mut after, scope.value(value))
        {
            return false;
        }
    }
    problem.is_violated_in(&after)
}
