//! The order of values as a formula.

use super::Checker;
use super::collected::equal;
use crate::model::expr::{Expr, ExprKind, Op};
use crate::model::types::Type;
use kit::diagnostics::Span;

impl Checker<'_> {
    /// True if one value of a type comes before another one, in the order of [`Value`](crate::model::value::Value).
    pub(super) fn before(&self, a: &Expr, b: &Expr, ty: &Type, span: Span) -> Expr {
        let part = |of: &Expr, kind: &dyn Fn(Box<Expr>) -> ExprKind, ty: &Type| {
            let ty = if of.ty.is_option() { ty.clone().optional() } else { ty.clone() };
            Expr { kind: kind(Box::new(of.clone())), ty, span }
        };
        let in_parts = |parts: Vec<(Expr, Expr, Type)>| {
            parts.into_iter().rev().fold(Expr::bool(false, span), |rest, (a, b, ty)| {
                let tie = Expr::binary_bool(Op::And, equal(a.clone(), b.clone(), span), rest);
                Expr::binary_bool(Op::Or, self.before(&a, &b, &ty, span), tie)
            })
        };
        match ty {
            Type::Option(inner) => {
                let some = |e: &Expr| match e.ty.is_option() {
                    true => Expr { kind: ExprKind::IsSome(Box::new(e.clone())), ty: Type::Bool, span },
                    false => Expr::bool(true, span),
                };
                let less = Expr::binary_bool(Op::Or, some(a).negated(), self.before(a, b, inner, span));
                self.folder.fold(&self.types, Expr::binary_bool(Op::And, some(b), less))
            }
            Type::Bool => {
                let is = |e: &Expr, truth| equal(e.clone(), Expr::bool(truth, span), span);
                Expr::binary_bool(Op::And, is(a, false), is(b, true))
            }
            Type::Record(id) => {
                let fields = self.types.record(*id).fields.iter().enumerate();
                in_parts(
                    fields
                        .map(|(index, (_, ty))| {
                            let field = |of: &Expr| part(of, &|of| ExprKind::Field(of, index), ty);
                            (field(a), field(b), ty.clone())
                        })
                        .collect(),
                )
            }
            Type::Map(key, value) => {
                let keys = self.types.values(key).into_iter();
                in_parts(
                    keys.map(|at| {
                        let at = Expr::element(at, key, span);
                        let entry =
                            |of: &Expr| part(of, &|of| ExprKind::Index(of, Box::new(at.clone())), value);
                        (entry(a), entry(b), (**value).clone())
                    })
                    .collect(),
                )
            }
            _ => Expr { span, ..Expr::binary_bool(Op::Lt, a.clone(), b.clone()) },
        }
    }
}
