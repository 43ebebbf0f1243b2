//! The reference semantics.

use super::Model;
use super::expr::{Expr, LocalId};
use super::value::{Moment, Value};

/// The value of an expression over a trace, positions bound to locals.
#[allow(unused_variables)]
pub fn eval_trace(model: &Model, expr: &Expr, trace: &[Moment], bound: &[(LocalId, Value)]) -> Value {
    unimplemented!()
}
/// Checks a trace.
#[allow(unused_variables)]
pub fn check_trace(model: &Model, trace: &[Moment]) -> Result<(), String> {
    unimplemented!()
}
/// State.
#[allow(unused_variables)]
pub fn eval_state(model: &Model, expr: &Expr, moment: &Moment) -> Value {
    unimplemented!()
}
/// First violation.
#[allow(unused_variables)]
pub fn first_violation(model: &Model, invariant: &Expr, trace: &[Moment]) -> Option<usize> {
    unimplemented!()
}
