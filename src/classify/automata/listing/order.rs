//! The order in which traces are chosen for display, as that of [`solvers::unroll::Unrolling::first_trace`].

use lang::model::value::{Moment, Value};
use lang::trace::Trace;
use std::cmp::Ordering;

/// True if a trace is shorter than another one, or as long and before it in that order.
pub fn comes_before(trace: &Trace, other: &Trace) -> bool {
    let by_moments = || {
        let mut orders = trace.moments.iter().zip(&other.moments).map(|(a, b)| first_moment(a, b));
        orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    };
    trace.len().cmp(&other.len()).then_with(by_moments).is_lt()
}

/// Compares two possible next moments of a trace, in the order in which the solver's traces are chosen.
pub fn first_moment(a: &Moment, b: &Moment) -> Ordering {
    let label = |moment: &Moment| moment.label.as_ref().map(|label| label.action);
    let args = |moment: &'_ Moment| moment.label.as_ref().map_or(Vec::new(), |label| label.args.clone());
    label(a)
        .cmp(&label(b))
        .then_with(|| all_first(args(a).iter().zip(args(b).iter())))
        .then_with(|| all_first(a.state.0.iter().zip(&b.state.0)))
}

fn all_first<'v>(mut pairs: impl Iterator<Item = (&'v Value, &'v Value)>) -> Ordering {
    pairs.find_map(|(a, b)| Some(first(a, b)).filter(|order| order.is_ne())).unwrap_or(Ordering::Equal)
}

/// Compares two values of a type; of two sets, the one without their least unshared member is less.
fn first(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Set(a), Value::Set(b)) => match a.symmetric_difference(b).next() {
            Some(member) => a.contains(member).cmp(&b.contains(member)),
            None => Ordering::Equal,
        },
        (Value::Record(_, a), Value::Record(_, b)) => all_first(a.iter().zip(b)),
        (Value::Map(a), Value::Map(b)) => all_first(a.values().zip(b.values())),
        _ => a.cmp(b),
    }
}
