//! Values of collections of limited size, as formulas over the places of their elements.
//!
//! A collection is a record of the number of its elements and of places for them ([`RecordDecl`]). The type of what is made of others
//! has a place for every element that it can have; a limit applies where it is stored. Bags and sets keep their elements in ascending
//! order, so that equal ones are equal records.
//!
//! [`RecordDecl`]: crate::model::types::RecordDecl

use super::relations::{has_integers, unknown_parts};
use super::types::poisoned;
use super::{Checker, Typed, poison};
use crate::model::expr::{Expr, ExprKind, Op};
use crate::model::types::{Collection, CollectionKind, RecordId, Type};
use crate::model::value::Value;
use kit::diagnostics::{Diagnostic, Span};
use kit::number::{to_i64, to_u32};
use std::sync::Arc;

/// The most elements of an intermediate result.
const MOST: usize = 256;

#[derive(Debug, Clone)]
pub(super) struct CollectionType {
    pub id: RecordId,
    pub of: Collection,
}

impl CollectionType {
    fn ty(&self) -> Type {
        Type::Record(self.id)
    }

    /// The number of elements.
    pub fn size(&self, of: &Expr, span: Span) -> Expr {
        let ty = Type::Int { lo: 0, hi: to_i64(self.of.most) };
        self.part(of, 0, ty, span)
    }

    /// The element at an index from 0, `none` beyond the last one.
    pub fn at(&self, of: &Expr, index: usize, span: Span) -> Expr {
        let ty = self.of.element.clone().optional();
        if index >= self.of.most {
            return Expr::constant(Value::None, ty, span);
        }
        self.part(of, index + 1, ty, span)
    }

    fn part(&self, of: &Expr, index: usize, ty: Type, span: Span) -> Expr {
        match &of.kind {
            ExprKind::Const(Value::Record(_, values)) => {
                let value = values[index].clone();
                let ty = match value {
                    Value::Int(n) if index == 0 => Type::Int { lo: n, hi: n },
                    _ => ty,
                };
                Expr::constant(value, ty, span)
            }
            _ => Expr { kind: ExprKind::Field(Box::new(of.clone()), index), ty, span },
        }
    }

    /// True if there are more than `index` elements.
    pub fn reaches(&self, of: &Expr, index: usize, span: Span) -> Expr {
        let at = self.at(of, index, span);
        match at.kind {
            ExprKind::Const(value) => Expr::bool(value != Value::None, span),
            _ => Expr { kind: ExprKind::IsSome(Box::new(at)), ty: Type::Bool, span },
        }
    }

    /// A collection of this size with these elements in its places.
    pub fn made(&self, size: Expr, elements: Vec<Expr>, span: Span) -> Expr {
        let parts = std::iter::once(size).chain(elements).collect();
        Expr { kind: ExprKind::Record(parts), ty: self.ty(), span }
    }

    /// The collection without elements.
    pub fn empty(&self, span: Span) -> Expr {
        let mut values = vec![Value::None; self.of.most + 1];
        values[0] = Value::Int(0);
        Expr::constant(Value::Record(self.id, values), self.ty(), span)
    }

    /// The most elements that an expression of this type has.
    pub fn most_of(&self, of: &Expr) -> usize {
        match &of.kind {
            ExprKind::Const(Value::Record(_, values)) => match values.first() {
                Some(Value::Int(size)) => usize::try_from(*size).unwrap_or(self.of.most).min(self.of.most),
                _ => self.of.most,
            },
            _ => self.of.most,
        }
    }
}

impl Checker<'_> {
    /// The collection that a type is, options apart.
    pub(super) fn collected(&self, ty: &Type) -> Option<CollectionType> {
        match ty.inner() {
            Type::Record(id) if !poisoned(ty) => {
                let of = self.types.record(*id).collection.clone()?;
                Some(CollectionType { id: *id, of })
            }
            _ => None,
        }
    }

    /// True for a domain that is a collection of limited size.
    pub(super) fn is_collection(&self, domain: &Typed<(Expr, Type)>) -> bool {
        domain.as_ref().is_ok_and(|(set, _)| self.collected(&set.ty).is_some())
    }

    /// The range of an integer, or of the number of elements of a collection.
    pub(super) fn numbers(&self, e: &Expr) -> Option<(i64, i64)> {
        match e.ty.inner() {
            Type::Int { lo, hi } => Some((*lo, *hi)),
            _ => self.sizes(e),
        }
    }

    /// The range of the number of elements of a collection.
    pub(super) fn sizes(&self, e: &Expr) -> Option<(i64, i64)> {
        let to = self.collected(&e.ty).filter(|_| !e.ty.is_option())?;
        match &e.kind {
            ExprKind::Let { body, .. } => self.sizes(body),
            ExprKind::If(_, a, b) => {
                let ((p, q), (r, s)) = (self.sizes(a)?, self.sizes(b)?);
                Some((p.min(r), q.max(s)))
            }
            ExprKind::Record(parts) => match parts.first()?.ty {
                Type::Int { lo, hi } => Some((lo, hi)),
                _ => None,
            },
            _ => {
                let most = to_i64(to.most_of(e));
                Some((if matches!(e.kind, ExprKind::Const(_)) { most } else { 0 }, most))
            }
        }
    }

    /// Collections of so many elements of a type; reports an error if they are too many. Sets have no more than there are values.
    pub(super) fn room_for(
        &mut self,
        kind: CollectionKind,
        element: &Type,
        most: usize,
        span: Span,
    ) -> Option<CollectionType> {
        let most = match self.values_at_most(element) {
            Some(values) if kind == CollectionKind::Set => most.min(values),
            _ => most,
        }
        .max(1);
        if most > MOST {
            let message =
                format!("`{}` can have {most} elements, and no result more than {MOST}", self.text(span));
            let help =
                "give the collections in it a smaller `max`, or store a part of it in a variable first";
            self.unsilenced(|c| c.report(Diagnostic::error(span, message).with_help(help)));
            return None;
        }
        let of = Collection { kind, element: element.clone(), most };
        let id = self.types.collection(of.clone());
        self.few_parts(self.size_of(&Type::Record(id)), span).then_some(CollectionType { id, of })
    }

    /// The number of values that expressions of a type have, if it is known and not large.
    fn values_at_most(&self, ty: &Type) -> Option<usize> {
        // Records can be made with integers that are none of their types, and nothing is known of what a library requires.
        if self.loose && has_integers(&self.types, ty) || unknown_parts(&self.types, ty) {
            return None;
        }
        usize::try_from(self.types.cardinality(ty)).ok()
    }

    /// A collection with one more element: at the end of a sequence, in its place in a bag or set. The result has no more places than
    /// `limit`, if there is one, so that a collection that is too large for it has its size and some of its elements.
    pub(super) fn joined_by(&mut self, of: Expr, element: Expr, limit: Option<usize>, span: Span) -> Expr {
        let Some(from) = self.collected(&of.ty) else { return poison(span) };
        let Some(joined) = self.unify(&from.of.element, element.ty.inner()) else { return poison(span) };
        let most = (from.most_of(&of) + 1).min(limit.unwrap_or(usize::MAX));
        let Some(to) = self.room_for(from.of.kind, &joined, most, span) else { return poison(span) };
        self.work = self.work.saturating_add(to_u32(to.of.most));
        let element = self.reshaped(element, &joined);
        let made = self.deeper(span, |c| {
            c.shared(of, |c, of| c.shared(element, |c, element| c.with_place(&from, &to, of, element, span)))
        });
        made.unwrap_or_else(|| poison(span))
    }

    /// [`Self::joined_by`] for operands that cost nothing to read again, in a type with a place for the element.
    fn with_place(
        &mut self,
        from: &CollectionType,
        to: &CollectionType,
        of: Expr,
        element: Expr,
        span: Span,
    ) -> Expr {
        let old: Vec<Expr> =
            (0..to.of.most).map(|index| self.reshaped(from.at(&of, index, span), &to.of.element)).collect();
        let size = add(from.size(&of, span), 1, span);
        if to.of.kind == CollectionKind::Sequence {
            let place = |(index, old): (usize, Expr)| {
                let next = equal(from.size(&of, span), integer(to_i64(index), span), span);
                self.folded(conditional(self.folded(next), element.clone(), old, span))
            };
            return to.made(size, old.into_iter().enumerate().map(place).collect(), span);
        }
        let made = to.made(size, self.in_order(&old, &element, span), span);
        if to.of.kind == CollectionKind::Bag {
            return made;
        }
        let known = self.member(element, &of, span);
        let same = self.reshaped(of, &made.ty);
        conditional(self.folded(known), same, made, span)
    }

    /// The first places of elements in ascending order after one more has come in among them.
    fn in_order(&mut self, old: &[Expr], element: &Expr, span: Span) -> Vec<Expr> {
        let ty = element.ty.clone().optional();
        // Elements that come not after the new one stay where it is.
        let stays = |old: &Expr| {
            let after = self.before(element, old, &ty, span);
            let there = match &old.kind {
                ExprKind::Const(value) => Expr::bool(*value != Value::None, span),
                _ => Expr { kind: ExprKind::IsSome(Box::new(old.clone())), ty: Type::Bool, span },
            };
            self.both(there, after.negated())
        };
        let place = |index: usize| {
            let moved = match index {
                0 => element.clone(),
                _ => {
                    let before = &old[index - 1];
                    self.folded(conditional(stays(before), element.clone(), before.clone(), span))
                }
            };
            self.folded(conditional(stays(&old[index]), old[index].clone(), moved, span))
        };
        (0..old.len()).map(place).collect()
    }

    /// A collection without the first of the elements that equal one.
    pub(super) fn removed(&mut self, to: &CollectionType, of: Expr, element: Expr, span: Span) -> Expr {
        let element = self.reshaped(element, &to.of.element);
        self.shared(of, |c, of| {
            c.shared(element, |c, element| {
                let is = |index: usize| equal(to.at(&of, index, span), element.clone(), span);
                let mut reached = Expr::bool(false, span);
                let mut elements = Vec::new();
                for index in 0..to.of.most {
                    reached = c.folded(Expr::binary_bool(Op::Or, reached, is(index)));
                    let next = to.at(&of, index + 1, span);
                    elements.push(conditional(reached.clone(), next, to.at(&of, index, span), span));
                }
                let known = c.contains(to, &of, &element, span);
                let size = add(to.size(&of, span), -1, span);
                conditional(known, to.made(size, elements, span), of, span)
            })
        })
    }

    /// The elements of a collection for which something holds, in the same order.
    pub(super) fn kept(
        &mut self,
        to: &CollectionType,
        of: Expr,
        span: Span,
        mut keeps: impl FnMut(&mut Self, Expr) -> Expr,
    ) -> Expr {
        self.shared(of, |c, of| {
            let most = to.of.most;
            let mut names = Vec::new();
            // For each element, whether it is kept, and how many of those before it are.
            let mut before = integer(0, span);
            let mut kept: Vec<(Expr, Expr)> = Vec::new();
            for index in 0..most {
                let element = c.element_present(to, &of, index, span);
                let keep = keeps(c, element);
                if poisoned(&keep.ty) {
                    return keep;
                }
                let keep = c.both(to.reaches(&of, index, span), keep);
                let keep = c.named(keep, &mut names);
                let one = c.folded(conditional(keep.clone(), integer(1, span), integer(0, span), span));
                let after = if index == 0 { one } else { sum(before.clone(), one, span) };
                let after = c.named(c.folded(after), &mut names);
                kept.push((keep, std::mem::replace(&mut before, after)));
            }
            let place = |goal: usize| {
                let none = Expr::constant(Value::None, to.of.element.clone().optional(), span);
                (goal..most).rev().fold(none, |rest, index| {
                    let (keep, before) = &kept[index];
                    let here = c.folded(equal(before.clone(), integer(to_i64(goal), span), span));
                    let here = c.both(keep.clone(), here);
                    c.folded(conditional(here, to.at(&of, index, span), rest, span))
                })
            };
            let elements = (0..most).map(place).collect();
            Expr::with_names(&names, to.made(before, elements, span))
        })
    }

    /// The element at an index as if there were one; any value where there is none.
    pub(super) fn element_present(&self, to: &CollectionType, of: &Expr, index: usize, span: Span) -> Expr {
        self.as_if_present(to.at(of, index, span), &to.of.element)
    }

    /// True if a collection contains an element, which may be absent.
    pub(super) fn contains(&self, to: &CollectionType, of: &Expr, element: &Expr, span: Span) -> Expr {
        let is = |index| equal(to.at(of, index, span), element.clone(), span);
        let any = (0..to.most_of(of)).map(is).reduce(|a, b| Expr::binary_bool(Op::Or, a, b));
        let any = any.unwrap_or_else(|| Expr::bool(false, span));
        if !element.ty.is_option() {
            return any;
        }
        let some = Expr { kind: ExprKind::IsSome(Box::new(element.clone())), ty: Type::Bool, span };
        Expr::binary_bool(Op::And, some, any)
    }
}

pub(super) fn integer(n: i64, span: Span) -> Expr {
    Expr::constant(Value::Int(n), Type::Int { lo: n, hi: n }, span)
}

pub(super) fn equal(a: Expr, b: Expr, span: Span) -> Expr {
    Expr { span, ..Expr::binary_bool(Op::Eq, a, b) }
}

/// The sum of two integers that are not large.
pub(super) fn sum(a: Expr, b: Expr, span: Span) -> Expr {
    let ty = match (&a.ty, &b.ty) {
        (Type::Int { lo: p, hi: q }, Type::Int { lo: r, hi: s }) => Type::Int { lo: p + r, hi: q + s },
        _ => unreachable!("both are integers"),
    };
    Expr { kind: ExprKind::Binary(Op::Add, Box::new(a), Box::new(b)), ty, span }
}

/// An integer and a constant added.
pub(super) fn add(a: Expr, n: i64, span: Span) -> Expr {
    sum(a, integer(n, span), span)
}

/// One of two values of one type, up to ranges of integers and `none`.
pub(super) fn conditional(cond: Expr, a: Expr, b: Expr, span: Span) -> Expr {
    if let ExprKind::Const(Value::Bool(holds)) = cond.kind {
        return if holds { a } else { b };
    }
    let ty = hull(&a.ty, &b.ty);
    Expr { kind: ExprKind::If(Box::new(cond), Box::new(a), Box::new(b)), ty, span }
}

/// The type of the values of two types that differ in ranges of integers and `none` only.
fn hull(a: &Type, b: &Type) -> Type {
    match (a, b) {
        (Type::Int { lo: p, hi: q }, Type::Int { lo: r, hi: s }) => {
            Type::Int { lo: *p.min(r), hi: *q.max(s) }
        }
        (Type::Option(_), _) | (_, Type::Option(_)) => hull(a.inner(), b.inner()).optional(),
        (Type::Set(a), Type::Set(b)) => Type::Set(Arc::new(hull(a, b))),
        (Type::Map(key, a), Type::Map(_, b)) => Type::Map(key.clone(), Arc::new(hull(a, b))),
        (Type::Abstract(_), other) | (other, _) => other.clone(),
    }
}

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
                self.folded(Expr::binary_bool(Op::And, some(b), less))
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
