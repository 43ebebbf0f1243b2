//! The first of the shortest traces that violate an invariant, over listed states.

use super::limits::DEFAULT_SEARCH_LIMIT;
use super::orbits::Orbits;
use super::search::initial_states;
use super::space::{ExplorationCourse, StateSpace};
use super::successors::successors;
use explicit::lts::Bits;
use kit::budget::Budget;
use lang::model::Model;
use lang::model::eval::{check_trace, first_violation as violated_at};
use lang::model::expr::Expr;
use lang::model::value::{Label, Moment, State, Value};
use lang::trace::Trace;
use std::cmp::Ordering;

/// Returns the trace of `steps` steps that [`solvers::unroll::check`] finds, where no shorter one violates the invariant, which the symmetries
/// preserve: the least by initial state, then by the label and the state of each step. Lists at most `limit` states; `None` if there are more,
/// the budget ends, a step has too many choices, or none of the traces violates the invariant.
///
/// # Panics
/// If the reference semantics rejects the trace, which is a bug in this program.
pub fn first_violation(
    model: &Model,
    invariant: &Expr,
    steps: usize,
    orbits: Option<&Orbits>,
    (limit, budget): (usize, &Budget),
) -> Option<Trace> {
    if orbits.is_some() && !model.wishes.is_empty() {
        // Symmetries need not preserve wishes.
        return None;
    }
    let mut space = StateSpace::new(model);
    space.explore(ExplorationCourse { steps, orbits, ..ExplorationCourse::states(limit, budget) });
    if space.stopped.is_some() {
        return None;
    }
    let leading = leading(&space, invariant, steps, budget)?;
    let leads = |state: &State, at: usize| {
        let number = space.number_of(state, orbits);
        number.is_some_and(|number| space.depth(number) == at && leading.has(number))
    };
    let first = match orbits {
        Some(_) => initial_states(model, DEFAULT_SEARCH_LIMIT).ok()?,
        None => (0..space.initial).map(|number| space.state(number)).collect(),
    };
    least_violation(model, invariant, steps, first, leads)
}

/// Returns the least trace of `steps` steps from one of these initial states, by that state, then by the label and the state of each step, all of
/// whose states lead to a violation at their positions; `None` if there is none, or a step has too many choices.
///
/// # Panics
/// If the reference semantics rejects the trace, which is a bug in this program.
pub fn least_violation(
    model: &Model,
    invariant: &Expr,
    steps: usize,
    first: Vec<State>,
    leads: impl Fn(&State, usize) -> bool,
) -> Option<Trace> {
    let first = first.into_iter().filter(|state| leads(state, 0)).min_by(|a, b| in_order(&a.0, &b.0))?;
    let mut moments = vec![Moment { label: None, state: first }];
    for at in 1..=steps {
        let next = successors(model, &moments[at - 1].state, DEFAULT_SEARCH_LIMIT).ok()?;
        let next = next.into_iter().filter(|(_, after)| leads(after, at));
        let (label, state) = next.min_by(step_order)?;
        moments.push(Moment { label: Some(label), state });
    }
    let trace = Trace { moments };
    if let Err(fault) = check_trace(model, &trace.moments) {
        panic!("the exploration and the reference semantics disagree: {fault:?} in {trace:?}");
    }
    assert_eq!(violated_at(model, invariant, &trace.moments), Some(trace.last()), "{trace:?}");
    Some(trace)
}

/// The states from which a state that violates the invariant is reached `steps` steps after an initial state: one that satisfies the first wish of
/// the model that any of them does.
fn leading<'m>(space: &StateSpace<'m>, invariant: &'m Expr, steps: usize, budget: &Budget) -> Option<Bits> {
    let model = space.model();
    let violating = space.violating(invariant, budget).ok()?;
    let is_last = |&state: &usize| space.depth(state) == steps;
    let mut last: Vec<usize> = violating.iter().filter(is_last).collect();
    for wish in &model.wishes {
        let missed = space.violating(wish, budget).ok()?;
        let granted: Vec<usize> = last.iter().copied().filter(|&state| !missed.has(state)).collect();
        if !granted.is_empty() {
            last = granted;
            break;
        }
    }
    let mut leading = Bits::new(space.len());
    last.into_iter().for_each(|state| _ = leading.insert(state));
    for state in (0..space.explored).rev() {
        let after = &space.step_targets[space.starts[state] as usize..space.starts[state + 1] as usize];
        let depth = space.depth(state);
        let is_next = |&to: &u32| leading.has(to as usize) && space.depth(to as usize) == depth + 1;
        if after.iter().any(is_next) {
            leading.insert(state);
        }
    }
    Some(leading)
}

fn step_order((a, after_a): &(Label, State), (b, after_b): &(Label, State)) -> Ordering {
    let labels = a.action.cmp(&b.action).then_with(|| in_order(&a.args, &b.args));
    labels.then_with(|| in_order(&after_a.0, &after_b.0))
}

fn in_order(a: &[Value], b: &[Value]) -> Ordering {
    let parts = a.iter().zip(b).map(|(a, b)| value_order(a, b));
    parts.fold(Ordering::Equal, Ordering::then)
}

/// The order of values of one type: of sets, the one without the least member that only one of them has comes first.
fn value_order(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Set(a), Value::Set(b)) => match a.symmetric_difference(b).next() {
            None => Ordering::Equal,
            Some(member) if a.contains(member) => Ordering::Greater,
            Some(_) => Ordering::Less,
        },
        (Value::Record(_, a), Value::Record(_, b)) => in_order(a, b),
        (Value::Map(a), Value::Map(b)) => {
            let parts = a.values().zip(b.values()).map(|(a, b)| value_order(a, b));
            parts.fold(Ordering::Equal, Ordering::then)
        }
        _ => a.cmp(b),
    }
}
