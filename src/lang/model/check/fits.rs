//! Formulas that a value is of the type of its place: integers may lie outside of it.

use super::Checker;
use super::relations::within;
use crate::model::expr::{Expr, ExprKind, Op, Quantifier};
use crate::model::types::Type;
use crate::model::value::Value;

impl Checker<'_> {
    /// The formula that the value of an expression is one of this type, to which it can be assigned.
    pub(super) fn fits(&mut self, e: &Expr, ty: &Type) -> Expr {
        let yes = Expr::bool(true, e.span);
        if within(&self.types, &e.ty, ty, of_the_state(e)) {
            return yes;
        }
        match (&e.kind, ty.inner()) {
            (ExprKind::Const(value), _) => Expr::bool(self.types.contains(ty, value), e.span),
            (ExprKind::Record(parts), Type::Record(id)) => {
                let decl = self.types.record(*id);
                let (collection, fields) = (decl.collection.is_some(), decl.fields.clone());
                parts.iter().zip(&fields).enumerate().fold(yes, |all, (index, (part, (_, ty)))| {
                    // A collection with fewer places than elements has a size beyond its type.
                    let fits = match collection && index == 0 && !of_the_state(part) {
                        true => self.looked_into(part, ty),
                        false => self.fits(part, ty),
                    };
                    self.both(all, fits)
                })
            }
            (ExprKind::With(base, changes), Type::Record(id)) => {
                let fields = self.types.record(*id).fields.clone();
                let parts = changes.iter().fold(yes, |all, (index, change)| {
                    let fits = self.fits(change, &fields[*index].1);
                    self.both(all, fits)
                });
                // Where there is no record, nothing is replaced in it.
                let parts = self.where_present(base, parts);
                let whole = self.fits(base, ty);
                self.both(whole, parts)
            }
            (ExprKind::If(cond, a, b), _) => {
                let (a, b) = (self.fits(a, ty), self.fits(b, ty));
                let (first, second) =
                    (self.implied(cond.as_ref(), a), self.implied(&cond.clone().negated(), b));
                self.both(first, second)
            }
            (ExprKind::Let { bindings, body }, _) => {
                let fits = self.fits(body, ty);
                self.folded(Expr::with_names(bindings, fits))
            }
            _ => self.looked_into(e, ty),
        }
    }

    /// [`Self::fits`] by the parts of the value, whatever the expression.
    fn looked_into(&mut self, e: &Expr, ty: &Type) -> Expr {
        let span = e.span;
        match ty {
            Type::Int { lo, hi } => {
                let number = |n: i64| Expr::element(Value::Int(n), ty, span);
                let above = self.folded(Expr::binary_bool(Op::Le, number(*lo), e.clone()));
                let below = self.folded(Expr::binary_bool(Op::Le, e.clone(), number(*hi)));
                self.both(above, below)
            }
            Type::Option(inner) => {
                let fits = self.looked_into(e, inner);
                self.where_present(e, fits)
            }
            Type::Set(element) => self.over_members(Quantifier::Forall, e.clone(), element, |c, member| {
                c.looked_into(member, element)
            }),
            Type::Record(id) => {
                let fields = self.types.record(*id).fields.clone();
                let mut all = Expr::bool(true, span);
                for (index, (_, ty)) in fields.into_iter().enumerate() {
                    let kind = ExprKind::Field(Box::new(e.clone()), index);
                    let fits = self.looked_into(&Expr { kind, ty: ty.clone(), span }, &ty);
                    all = self.both(all, fits);
                }
                all
            }
            Type::Map(key, value) => {
                let keys = self.all_values(key, span);
                self.over_members(Quantifier::Forall, keys, key, |c, key| {
                    let kind = ExprKind::Index(Box::new(e.clone()), Box::new(key.clone()));
                    c.looked_into(&Expr { kind, ty: value.as_ref().clone(), span }, value)
                })
            }
            Type::Bool | Type::Enum(_) | Type::Pos | Type::Abstract(_) => Expr::bool(true, span),
        }
    }

    fn where_present(&mut self, e: &Expr, formula: Expr) -> Expr {
        if !e.ty.is_option() {
            return formula;
        }
        let present = Expr { kind: ExprKind::IsSome(Box::new(e.clone())), ty: Type::Bool, span: e.span };
        self.implied(&present, formula)
    }

    pub(super) fn both(&self, a: Expr, b: Expr) -> Expr {
        self.folded(Expr::binary_bool(Op::And, a, b))
    }

    pub(super) fn implied(&self, cond: &Expr, then: Expr) -> Expr {
        let otherwise = self.negation(cond.clone());
        self.folded(Expr::binary_bool(Op::Or, otherwise, then))
    }

    pub(super) fn folded(&self, expr: Expr) -> Expr {
        self.folder.fold(&self.types, expr)
    }
}

/// True if an expression reads the state, a label or a part of one, whose value is of its type.
fn of_the_state(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Var(_) | ExprKind::Next(_) | ExprKind::LabelArg { .. } => true,
        ExprKind::Field(base, _)
        | ExprKind::Index(base, _)
        | ExprKind::Previous(base)
        | ExprKind::At { value: base, .. } => of_the_state(base),
        _ => false,
    }
}
