//! Values of collections of limited size, as formulas over the places of their elements.
//!
//! A collection is a record of the number of its elements and of places for them ([`RecordDecl`]). What has more than n
//! elements is [`Collected::overflow`], a value of no type: a step that assigns it does not exist, as one that assigns an
//! integer out of its range. Bags and sets keep their elements in ascending order, so that equal ones are equal records.
//!
//! [`RecordDecl`]: crate::model::types::RecordDecl

use super::Checker;
use super::rewrite::of_the_state;
use super::types::{poisoned, unify};
use crate::diagnostics::Span;
use crate::model::expr::{Expr, ExprKind, Op};
use crate::model::types::{Collection, CollectionKind, RecordId, Type};
use crate::model::value::Value;

/// A type of collections.
#[derive(Debug, Clone)]
pub(super) struct Collected {
    pub id: RecordId,
    pub of: Collection,
}

impl Collected {
    fn ty(&self) -> Type {
        Type::Record(self.id)
    }

    /// The number of elements. What was made of others can be too large, what is in the state is not.
    pub fn size(&self, of: &Expr, span: Span) -> Expr {
        let made = !of_the_state(of);
        let ty = Type::Int { lo: 0, hi: self.of.most as i64 + i64::from(made) };
        Expr { kind: ExprKind::Field(Box::new(of.clone()), 0), ty, span }
    }

    /// The element at an index from 0, `none` beyond the last one.
    pub fn at(&self, of: &Expr, index: usize, span: Span) -> Expr {
        let ty = self.of.element.clone().optional();
        if index >= self.of.most {
            return Expr::constant(Value::None, ty, span);
        }
        Expr { kind: ExprKind::Field(Box::new(of.clone()), index + 1), ty, span }
    }

    /// Whether there are more than `index` elements.
    pub fn reaches(&self, of: &Expr, index: usize, span: Span) -> Expr {
        Expr { kind: ExprKind::IsSome(Box::new(self.at(of, index, span))), ty: Type::Bool, span }
    }

    /// A collection of this size with these elements in its places.
    pub fn made(&self, size: Expr, elements: Vec<Expr>, span: Span) -> Expr {
        let parts = std::iter::once(size).chain(elements).collect();
        Expr { kind: ExprKind::Record(parts), ty: self.ty(), span }
    }

    /// The collection without elements.
    pub fn empty(&self, span: Span) -> Expr {
        self.constant(0, span)
    }

    /// What stands for all collections that are too large.
    pub fn overflow(&self, span: Span) -> Expr {
        self.constant(self.of.most + 1, span)
    }

    fn constant(&self, size: usize, span: Span) -> Expr {
        let mut values = vec![Value::None; self.of.most + 1];
        values[0] = Value::Int(size as i64);
        Expr::constant(Value::Record(self.id, values), self.ty(), span)
    }

    /// A collection that is made of one that is not full; a full one gets too large.
    fn grown(&self, of: &Expr, elements: Vec<Expr>, span: Span) -> Expr {
        let size = add(self.size(of, span), 1, span);
        let full = less(integer(self.of.most as i64 - 1, span), self.size(of, span), span);
        conditional(full, self.overflow(span), self.made(size, elements, span), span)
    }

    /// A collection with the same size where it is too large, and otherwise something else.
    pub fn unless_overflow(&self, of: &Expr, result: Expr, span: Span) -> Expr {
        let over = less(integer(self.of.most as i64, span), self.size(of, span), span);
        conditional(over, self.overflow(span), result, span)
    }
}

impl Checker<'_> {
    /// The collection that a type is, options apart.
    pub(super) fn collected(&self, ty: &Type) -> Option<Collected> {
        match ty.inner() {
            Type::Record(id) if !poisoned(ty) => {
                let of = self.types.record(*id).collection.clone()?;
                Some(Collected { id: *id, of })
            }
            _ => None,
        }
    }

    /// A collection with one more element: at the end of a sequence, in its place in a bag or set.
    pub(super) fn joined_by(&mut self, to: &Collected, of: Expr, element: Expr, span: Span) -> Expr {
        match to.of.kind {
            CollectionKind::Sequence => self.shared(of, |c, of| {
                c.shared(element, |_, element| {
                    let place = |index| {
                        let next = equal(to.size(&of, span), integer(index as i64, span), span);
                        conditional(next, element.clone(), to.at(&of, index, span), span)
                    };
                    to.grown(&of, (0..to.of.most).map(place).collect(), span)
                })
            }),
            CollectionKind::Bag | CollectionKind::Set => self.inserted(to, of, element, span),
        }
    }

    /// A bag or set with one more element.
    pub(super) fn inserted(&mut self, to: &Collected, of: Expr, element: Expr, span: Span) -> Expr {
        self.shared(of, |c, of| {
            c.shared(element, |c, element| {
                // What comes not after the new element stays where it is.
                let stays = |c: &Self, index: usize| {
                    let old = to.at(&of, index, span);
                    let after = c.before(&element, &old, &to.of.element.clone().optional(), span);
                    let there = to.reaches(&of, index, span);
                    Expr::binary_bool(Op::And, there, after.negated())
                };
                let place = |index: usize| {
                    let moved = match index {
                        0 => element.clone(),
                        _ => conditional(
                            stays(c, index - 1),
                            element.clone(),
                            to.at(&of, index - 1, span),
                            span,
                        ),
                    };
                    conditional(stays(c, index), to.at(&of, index, span), moved, span)
                };
                let grown = to.grown(&of, (0..to.of.most).map(place).collect(), span);
                match to.of.kind {
                    CollectionKind::Set => {
                        let known = c.contains(to, &of, &element, span);
                        let same = to.unless_overflow(&of, of.clone(), span);
                        conditional(known, same, grown, span)
                    }
                    _ => grown,
                }
            })
        })
    }

    /// A collection without the first of the elements that equal one.
    pub(super) fn removed(&mut self, to: &Collected, of: Expr, element: Expr, span: Span) -> Expr {
        self.shared(of, |c, of| {
            c.shared(element, |c, element| {
                let is = |index: usize| equal(to.at(&of, index, span), element.clone(), span);
                let mut reached = Expr::bool(false, span);
                let mut elements = Vec::new();
                for index in 0..to.of.most {
                    reached = Expr::binary_bool(Op::Or, reached, is(index));
                    let next = to.at(&of, index + 1, span);
                    elements.push(conditional(reached.clone(), next, to.at(&of, index, span), span));
                }
                let known = c.contains(to, &of, &element, span);
                let size = add(to.size(&of, span), -1, span);
                let less = conditional(known, to.made(size, elements, span), of.clone(), span);
                to.unless_overflow(&of, less, span)
            })
        })
    }

    /// The elements of a collection for which something holds, in the same order.
    pub(super) fn kept(
        &mut self,
        to: &Collected,
        of: Expr,
        span: Span,
        mut keeps: impl FnMut(&mut Self, Expr) -> Expr,
    ) -> Expr {
        self.shared(of, |c, of| {
            let most = to.of.most;
            let mut conditions = Vec::new();
            for index in 0..most {
                let element = c.element_present(to, &of, index, span);
                let keep = keeps(c, element);
                if poisoned(&keep.ty) {
                    return keep;
                }
                let keep = Expr::binary_bool(Op::And, to.reaches(&of, index, span), keep);
                conditions.push((c.fresh(), c.folder.fold(&c.types, keep)));
            }
            let kept =
                |index: usize| Expr { kind: ExprKind::Local(conditions[index].0), ty: Type::Bool, span };
            // How many of the first elements are kept.
            let before = |index: usize| {
                let one = |index| conditional(kept(index), integer(1, span), integer(0, span), span);
                (0..index).map(one).reduce(|a, b| sum(a, b, span)).unwrap_or_else(|| integer(0, span))
            };
            let place = |goal: usize| {
                let none = Expr::constant(Value::None, to.of.element.clone().optional(), span);
                (goal..most).rev().fold(none, |rest, index| {
                    let here = equal(before(index), integer(goal as i64, span), span);
                    let here = Expr::binary_bool(Op::And, kept(index), here);
                    conditional(here, to.at(&of, index, span), rest, span)
                })
            };
            let elements = (0..most).map(place).collect();
            let made = to.unless_overflow(&of, to.made(before(most), elements, span), span);
            Expr { span, ..Expr::with_names(conditions.clone(), made) }
        })
    }

    /// The element at an index as if there were one; any value where there is none.
    pub(super) fn element_present(&self, to: &Collected, of: &Expr, index: usize, span: Span) -> Expr {
        self.as_if_present(to.at(of, index, span), &to.of.element)
    }

    /// Whether a collection contains an element, which may be absent.
    pub(super) fn contains(&self, to: &Collected, of: &Expr, element: &Expr, span: Span) -> Expr {
        let is = |index| equal(to.at(of, index, span), element.clone(), span);
        let any = (0..to.of.most).map(is).reduce(|a, b| Expr::binary_bool(Op::Or, a, b));
        let any = any.unwrap_or_else(|| Expr::bool(false, span));
        if !element.ty.is_option() {
            return any;
        }
        let some = Expr { kind: ExprKind::IsSome(Box::new(element.clone())), ty: Type::Bool, span };
        Expr::binary_bool(Op::And, some, any)
    }
}

/// A constant.
pub(super) fn integer(n: i64, span: Span) -> Expr {
    Expr::constant(Value::Int(n), Type::Int { lo: n, hi: n }, span)
}

/// Whether two values are equal.
pub(super) fn equal(a: Expr, b: Expr, span: Span) -> Expr {
    Expr { span, ..Expr::binary_bool(Op::Eq, a, b) }
}

/// Whether an integer is less than another one.
pub(super) fn less(a: Expr, b: Expr, span: Span) -> Expr {
    Expr { span, ..Expr::binary_bool(Op::Lt, a, b) }
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

/// One of two values, whose type has room for both.
pub(super) fn conditional(cond: Expr, a: Expr, b: Expr, span: Span) -> Expr {
    if let ExprKind::Const(Value::Bool(holds)) = cond.kind {
        return if holds { a } else { b };
    }
    let ty = unify(&a.ty, &b.ty).unwrap_or_else(|| a.ty.clone());
    Expr { kind: ExprKind::If(Box::new(cond), Box::new(a), Box::new(b)), ty, span }
}
