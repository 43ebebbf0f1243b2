//! What conditions say of integers, in `if n = N then 1 else n + 1`, with n from 1 to N, the last n is less than N; and which options they say to
//! be present.
//!
//! Facts about integers hold in one branch of a conditional only, where they narrow the types of integers. The other branch is never
//! looked at, whatever the values there. What is present is so in whatever matters only where a condition holds: it is read as if it were there,
//! which is a value everywhere.

use super::Scope;
use crate::model::expr::{Expr, ExprKind, LocalId, Op};
use crate::model::types::{Type, Types};
use crate::model::value::Value;
use kit::diagnostics::Span;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Something that is known of the value of an expression.
#[derive(Debug, Clone)]
pub(super) struct Known {
    /// The expression, without places and ranges; shared by the calls that it is known in.
    expr: Arc<Expr>,
    says: Says,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    /// It lies in a range, or is `none`.
    Within(i64, i64),
    /// It is not `none`.
    Present,
}

impl Known {
    /// True if it says that a step led here.
    fn is_label(&self) -> bool {
        let of_step = matches!(
            self.expr.kind,
            ExprKind::ActionLabel | ExprKind::LabelArg { .. } | ExprKind::Previous(_)
        );
        of_step && self.says == Says::Present
    }
}

impl Scope {
    /// Adds what follows from a condition being true or false.
    pub(super) fn learn(&mut self, cond: &Expr, truth: bool) {
        self.learn_present(cond, truth);
        self.learn_ranges(cond, truth);
    }

    /// Adds which options are present if a condition is true, or false.
    pub(super) fn learn_present(&mut self, cond: &Expr, truth: bool) {
        match &cond.kind {
            ExprKind::Not(inner) => self.learn_present(inner, !truth),
            ExprKind::Binary(Op::And, a, b) if truth => {
                self.learn_present(a, true);
                self.learn_present(b, true);
            }
            ExprKind::Binary(Op::Or, a, b) if !truth => {
                self.learn_present(a, false);
                self.learn_present(b, false);
            }
            ExprKind::IsSome(value) if truth => self.know_present(value),
            ExprKind::Binary(Op::Eq, a, b) if truth => {
                if !b.ty.is_option() {
                    self.know_present(a);
                }
                if !a.ty.is_option() {
                    self.know_present(b);
                }
            }
            ExprKind::Binary(Op::Lt | Op::Le | Op::Subset, a, b) if truth => {
                self.know_present(a);
                self.know_present(b);
            }
            ExprKind::Binary(Op::In, a, _) if truth => self.know_present(a),
            _ => {}
        }
    }

    /// Notes that an expression is present, and what it is computed from.
    fn know_present(&mut self, expr: &Expr) {
        if !expr.ty.is_option() {
            return;
        }
        self.known.push(Known { expr: Arc::new(bare(expr)), says: Says::Present });
        match &expr.kind {
            ExprKind::Field(base, _) | ExprKind::With(base, _) | ExprKind::Neg(base) => {
                self.know_present(base)
            }
            ExprKind::Index(a, b)
            | ExprKind::Binary(Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod, a, b) => {
                self.know_present(a);
                self.know_present(b);
            }
            ExprKind::At { value, at } => {
                if let Some(base) = base_of(value) {
                    let (ty, span) = (base.ty.clone(), base.span);
                    let kind = ExprKind::At { value: Box::new(base.clone()), at: *at };
                    self.know_present(&Expr { kind, ty, span });
                }
            }
            // The entry of a map whose key may be outside of it.
            ExprKind::If(_, entry, none) if none.kind == ExprKind::Const(Value::None) => {
                self.know_present(entry)
            }
            _ => {}
        }
    }

    /// True if the conditions around say that a value is there.
    pub(super) fn has_value(&self, types: &Types, expr: &Expr) -> bool {
        if !expr.ty.is_option() {
            return true;
        }
        if !self.known.iter().any(|known| known.says == Says::Present) {
            return false;
        }
        let looked_up = bare(expr);
        if self.known.iter().any(|known| known.says == Says::Present && *known.expr == looked_up) {
            return true;
        }
        let has = |part: &Expr| self.has_value(types, part);
        match &expr.kind {
            ExprKind::Field(base, field) => match base.ty.inner() {
                Type::Record(id) => !types.record(*id).fields[*field].1.is_option() && has(base),
                _ => false,
            },
            ExprKind::Index(map, key) => match map.ty.inner() {
                Type::Map(_, value) => !value.is_option() && has(map) && has(key),
                _ => false,
            },
            ExprKind::With(base, _) | ExprKind::Neg(base) => has(base),
            // Where there is a label, there is a state before.
            ExprKind::Previous(value) => !value.ty.is_option() && self.known.iter().any(Known::is_label),
            ExprKind::Binary(Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod, a, b) => has(a) && has(b),
            ExprKind::Binary(Op::Otherwise, a, b) => has(a) || has(b),
            ExprKind::At { value, at } => {
                let there = |part: &Expr| {
                    let kind = ExprKind::At { value: Box::new(part.clone()), at: *at };
                    has(&Expr { kind, ty: part.ty.clone(), span: part.span })
                };
                let whole = match (&value.kind, base_of(value).map(|base| base.ty.inner())) {
                    (ExprKind::Field(_, field), Some(Type::Record(id))) => {
                        !types.record(*id).fields[*field].1.is_option()
                    }
                    (ExprKind::Index(..), Some(Type::Map(_, of))) => !of.is_option(),
                    _ => false,
                };
                let key = match &value.kind {
                    ExprKind::Index(_, key) => there(key),
                    _ => true,
                };
                whole && key && base_of(value).is_some_and(there)
            }
            _ => false,
        }
    }

    /// Adds of what is known at a position what is known there.
    pub(super) fn know_at(&mut self, position: LocalId) {
        let known = self.known.iter().filter_map(|known| match &known.expr.kind {
            ExprKind::At { value, at } if *at == position => {
                Some(Known { expr: Arc::new((**value).clone()), says: known.says })
            }
            _ => None,
        });
        let known: Vec<Known> = known.collect();
        self.known.extend(known);
    }

    /// Adds what follows for integers from a condition being true or false.
    fn learn_ranges(&mut self, cond: &Expr, truth: bool) {
        match &cond.kind {
            ExprKind::Not(inner) => self.learn_ranges(inner, !truth),
            ExprKind::Binary(Op::And, a, b) if truth => {
                self.learn_ranges(a, true);
                self.learn_ranges(b, true);
            }
            ExprKind::Binary(Op::Or, a, b) if !truth => {
                self.learn_ranges(a, false);
                self.learn_ranges(b, false);
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
        self.known.push(Known { expr: Arc::new(bare(expr)), says: Says::Within(lo, hi) });
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
        let alike = |known: &&Known| {
            matches!(known.says, Says::Within(..)) && std::mem::discriminant(&known.expr.kind) == form
        };
        if !self.known.iter().any(|known| alike(&known)) {
            return expr;
        }
        let looked_up = bare(&expr);
        for known in self.known.iter().filter(alike).filter(|known| *known.expr == looked_up) {
            if let Says::Within(least, greatest) = known.says {
                (lo, hi) = (lo.max(least), hi.min(greatest));
            }
        }
        // Nothing is ever there if the range is empty, so that any type is right.
        if lo <= hi && (lo, hi) != before {
            let ty = Type::Int { lo, hi };
            expr.ty = if expr.ty.is_option() { ty.optional() } else { ty };
        }
        expr
    }
}

/// What a part is read from.
fn base_of(expr: &Expr) -> Option<&Expr> {
    match &expr.kind {
        ExprKind::Field(base, _) | ExprKind::Index(base, _) => Some(base),
        _ => None,
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
