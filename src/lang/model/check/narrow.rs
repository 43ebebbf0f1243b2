//! What conditions say of integers: in `if n = N then 1 else n + 1`, with n from 1 to N, the last n is less than N.
//!
//! Facts hold in one branch of a conditional only, where they narrow the types of integers. The other branch is never
//! looked at, whatever the values there.

use super::Scope;
use crate::model::expr::{Expr, ExprKind, Op};
use crate::model::types::Type;
use crate::model::value::Value;
use kit::diagnostics::Span;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The value of an expression lies in a range, or it is `none`.
#[derive(Debug, Clone)]
pub(super) struct Known {
    /// The expression, without places and ranges; shared by the calls that it is known in.
    expr: Arc<Expr>,
    lo: i64,
    hi: i64,
}

impl Scope {
    /// Adds what follows from a condition being true or false.
    pub(super) fn learn(&mut self, cond: &Expr, truth: bool) {
        match &cond.kind {
            ExprKind::Not(inner) => self.learn(inner, !truth),
            ExprKind::Binary(Op::And, a, b) if truth => {
                self.learn(a, true);
                self.learn(b, true);
            }
            ExprKind::Binary(Op::Or, a, b) if !truth => {
                self.learn(a, false);
                self.learn(b, false);
            }
            ExprKind::Binary(Op::Eq, a, b) => {
                self.learn_equal(a, b, truth);
                self.learn_equal(b, a, truth);
            }
            ExprKind::Binary(Op::Lt, a, b) => self.learn_order(a, b, 1, truth),
            ExprKind::Binary(Op::Le, a, b) => self.learn_order(a, b, 0, truth),
            ExprKind::Binary(Op::In, a, set) => {
                if let ExprKind::Const(Value::Set(members)) = &set.kind {
                    self.learn_member(a, members, truth);
                }
            }
            _ => {}
        }
    }

    /// What `a = b` says of a.
    fn learn_equal(&mut self, a: &Expr, b: &Expr, truth: bool) {
        if truth {
            if let Some((lo, hi)) = range(b) {
                self.know(a, lo, hi);
            }
        } else if let ExprKind::Const(value) = &b.kind {
            self.learn_member(a, &BTreeSet::from([value.clone()]), false);
        }
    }

    /// What `a < b`, with a distance of 1, or `a <= b` says of both.
    fn learn_order(&mut self, a: &Expr, b: &Expr, distance: i64, truth: bool) {
        let (Some((p, q)), Some((r, s))) = (range(a), range(b)) else { return };
        if truth {
            self.know(a, i64::MIN, s.saturating_sub(distance));
            self.know(b, p.saturating_add(distance), i64::MAX);
            return;
        }
        // It is also false if one of them is absent.
        if !b.ty.is_option() {
            self.know(a, r.saturating_add(1 - distance), i64::MAX);
        }
        if !a.ty.is_option() {
            self.know(b, i64::MIN, q.saturating_sub(1 - distance));
        }
    }

    /// What `a in members` says of a.
    fn learn_member(&mut self, a: &Expr, members: &BTreeSet<Value>, truth: bool) {
        let Some((mut lo, mut hi)) = range(a) else { return };
        if truth {
            let numbers =
                || members.iter().filter_map(|m| if let Value::Int(n) = m { Some(*n) } else { None });
            if let (Some(least), Some(greatest)) = (numbers().min(), numbers().max()) {
                self.know(a, least, greatest);
            }
            return;
        }
        while lo <= hi && members.contains(&Value::Int(lo)) {
            lo += 1;
        }
        while lo <= hi && members.contains(&Value::Int(hi)) {
            hi -= 1;
        }
        self.know(a, lo, hi);
    }

    /// Notes the range of an expression, and of what a constant is added to in it.
    fn know(&mut self, expr: &Expr, lo: i64, hi: i64) {
        if range(expr).is_none() || matches!(expr.kind, ExprKind::Const(_)) {
            return;
        }
        self.known.push(Known { expr: Arc::new(bare(expr)), lo, hi });
        let ExprKind::Binary(op @ (Op::Add | Op::Sub), a, b) = &expr.kind else { return };
        let (inner, by) = match (&a.kind, &b.kind) {
            (_, ExprKind::Const(Value::Int(n))) => (a, *n),
            (ExprKind::Const(Value::Int(n)), _) if *op == Op::Add => (b, *n),
            _ => return,
        };
        // Saturated bounds say nothing.
        let moved = |bound: i64| match op {
            Op::Add => bound.checked_sub(by),
            _ => bound.checked_add(by),
        };
        let lo = if lo == i64::MIN { lo } else { moved(lo).unwrap_or(i64::MIN) };
        let hi = if hi == i64::MAX { hi } else { moved(hi).unwrap_or(i64::MAX) };
        self.know(inner, lo, hi);
    }

    /// The expression with the range that is known of it here.
    pub(super) fn narrowed(&self, mut expr: Expr) -> Expr {
        if self.known.is_empty() || matches!(expr.kind, ExprKind::Const(_)) {
            return expr;
        }
        let Some((mut lo, mut hi)) = range(&expr) else { return expr };
        let before = (lo, hi);
        let form = std::mem::discriminant(&expr.kind);
        let alike = |known: &&Known| std::mem::discriminant(&known.expr.kind) == form;
        if !self.known.iter().any(|known| alike(&known)) {
            return expr;
        }
        let looked_up = bare(&expr);
        for known in self.known.iter().filter(alike).filter(|known| *known.expr == looked_up) {
            (lo, hi) = (lo.max(known.lo), hi.min(known.hi));
        }
        // Nothing is ever there if the range is empty, so that any type is right.
        if lo <= hi && (lo, hi) != before {
            let ty = Type::Int { lo, hi };
            expr.ty = if expr.ty.is_option() { ty.optional() } else { ty };
        }
        expr
    }
}

/// The range of an integer that may be absent.
fn range(expr: &Expr) -> Option<(i64, i64)> {
    match expr.ty.inner() {
        Type::Int { lo, hi } => Some((*lo, *hi)),
        _ => None,
    }
}

/// An expression without the places and the ranges in it.
fn bare(expr: &Expr) -> Expr {
    fn clear(expr: &mut Expr) {
        expr.for_each_child(&mut clear);
        expr.span = Span::default();
        if matches!(expr.ty.inner(), Type::Int { .. }) {
            expr.ty = Type::Int { lo: 0, hi: 0 };
        }
    }
    let mut expr = expr.clone();
    clear(&mut expr);
    expr
}
