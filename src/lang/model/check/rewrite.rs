//! Transformation of expressions, and comparison that ignores spans.

use crate::model::expr::{Expr, ExprKind};

/// Calls `change` on every expression in `expr`, operands first.
pub(super) fn each_mut(expr: &mut Expr, change: &mut dyn FnMut(&mut Expr)) {
    expr.for_each_child(&mut |child| each_mut(child, change));
    change(expr);
}

/// True if two expressions are equal, ignoring spans.
pub(super) fn same(a: &Expr, b: &Expr) -> bool {
    a.without_places() == b.without_places()
}

/// True if the value of an expression depends on the state or the label of a step, outside of `@`.
pub(super) fn reads_state(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Var(_) | ExprKind::Next(_) => true,
        ExprKind::At { .. } | ExprKind::Never { .. } => false,
        _ => expr.is_of_step() || expr.children().into_iter().any(reads_state),
    }
}

/// True if an expression reads the state, a label or a part of one, whose value is of its type.
pub(super) fn of_the_state(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Var(_) | ExprKind::Next(_) | ExprKind::LabelArg { .. } => true,
        ExprKind::Field(base, _)
        | ExprKind::Index(base, _)
        | ExprKind::Previous(base)
        | ExprKind::At { value: base, .. } => of_the_state(base),
        _ => false,
    }
}
