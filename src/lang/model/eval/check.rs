//! Checks traces: whether a trace is a trace of the model, and where it first violates an invariant.

use super::{FaultCause, Scope, TraceFault, initial_fault, step_fault};
use crate::model::expr::Expr;
use crate::model::value::Moment;
use crate::model::{Model, Position};

/// Checks that a trace is a trace of the model.
///
/// # Errors
/// The first fault, if it is not.
pub fn check_trace(model: &Model, trace: &[Moment]) -> Result<(), TraceFault> {
    let fault = |position, cause| Err(TraceFault { position, cause });
    let Some(first) = trace.first() else { return fault(Position::FIRST, FaultCause::Empty) };
    if first.label.is_some() {
        return fault(Position::FIRST, FaultCause::LabelledStart);
    }
    if let Some(cause) = initial_fault(model, &first.state) {
        return fault(Position::FIRST, cause);
    }
    for (pair, at) in trace.windows(2).zip(Position::all(trace.len()).skip(1)) {
        let Some(label) = &pair[1].label else { return fault(at, FaultCause::NoLabel) };
        if let Some(cause) = step_fault(model, &pair[0].state, label, &pair[1].state) {
            return fault(at, cause);
        }
    }
    Ok(())
}

/// The first position whose state violates the invariant.
pub fn first_violation(model: &Model, invariant: &Expr, trace: &[Moment]) -> Option<Position> {
    let violates = |moment: &Moment| !Scope::new(model).with_moment(moment).holds(invariant);
    trace.iter().position(violates).map(Position::new)
}

/// The conjuncts of an invariant that fail where a trace first violates it, as they were written, each on one line; none when the invariant
/// is not a conjunction, because it says it all itself.
pub fn failing_conjuncts(model: &Model, invariant: &Expr, trace: &[Moment]) -> Vec<String> {
    let (parts, Some(at)) = (invariant.conjuncts(), first_violation(model, invariant, trace)) else {
        return Vec::new();
    };
    if parts.len() < 2 {
        return Vec::new();
    }
    let fails = |part: &&Expr| !Scope::new(model).with_moment(&trace[at.index()]).holds(part);
    let written =
        |part: &Expr| model.sources.snippet(part.span).split_whitespace().collect::<Vec<_>>().join(" ");
    parts.into_iter().filter(fails).map(written).collect()
}
