//! Changes every node of an expression, and compares expressions without regard to their places.

use crate::diagnostics::Span;
use crate::model::expr::{Expr, ExprKind};

/// Calls `change` on everything below `expr`, then on `expr` itself.
pub(super) fn each_mut(expr: &mut Expr, change: &mut dyn FnMut(&mut Expr)) {
    match &mut expr.kind {
        ExprKind::Const(_)
        | ExprKind::Var(_)
        | ExprKind::Next(_)
        | ExprKind::ActionLabel
        | ExprKind::LabelArg { .. }
        | ExprKind::Local(_) => {}
        ExprKind::Let { value: a, body: b, .. }
        | ExprKind::Index(a, b)
        | ExprKind::Filter { set: a, cond: b, .. }
        | ExprKind::Binary(_, a, b)
        | ExprKind::Quant { set: a, body: b, .. } => {
            each_mut(a, change);
            each_mut(b, change);
        }
        ExprKind::At { value: a, .. }
        | ExprKind::Field(a, _)
        | ExprKind::MapOf { body: a, .. }
        | ExprKind::Size(a)
        | ExprKind::Not(a)
        | ExprKind::Neg(a)
        | ExprKind::IsSome(a) => each_mut(a, change),
        ExprKind::Record(parts) | ExprKind::SetLiteral(parts) => {
            parts.iter_mut().for_each(|p| each_mut(p, change));
        }
        ExprKind::With(base, fields) => {
            each_mut(base, change);
            fields.iter_mut().for_each(|(_, e)| each_mut(e, change));
        }
        ExprKind::If(c, a, b) => {
            each_mut(c, change);
            each_mut(a, change);
            each_mut(b, change);
        }
    }
    change(expr);
}

/// An expression that is equal to all that say the same, wherever they were written.
pub(super) fn without_places(expr: &Expr) -> Expr {
    let mut expr = expr.clone();
    each_mut(&mut expr, &mut |e| e.span = Span::default());
    expr
}

/// Whether two expressions say the same, wherever they were written.
pub(super) fn same(a: &Expr, b: &Expr) -> bool {
    without_places(a) == without_places(b)
}

/// Whether an expression or anything below it satisfies `test`.
pub(super) fn any(expr: &Expr, test: &dyn Fn(&ExprKind) -> bool) -> bool {
    let mut found = false;
    expr.walk(&mut |e| found |= test(&e.kind));
    found
}

/// Whether the value of an expression depends on the state or the label of a step, outside of `@`.
pub(super) fn reads_state(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Var(_) | ExprKind::Next(_) | ExprKind::ActionLabel | ExprKind::LabelArg { .. } => true,
        ExprKind::At { .. } | ExprKind::Const(_) | ExprKind::Local(_) => false,
        ExprKind::Let { value: a, body: b, .. }
        | ExprKind::Index(a, b)
        | ExprKind::Filter { set: a, cond: b, .. }
        | ExprKind::Binary(_, a, b)
        | ExprKind::Quant { set: a, body: b, .. } => reads_state(a) || reads_state(b),
        ExprKind::Field(a, _)
        | ExprKind::MapOf { body: a, .. }
        | ExprKind::Size(a)
        | ExprKind::Not(a)
        | ExprKind::Neg(a)
        | ExprKind::IsSome(a) => reads_state(a),
        ExprKind::Record(parts) | ExprKind::SetLiteral(parts) => parts.iter().any(reads_state),
        ExprKind::With(base, fields) => reads_state(base) || fields.iter().any(|(_, e)| reads_state(e)),
        ExprKind::If(c, a, b) => reads_state(c) || reads_state(a) || reads_state(b),
    }
}
