//! Values of state expressions along a trace, for what reports show beside it.

use crate::model::Model;
use crate::model::eval::eval_trace;
use crate::model::expr::{Expr, ExprKind, LocalId};
use crate::model::value::{Moment, Value};

/// The value of a state expression in the state at position `at` of a trace.
pub fn value_at(model: &Model, expr: &Expr, trace: &[Moment], at: usize) -> Value {
    // A name that no expression of the model binds.
    let position = LocalId(model.locals);
    let read = Expr {
        kind: ExprKind::At { value: Box::new(expr.clone()), at: position },
        ty: expr.ty.clone(),
        span: expr.span,
    };
    eval_trace(model, &read, trace, &[(position, Value::Int(at as i64))])
}

/// The conjuncts of an invariant that fail in the state at position `at`; none when the invariant is
/// not a conjunction, because it says it all itself.
pub fn failing_conjuncts<'a>(model: &Model, invariant: &'a Expr, trace: &[Moment], at: usize) -> Vec<&'a Expr> {
    let parts = invariant.conjuncts();
    if parts.len() < 2 {
        return Vec::new();
    }
    parts.into_iter().filter(|part| !value_at(model, part, trace, at).is_true()).collect()
}
