//! Elements of collections of limited size: quantifiers and filters over them, and operations on sets.

use super::collected::{CollectionType, conditional};
use super::types::poisoned;
use super::{Checker, ExprScope, NameBinding, Reported, Typed, or_poison, poison};
use crate::model::expr::{Expr, ExprKind, Op, Quantifier};
use crate::model::types::{CollectionKind, Type};
use crate::model::value::Value;
use crate::syntax::ast::{AstExpr, Ident};
use kit::diagnostics::{Diagnostic, Span};
use std::sync::Arc;

/// The result for one element of a collection.
pub(super) struct OfElement {
    /// True if there is this element.
    pub there: Expr,
    pub value: Expr,
    /// The result for the elements before it; `None` for the first one.
    pub before: Option<Expr>,
}

impl<'a> Checker<'a> {
    /// `forall x in c: e`, `exists x in c: e`
    pub(super) fn quantified_over(
        &mut self,
        scope: &mut ExprScope,
        quantifier: Quantifier,
        vars: &'a [Ident],
        of: Expr,
        body: &'a AstExpr,
        span: Span,
    ) -> Typed {
        let (op, between) = match quantifier {
            Quantifier::Forall => (Op::Or, Op::And),
            Quantifier::Exists => (Op::And, Op::Or),
        };
        self.over_elements(scope, vars, of, &mut |c, s| c.bool(s, body), &|c, element| {
            let there = match quantifier {
                Quantifier::Forall => element.there.negated(),
                Quantifier::Exists => element.there,
            };
            let one = c.folded(Expr::binary_bool(op, there, element.value));
            Ok(match element.before {
                Some(before) => Expr { span, ..Expr::binary_bool(between, before, one) },
                None => one,
            })
        })
    }

    /// Joins something that is made of each element of a collection, of a bag once for each copy; several names stand for any
    /// elements of it, one inside another. `make` is asked with the names bound.
    pub(super) fn over_elements(
        &mut self,
        scope: &mut ExprScope,
        vars: &'a [Ident],
        of: Expr,
        make: &mut dyn FnMut(&mut Self, &mut ExprScope) -> Typed,
        join: &dyn Fn(&mut Self, OfElement) -> Typed,
    ) -> Typed {
        let mut lets = Vec::new();
        let of = self.named(of, &mut lets);
        let joined = self.inside_elements(scope, vars, &of, make, join)?;
        Ok(Expr::with_names(&lets, joined))
    }

    fn inside_elements(
        &mut self,
        scope: &mut ExprScope,
        vars: &'a [Ident],
        of: &Expr,
        make: &mut dyn FnMut(&mut Self, &mut ExprScope) -> Typed,
        join: &dyn Fn(&mut Self, OfElement) -> Typed,
    ) -> Typed {
        let Some((var, others)) = vars.split_first() else { return make(self, scope) };
        let to = self.collected(&of.ty).ok_or(Reported)?;
        let mut all: Option<Expr> = None;
        for index in 0..to.of.most {
            let element = self.element_present(&to, of, index, of.span);
            let value = self.bound_to(scope, var, NameBinding::Alias(element), |c, s| {
                c.inside_elements(s, others, of, make, join)
            })?;
            let there = to.reaches(of, index, of.span);
            all = Some(join(self, OfElement { there, value, before: all })?);
        }
        all.ok_or(Reported)
    }

    /// `{ x in c : e }`
    pub(super) fn filtered(
        &mut self,
        scope: &mut ExprScope,
        var: &'a Ident,
        of: Expr,
        cond: &'a AstExpr,
        span: Span,
    ) -> Typed {
        let to = self.collected(&of.ty).ok_or(Reported)?;
        let kept = self.kept(&to, of, span, |c, element| {
            let cond = c.bound_to(scope, var, NameBinding::Alias(element), |c, s| c.bool(s, cond));
            or_poison(cond, span)
        });
        if poisoned(&kept.ty) { Err(Reported) } else { Ok(kept) }
    }

    /// `union`, `intersect`, `minus` and `subset` where one side is a set of limited size. A union has no more places than `limit`, if
    /// there is one.
    pub(super) fn collected_operation(
        &mut self,
        op: Op,
        (left, right): (Expr, Expr),
        written: (&'a AstExpr, &'a AstExpr),
        limit: Option<usize>,
        span: Span,
    ) -> Expr {
        if [(&left, written.0), (&right, written.1)].iter().any(|(side, written)| !self.is_set(side, written))
        {
            return poison(span);
        }
        let (of_left, of_right) = (self.collected(&left.ty), self.collected(&right.ty));
        match (op, of_left, of_right) {
            (Op::Subset, Some(to), _) => self.shared(left, |c, left| {
                c.shared(right, |c, right| {
                    let all = (0..to.of.most).map(|index| {
                        let inside = c.member(c.element_present(&to, &left, index, span), &right, span);
                        Expr::binary_bool(Op::Or, to.reaches(&left, index, span).negated(), inside)
                    });
                    Expr::all(all.collect(), span)
                })
            }),
            (Op::Intersect, Some(to), Some(from)) if from.of.most < to.of.most => {
                self.kept_members(op, &from, (right, left), span)
            }
            (Op::Minus | Op::Intersect, Some(to), _) => self.kept_members(op, &to, (left, right), span),
            (Op::Union, Some(to), Some(from)) => match to.most_of(&left) < from.most_of(&right) {
                true => self.with_elements(right, &to, left, limit, span),
                false => self.with_elements(left, &from, right, limit, span),
            },
            (Op::Union, Some(_), None) => self.with_members(left, right, limit, span),
            (Op::Union, None, Some(_)) => self.with_members(right, left, limit, span),
            (Op::Intersect, None, Some(to)) => self.kept_members(op, &to, (right, left), span),
            (op, None, Some(_)) => {
                let Type::Set(element) = left.ty.clone() else { return poison(span) };
                self.shared(right, |c, right| {
                    if op == Op::Subset {
                        return c.over_members(Quantifier::Forall, left, &element, |c, member| {
                            c.member(member.clone(), &right, span)
                        });
                    }
                    let local = c.fresh();
                    let member = Expr { kind: ExprKind::Local(local), ty: (*element).clone(), span };
                    let cond = Box::new(c.member(member, &right, span).negated());
                    let ty = left.ty.clone();
                    Expr { kind: ExprKind::Filter { local, set: Box::new(left), cond }, ty, span }
                })
            }
            _ => poison(span),
        }
    }

    /// True if an operand is a set of any kind; reports an error if it is another collection or may be `none`.
    fn is_set(&mut self, side: &Expr, written: &AstExpr) -> bool {
        match self.collected(&side.ty) {
            Some(to) if to.of.kind != CollectionKind::Set => {
                let message = format!("a {} is not a set", to.of.kind.word());
                let help = match to.of.kind {
                    CollectionKind::Sequence => "write `append(q, e)`, `rest(q)`, `remove(q, e)`",
                    _ => "write `insert(b, e)`, `remove(b, e)`",
                };
                self.report(Diagnostic::error(written.span, message).with_help(help));
                false
            }
            Some(_) => self.certain(side, written).is_ok(),
            None => true,
        }
    }

    /// The elements of a set of limited size that another set has, or has not.
    fn kept_members(&mut self, op: Op, to: &CollectionType, (of, others): (Expr, Expr), span: Span) -> Expr {
        self.shared(others, |c, others| {
            c.kept(to, of, span, |c, element| {
                let inside = c.member(element, &others, span);
                if op == Op::Minus { inside.negated() } else { inside }
            })
        })
    }

    /// A set of limited size with the elements of another one.
    fn with_elements(
        &mut self,
        of: Expr,
        from: &CollectionType,
        more: Expr,
        limit: Option<usize>,
        span: Span,
    ) -> Expr {
        if !self.has_room(&of, &from.of.element, from.most_of(&more), limit, span) {
            return poison(span);
        }
        self.shared(more, |c, more| {
            (0..from.most_of(&more)).fold(of, |all, index| {
                let element = c.element_present(from, &more, index, span);
                let there = from.reaches(&more, index, span);
                c.joined_where(there, all, element, limit, span)
            })
        })
    }

    /// True if a set with so many more elements of a type is not too large; reports an error if it is.
    fn has_room(&mut self, of: &Expr, more: &Type, count: usize, limit: Option<usize>, span: Span) -> bool {
        let Some(from) = self.collected(&of.ty) else { return false };
        let Some(joined) = self.unify(&from.of.element, more) else { return false };
        let most = (from.most_of(of) + count).min(limit.unwrap_or(usize::MAX));
        self.room_for(from.of.kind, &joined, most, span).is_some()
    }

    /// A set of limited size with one more element, if a condition holds.
    fn joined_where(
        &mut self,
        there: Expr,
        all: Expr,
        element: Expr,
        limit: Option<usize>,
        span: Span,
    ) -> Expr {
        self.shared(all, |c, all| {
            let more = c.joined_by(all.clone(), element, limit, span);
            let all = c.reshaped(all, &more.ty);
            conditional(there, more, all, span)
        })
    }

    /// True if a value is in a set of any kind.
    pub(super) fn member(&mut self, element: Expr, set: &Expr, span: Span) -> Expr {
        match (self.collected(&set.ty), &set.ty) {
            (Some(to), _) => {
                let element = self.reshaped(element, &to.of.element);
                self.shared(element, |c, element| c.contains(&to, set, &element, span))
            }
            (None, Type::Set(of)) => {
                let element = self.reshaped(element, of);
                Expr { span, ..Expr::binary_bool(Op::In, element, set.clone()) }
            }
            _ => poison(span),
        }
    }

    /// A set of limited size with the members of a plain one.
    fn with_members(&mut self, of: Expr, more: Expr, limit: Option<usize>, span: Span) -> Expr {
        let element = match &more.ty {
            Type::Set(element) => (**element).clone(),
            _ => return poison(span),
        };
        let members: Vec<(Expr, Option<Expr>)> = match &more.kind {
            ExprKind::SetLiteral(elements) => elements
                .iter()
                .map(|e| {
                    let some = || Expr { kind: ExprKind::IsSome(Box::new(e.clone())), ty: Type::Bool, span };
                    let there = e.ty.is_option().then(some);
                    (self.as_if_present(e.clone(), e.ty.inner()), there)
                })
                .collect(),
            ExprKind::Const(Value::Set(values)) => {
                let constant = |value: &Value| Expr::element(value.clone(), &element, span);
                values.iter().map(|value| (constant(value), None)).collect()
            }
            ExprKind::Var(_) | ExprKind::Local(_) => {
                let member = |value| {
                    let value = Expr::element(value, &element, span);
                    let inside = Expr::binary_bool(Op::In, value.clone(), more.clone());
                    (value, Some(inside))
                };
                self.types.values(&element).into_iter().map(member).collect()
            }
            _ => {
                let local = self.fresh();
                let name = Expr { kind: ExprKind::Local(local), ty: more.ty.clone(), span };
                let joined = self.with_members(of, name, limit, span);
                return Expr::with_names(&[(local, more)], joined);
            }
        };
        if !self.has_room(&of, &element, members.len(), limit, span) {
            return poison(span);
        }
        members.into_iter().fold(of, |all, (member, there)| match there {
            None => self.joined_by(all, member, limit, span),
            Some(there) => self.joined_where(there, all, member, limit, span),
        })
    }

    /// The elements of a collection as a plain set; reports an error if there can be too many.
    pub(super) fn as_plain_set(&mut self, of: Expr, written: &'a AstExpr) -> Typed {
        let to = self.certain(&of, written)?;
        if to.of.kind != CollectionKind::Set {
            let text = self.text(written.span);
            let message = format!("`{text}` is a {}, not a set", to.of.kind.word());
            let help =
                format!("its elements are `{text}[0]`, `{text}[1]`, …; quantifiers and sums range over them");
            return self.wrong(Diagnostic::error(written.span, message).with_help(help));
        }
        self.few_values(&to.of.element, written.span, "the elements of a set")?;
        let span = of.span;
        let ty = Type::Set(Arc::new(to.of.element.clone()));
        Ok(self.shared(of, |_, of| {
            let elements = (0..to.of.most).map(|index| to.at(&of, index, span)).collect();
            Expr { kind: ExprKind::SetLiteral(elements), ty, span }
        }))
    }
}
