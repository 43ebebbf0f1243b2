//! Sums, numbers of members, and least and greatest values: `sum x in S: e`, `min(a, b)`.

use super::collected::{conditional, integer};
use super::collected_sets::OfElement;
use super::relations::compatible;
use super::types::{LIMIT, OPEN_FROM, POISON, coerce};
use super::{Checker, ExprScope, Reported, Typed, both};
use crate::model::expr::{Expr, ExprKind, Fold, Op};
use crate::model::types::Type;
use crate::model::value::Value;
use crate::syntax::ast::{Aggregate, AstExpr, Ident};
use kit::diagnostics::{Diagnostic, Span};

impl<'a> Checker<'a> {
    /// `sum x, y in S: e` and the like, one name inside another.
    pub(super) fn aggregate(
        &mut self,
        scope: &mut ExprScope,
        aggregate: Aggregate,
        vars: &'a [Ident],
        domain: &'a AstExpr,
        body: &'a AstExpr,
        span: Span,
    ) -> Typed {
        let domain = self.collection(scope, domain);
        if self.is_collection(&domain) {
            return self.aggregated_elements(scope, aggregate, vars, domain?.0, body, span);
        }
        let (locals, typed) =
            self.all_bound(scope, vars, &domain, |c, scope| c.summand(scope, aggregate, body));
        let ((set, element), mut result) = both(domain, typed)?;
        let fold = match aggregate {
            Aggregate::Sum | Aggregate::Count => Fold::Sum,
            Aggregate::Min => Fold::Least,
            Aggregate::Max => Fold::Greatest,
        };
        for local in locals.into_iter().rev() {
            let Some(ty) = self.fold_type(fold, &set, &element, &result.ty) else {
                return self.overflow(&[(&result, body)], span);
            };
            let kind = ExprKind::Fold { fold, local, set: Box::new(set.clone()), body: Box::new(result) };
            result = Expr { kind, ty, span };
            // A type that a library requires has no values yet.
            if !is_required(&element) {
                result = self.folded(result);
            }
        }
        Ok(result)
    }

    /// [`Self::aggregate`] over the elements of a collection.
    fn aggregated_elements(
        &mut self,
        scope: &mut ExprScope,
        aggregate: Aggregate,
        vars: &'a [Ident],
        of: Expr,
        body: &'a AstExpr,
        span: Span,
    ) -> Typed {
        let join = |c: &mut Self, OfElement { there, value, before }: OfElement| {
            let absent = match aggregate {
                Aggregate::Sum | Aggregate::Count => integer(0, span),
                Aggregate::Min | Aggregate::Max => {
                    Expr::constant(Value::None, value.ty.clone().optional(), span)
                }
            };
            let one = c.folded(conditional(there, value, absent, span));
            let Some(before) = before else { return Ok(one) };
            match aggregate {
                Aggregate::Min => Ok(c.extreme_of_two(before, one, false, span)),
                Aggregate::Max => Ok(c.extreme_of_two(before, one, true, span)),
                Aggregate::Sum | Aggregate::Count => match c.added(before, one, span) {
                    Some(sum) => Ok(sum),
                    None => c.overflow(&[], span),
                },
            }
        };
        let result = self.over_elements(scope, vars, of, &mut |c, s| c.summand(s, aggregate, body), &join)?;
        Ok(Expr { span, ..result })
    }

    /// The sum of two integers that may be absent; `None` if it may exceed 64 bits.
    fn added(&self, a: Expr, b: Expr, span: Span) -> Option<Expr> {
        let (Type::Int { lo: p, hi: q }, Type::Int { lo: r, hi: s }) = (a.ty.inner(), b.ty.inner()) else {
            return None;
        };
        let ty = Type::Int { lo: p.checked_add(*r)?, hi: q.checked_add(*s)? };
        let ty = if a.ty.is_option() || b.ty.is_option() { ty.optional() } else { ty };
        let kind = ExprKind::Binary(Op::Add, Box::new(a), Box::new(b));
        Some(self.folded(Expr { kind, ty, span }))
    }

    /// The value for one member: for `count`, 1 where the condition holds and 0 elsewhere.
    fn summand(&mut self, scope: &mut ExprScope, aggregate: Aggregate, body: &'a AstExpr) -> Typed {
        match aggregate {
            Aggregate::Sum => self.int(scope, body),
            Aggregate::Count => {
                let cond = self.bool(scope, body)?;
                let span = cond.span;
                let number = |n| Box::new(Expr::element(Value::Int(n), &POISON, span));
                let kind = ExprKind::If(Box::new(cond), number(1), number(0));
                Ok(self.folded(Expr { kind, ty: Type::Int { lo: 0, hi: 1 }, span }))
            }
            Aggregate::Min | Aggregate::Max => {
                let typed = self.expr(scope, body)?;
                self.as_ordered(scope, typed, body)
            }
        }
    }

    /// Checks that an expression is an integer or a value of an enumeration, or an option of one.
    fn as_ordered(&mut self, scope: &ExprScope, typed: Expr, written: &'a AstExpr) -> Typed {
        if matches!(typed.ty.inner(), Type::Enum(_)) { Ok(typed) } else { self.as_int(scope, typed, written) }
    }

    /// The type of a fold over a set of values of type `of`; `None` if it exceeds 64 bits.
    fn fold_type(&self, fold: Fold, set: &Expr, element: &Type, of: &Type) -> Option<Type> {
        let required = is_required(element);
        let known = self.members_of(set).map(|members| if required { LIMIT } else { members.len() as u64 });
        let ty = match (fold, of.inner()) {
            (Fold::Sum, Type::Int { lo, hi }) => {
                let cardinality = if required { LIMIT } else { self.types.cardinality(element) };
                let most = i64::try_from(known.unwrap_or(cardinality)).ok()?;
                // Members that are certain add something, the others may add nothing.
                let least = if known.is_some() { *lo } else { *lo.min(&0) };
                let greatest = if known.is_some() { *hi } else { *hi.max(&0) };
                Type::Int { lo: least.checked_mul(most)?, hi: greatest.checked_mul(most)? }
            }
            (_, of) => of.clone(),
        };
        let certain = fold == Fold::Sum || known.is_some_and(|n| n > 0);
        Some(if of.is_option() || !certain { ty.optional() } else { ty })
    }

    /// `min(a, b, …)` and `max(a, b, …)`: the least or greatest of those that are present.
    pub(super) fn extreme_of(
        &mut self,
        scope: &mut ExprScope,
        greatest: bool,
        args: &'a [AstExpr],
        span: Span,
    ) -> Typed {
        let mut result: Option<Expr> = None;
        for arg in args {
            let typed = self.expr(scope, arg)?;
            let typed = self.as_ordered(scope, typed, arg)?;
            result = Some(match result {
                None => typed,
                Some(before) => {
                    if !compatible(&self.types, before.ty.inner(), typed.ty.inner()) {
                        let (x, y) = (self.show(&before.ty), self.described(&typed, arg));
                        let error = Diagnostic::error(arg.span, format!("cannot compare {x} with {y}"));
                        return self.wrong(error);
                    }
                    self.extreme_of_two(before, typed, greatest, span)
                }
            });
        }
        result.ok_or(Reported)
    }

    /// `if a <= b then a else b otherwise a`, each operand written once.
    fn extreme_of_two(&mut self, a: Expr, b: Expr, greatest: bool, span: Span) -> Expr {
        let ty = extreme_type(&a.ty, &b.ty, greatest);
        let (a, b) = (coerce(a, &ty), coerce(b, &ty));
        let mut lets = Vec::new();
        let (a, b) = (self.named(a, &mut lets), self.named(b, &mut lets));
        let (less, more) = if greatest { (b.clone(), a.clone()) } else { (a.clone(), b.clone()) };
        let cond = self.folded(Expr::binary_bool(Op::Le, less, more));
        let other = match b.ty.is_option() {
            false => b,
            true => {
                let ty = ty.clone();
                Expr { kind: ExprKind::Binary(Op::Otherwise, Box::new(b), Box::new(a.clone())), ty, span }
            }
        };
        let kind = ExprKind::If(Box::new(cond), Box::new(a), Box::new(other));
        let chosen = self.folded(Expr { kind, ty, span });
        self.folded(Expr::with_names(&lets, chosen))
    }
}

/// True if a type is one that the library being checked requires, of which nothing is known.
fn is_required(ty: &Type) -> bool {
    matches!(ty, Type::Abstract(n) if *n < OPEN_FROM)
}

/// The type of the least or greatest of two values: an operand that may be absent may leave the choice to the other one.
fn extreme_type(a: &Type, b: &Type, greatest: bool) -> Type {
    let (Type::Int { lo: p, hi: q }, Type::Int { lo: r, hi: s }) = (a.inner(), b.inner()) else {
        let both = a.is_option() && b.is_option();
        return if both { a.clone() } else { a.inner().clone() };
    };
    let (mut lo, mut hi) = (*p.min(r), *q.max(s));
    // An operand that is always there bounds the result on one side.
    for (ty, (least, most)) in [(a, (p, q)), (b, (r, s))] {
        if !ty.is_option() && greatest {
            lo = lo.max(*least);
        } else if !ty.is_option() {
            hi = hi.min(*most);
        }
    }
    let ty = Type::Int { lo, hi };
    if a.is_option() && b.is_option() { ty.optional() } else { ty }
}
