//! Which operands the rest of a condition says to be present: in `x is none or x != v`, the comparison matters only where
//! there is a value.

use super::{Checker, Scope};
use crate::model::expr::Expr;
use crate::syntax::ast::{self, BinaryOp, ExprKind, Test};

impl<'a> Checker<'a> {
    /// Checks a condition that matters only where all of these have the truth value beside them.
    pub(super) fn only_where(
        &mut self,
        scope: &mut Scope,
        guards: &[(&'a ast::Expr, bool)],
        check: impl FnOnce(&mut Self, &mut Scope) -> Expr,
    ) -> Expr {
        let present = guards.iter().flat_map(|&(guard, truth)| self.operands_present(guard, truth));
        let present = present.collect();
        scope.present.push(present);
        let checked = check(self, scope);
        scope.present.pop();
        checked
    }

    /// The texts of the operands that are present where a condition has this truth value.
    fn operands_present(&self, e: &ast::Expr, truth: bool) -> Vec<String> {
        let both =
            |(a, in_a), (b, in_b)| [self.operands_present(a, in_a), self.operands_present(b, in_b)].concat();
        let none = |e: &ast::Expr| e.kind == ExprKind::None;
        match &e.kind {
            ExprKind::Not(inner) => self.operands_present(inner, !truth),
            ExprKind::Binary(BinaryOp::And, a, b) if truth => both((a, true), (b, true)),
            ExprKind::Binary(BinaryOp::Or, a, b) if !truth => both((a, false), (b, false)),
            ExprKind::Binary(BinaryOp::Implies, a, b) if !truth => both((a, true), (b, false)),
            ExprKind::Is { expr, test: Test::Some | Test::Constructor(_) } if truth => {
                vec![self.text(expr.span)]
            }
            ExprKind::Is { expr, test: Test::None } if !truth => vec![self.text(expr.span)],
            ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) if none(a) || none(b) => {
                let differs = (*op == BinaryOp::Ne) == truth;
                let other = if none(a) { b } else { a };
                if differs { vec![self.text(other.span)] } else { Vec::new() }
            }
            // That a value differs from another one does not make it present: `none` differs, too.
            ExprKind::Binary(BinaryOp::Eq, a, b) if truth => {
                vec![self.text(a.span), self.text(b.span)]
            }
            ExprKind::Binary(
                BinaryOp::In | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge,
                a,
                _,
            ) if truth => vec![self.text(a.span)],
            _ => Vec::new(),
        }
    }
}
