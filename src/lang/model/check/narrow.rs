//! Facts that conditions give: in `if n = N then 1 else n + 1`, with n from 1 to N, the last n is less than N; in `o is some => f(o)`, the last o is
//! present.
//!
//! Facts about integers hold in one branch of a conditional only, where they narrow the types of integers. The other branch is never
//! looked at, whatever the values there. An option is present wherever a condition holds, and matters only there: it is read as if it were
//! present, which gives a value everywhere.

use super::moments::BEFORE;
use super::{Checker, ExprScope};
use crate::model::expr::{Expr, ExprKind, LocalId, Op};
use crate::model::types::{Type, Types};
use crate::model::value::Value;
use crate::syntax::ast::AstExpr;
use kit::diagnostics::Span;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Something that is known of the value of an expression.
#[derive(Debug, Clone)]
pub(super) struct KnownFact {
    /// The expression, without places and ranges; shared by the calls that it is known in.
    expr: Arc<Expr>,
    says: NarrowingKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NarrowingKind {
    /// It lies in a range, or is `none`.
    Within(i64, i64),
    /// It is not `none`.
    Present,
}

impl KnownFact {
    fn present(expr: &Expr) -> Self {
        Self { expr: Arc::new(bare(expr)), says: NarrowingKind::Present }
    }

    /// True if it says that a step led here.
    fn says_step(&self) -> bool {
        self.says == NarrowingKind::Present && self.expr.is_of_step()
    }
}

impl ExprScope {
    /// Adds what follows from a condition being true or false.
    pub(super) fn learn(&mut self, cond: &Expr, truth: bool) {
        each_part(cond, truth, &mut |part, truth| {
            self.learn_presence(part, truth);
            self.learn_range(part, truth);
        });
    }

    /// Adds which options are present if a condition is true, or false.
    pub(super) fn learn_present(&mut self, cond: &Expr, truth: bool) {
        each_part(cond, truth, &mut |part, truth| self.learn_presence(part, truth));
    }

    fn learn_presence(&mut self, part: &Expr, truth: bool) {
        let known = &mut self.known;
        match &part.kind {
            _ if !truth => {}
            ExprKind::IsSome(value) => know_present(known, value),
            ExprKind::Binary(Op::Eq, a, b) => {
                if !b.ty.is_option() {
                    know_present(known, a);
                }
                if !a.ty.is_option() {
                    know_present(known, b);
                }
            }
            ExprKind::Binary(Op::Lt | Op::Le | Op::Subset, a, b) => {
                know_present(known, a);
                know_present(known, b);
            }
            ExprKind::Binary(Op::In, a, _) => know_present(known, a),
            _ => {}
        }
    }

    /// True if the conditions around say that a value is present.
    pub(super) fn has_value(&self, types: &Types, expr: &Expr) -> bool {
        is_present(&self.known, types, expr)
    }

    /// Adds what is known there of what is known at a position.
    pub(super) fn know_at(&mut self, position: LocalId) {
        let there = known_at(&self.known, position);
        self.known.extend(there);
    }

    /// Replaces what is known by what is known of the state before; returns what was known.
    pub(super) fn know_before(&mut self) -> Vec<KnownFact> {
        let before = known_before(&self.known);
        std::mem::replace(&mut self.known, before)
    }

    /// Adds what follows for integers from a condition, which is no other ones joined, being true or false.
    fn learn_range(&mut self, part: &Expr, truth: bool) {
        match &part.kind {
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

    /// Learns of a from `a = b`.
    fn learn_equal(&mut self, a: &Expr, b: &Expr, truth: bool) {
        if truth {
            if let Some((lo, hi)) = range(b) {
                self.know(a, lo, hi);
            }
        } else if let ExprKind::Const(value) = &b.kind {
            self.learn_member(a, &BTreeSet::from([value.clone()]), false);
        }
    }

    /// Learns of both from `a < b`, with a distance of 1, or `a <= b`.
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

    /// Learns of a from `a in members`.
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
        self.known.push(KnownFact { expr: Arc::new(bare(expr)), says: NarrowingKind::Within(lo, hi) });
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
        let alike = |known: &&KnownFact| {
            matches!(known.says, NarrowingKind::Within(..))
                && std::mem::discriminant(&known.expr.kind) == form
        };
        if !self.known.iter().any(|known| alike(&known)) {
            return expr;
        }
        let looked_up = bare(&expr);
        for known in self.known.iter().filter(alike).filter(|known| *known.expr == looked_up) {
            if let NarrowingKind::Within(least, greatest) = known.says {
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

/// Visits the formulas, with their truth values, that follow from the truth value of one.
fn each_part(cond: &Expr, truth: bool, visit: &mut dyn FnMut(&Expr, bool)) {
    match &cond.kind {
        ExprKind::Not(inner) => each_part(inner, !truth, visit),
        ExprKind::Binary(op @ (Op::And | Op::Or), a, b) if (*op == Op::And) == truth => {
            each_part(a, truth, visit);
            each_part(b, truth, visit);
        }
        _ => visit(cond, truth),
    }
}

/// Notes that an expression is present, and what it is computed from.
fn know_present(known: &mut Vec<KnownFact>, expr: &Expr) {
    if !expr.ty.is_option() {
        return;
    }
    known.push(KnownFact::present(expr));
    match &expr.kind {
        ExprKind::Field(base, _) | ExprKind::With(base, _) | ExprKind::Neg(base) => know_present(known, base),
        ExprKind::Index(a, b) | ExprKind::Binary(Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod, a, b) => {
            know_present(known, a);
            know_present(known, b);
        }
        // The entry of a map whose key may be outside of it.
        ExprKind::If(_, entry, none) if none.kind == ExprKind::Const(Value::None) => {
            know_present(known, entry);
        }
        _ => {}
    }
}

/// True if an expression is present wherever all of this is so.
fn is_present(known: &[KnownFact], types: &Types, expr: &Expr) -> bool {
    if !expr.ty.is_option() {
        return true;
    }
    if known.iter().all(|known| known.says != NarrowingKind::Present) {
        return false;
    }
    let looked_up = bare(expr);
    if known.iter().any(|known| known.says == NarrowingKind::Present && *known.expr == looked_up) {
        return true;
    }
    let has = |part: &Expr| is_present(known, types, part);
    // Where a step led, there are its label and the state before.
    let has_step = || known.iter().any(KnownFact::says_step);
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
        ExprKind::ActionLabel => has_step(),
        ExprKind::Previous(value) => has_step() && is_present(&known_before(known), types, value),
        ExprKind::Binary(Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod, a, b) => has(a) && has(b),
        ExprKind::Binary(Op::Otherwise, a, b) => has(a) || has(b),
        ExprKind::At { value, at } => is_present(&[known, &known_at(known, *at)].concat(), types, value),
        _ => false,
    }
}

/// The facts known of a position, as facts of a state.
fn known_at(known: &[KnownFact], position: LocalId) -> Vec<KnownFact> {
    known_inside(known, |e| match &e.kind {
        ExprKind::At { value, at } if *at == position => Some(value),
        _ => None,
    })
}

/// The facts known of the state before, and of every state.
fn known_before(known: &[KnownFact]) -> Vec<KnownFact> {
    let mut before = known_inside(known, |e| match &e.kind {
        ExprKind::Previous(value) => Some(value),
        _ => None,
    });
    before.extend(known.iter().filter(|known| !known.expr.reads_state()).cloned());
    before
}

/// The facts known of the insides of expressions.
fn known_inside(known: &[KnownFact], inside: impl Fn(&Expr) -> Option<&Expr>) -> Vec<KnownFact> {
    let mut found = Vec::new();
    for known in known {
        match (inside(&known.expr), known.says) {
            (Some(inner), NarrowingKind::Present) => know_present(&mut found, inner),
            (Some(inner), says) => found.push(KnownFact { expr: Arc::new(inner.clone()), says }),
            (None, _) => {}
        }
    }
    found
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

impl Checker<'_> {
    /// A value where one is needed: as if it were present, if the conditions around say that it is.
    pub(super) fn where_known(&self, scope: &ExprScope, e: Expr) -> Expr {
        if !e.ty.is_option() || super::types::poisoned(&e.ty) || !scope.has_value(&self.types, &e) {
            return e;
        }
        let ty = e.ty.inner().clone();
        self.as_if_present(e, &ty)
    }

    /// Help for an option where a value is needed.
    pub(super) fn help_on_absence(&self, typed: &Expr, written: &AstExpr) -> String {
        let text = self.text(written.span);
        let read = if let ExprKind::At { value, .. } = &typed.kind { value } else { typed };
        match &read.kind {
            ExprKind::Previous(value) if !value.ty.is_option() => format!(
                "`{BEFORE}(… {} …)` reads all of it in the state before; where a condition says that a step led there, \
                 `{text}` is a value",
                self.text(value.span)
            ),
            _ if text
                .trim_start_matches("pre ")
                .chars()
                .all(|c| c.is_alphanumeric() || "_.[]@".contains(c)) =>
            {
                format!(
                    "`{text} otherwise …` supplies a default; where a condition says `{text} is some`, it is a value"
                )
            }
            _ => format!("`{text} otherwise …` supplies a default"),
        }
    }

    /// A value as one of this type, as if it were present: where it is `none`, any value will do.
    pub(super) fn as_if_present(&self, e: Expr, ty: &Type) -> Expr {
        if !e.ty.is_option() {
            return e;
        }
        match self.types.simplest(ty) {
            Some(any) => e.or_any(any, ty),
            // Values of a type that a library requires are not known before it is imported.
            None => Expr { ty: ty.clone(), ..e },
        }
    }
}
