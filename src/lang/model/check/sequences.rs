//! Operations on sequences by place: without an end, with an element in front, one after the other, without the element at an index.

use super::collected::{CollectionType, add, conditional, equal, integer, sum};
use super::types::poisoned;
use super::{Checker, poison};
use crate::model::expr::{Expr, ExprKind, Op};
use crate::model::types::Type;
use crate::model::value::Value;
use kit::diagnostics::Span;
use kit::number::{to_i64, to_u32};

impl Checker<'_> {
    /// The last element of a sequence, `none` of an empty one.
    pub(super) fn last(&mut self, to: &CollectionType, q: Expr, span: Span) -> Expr {
        self.shared(q, |_, q| {
            let all = (0..to.of.most).map(|index| to.at(&q, index, span));
            all.reduce(|before, after| otherwise(after, before, span)).unwrap_or_else(|| poison(span))
        })
    }

    /// A sequence without its first element, if it has one.
    pub(super) fn rest(&mut self, of: &CollectionType, q: Expr, span: Span) -> Expr {
        self.shorter(of, q, span, |q, index| of.at(q, index + 1, span))
    }

    /// A sequence without its last element, if it has one.
    pub(super) fn pop(&mut self, of: &CollectionType, q: Expr, span: Span) -> Expr {
        self.shorter(of, q, span, |q, index| {
            let here = of.at(q, index, span);
            let none = Expr::constant(Value::None, here.ty.clone(), span);
            conditional(of.reaches(q, index + 1, span), here, none, span)
        })
    }

    /// A sequence with one element less, which are given by their indices; an empty one stays empty.
    fn shorter(
        &mut self,
        of: &CollectionType,
        q: Expr,
        span: Span,
        element: impl Fn(&Expr, usize) -> Expr,
    ) -> Expr {
        let Some(to) = self.room_for(of.of.kind, &of.of.element, of.of.most - 1, span) else {
            return poison(span);
        };
        self.shared(q, |c, q| {
            let elements = (0..to.of.most).map(|index| c.folded(element(&q, index))).collect();
            let shorter = to.made(add(of.size(&q, span), -1, span), elements, span);
            conditional(of.reaches(&q, 0, span), shorter, to.empty(span), span)
        })
    }

    /// A sequence with an element before all others.
    pub(super) fn prepended(&mut self, from: &CollectionType, q: Expr, element: Expr, span: Span) -> Expr {
        let Some(joined) = self.unify(&from.of.element, element.ty.inner()) else { return poison(span) };
        let Some(to) = self.room_for(from.of.kind, &joined, from.most_of(&q) + 1, span) else {
            return poison(span);
        };
        let element = self.reshaped(element, &joined);
        self.shared(q, |c, q| {
            let others = (1..to.of.most).map(|index| from.at(&q, index - 1, span));
            let others: Vec<Expr> = others.map(|other| c.reshaped(other, &joined)).collect();
            let elements = std::iter::once(element).chain(others).collect();
            to.made(add(from.size(&q, span), 1, span), elements, span)
        })
    }

    /// The elements of one sequence, then those of another one.
    pub(super) fn concatenated(
        &mut self,
        (from, q): (&CollectionType, Expr),
        (after, r): (&CollectionType, Expr),
        span: Span,
    ) -> Expr {
        let Some(joined) = self.unify(&from.of.element, &after.of.element) else { return poison(span) };
        let (before, more) = (from.most_of(&q), after.most_of(&r));
        let Some(to) = self.room_for(from.of.kind, &joined, before + more, span) else {
            return poison(span);
        };
        self.work = self.work.saturating_add(to_u32(to.of.most * (before + 1)));
        self.shared(q, |c, q| {
            c.shared(r, |c, r| {
                let place = |index: usize| {
                    let first = c.reshaped(from.at(&q, index, span), &joined);
                    // The element of the other one, for each number of elements before it.
                    let none = c.reshaped(from.at(&q, from.of.most, span), &joined);
                    let shifted = (index.saturating_sub(more)..=before.min(index)).rev();
                    let second = shifted.fold(none, |rest, size| {
                        let is = c.folded(equal(from.size(&q, span), integer(to_i64(size), span), span));
                        let element = c.reshaped(after.at(&r, index - size, span), &joined);
                        c.folded(conditional(is, element, rest, span))
                    });
                    match index < before {
                        true => c.folded(otherwise(first, second, span)),
                        false => second,
                    }
                };
                let elements = (0..to.of.most).map(place).collect();
                to.made(sum(from.size(&q, span), after.size(&r, span), span), elements, span)
            })
        })
    }

    /// A collection without the element at an index; the same where there is none.
    pub(super) fn without_index(&mut self, of: &CollectionType, q: Expr, index: Expr, span: Span) -> Expr {
        if poisoned(&index.ty) {
            return index;
        }
        self.shared(q, |c, q| {
            c.shared(index, |c, index| {
                let at_most = |c: &mut Self, bound: usize| {
                    c.folded(Expr::binary_bool(Op::Le, index.clone(), integer(to_i64(bound), span)))
                };
                let elements = (0..of.of.most).map(|at| {
                    let moves = at_most(c, at);
                    c.folded(conditional(moves, of.at(&q, at + 1, span), of.at(&q, at, span), span))
                });
                let elements = elements.collect();
                let made = of.made(add(of.size(&q, span), -1, span), elements, span);
                let from = c.folded(Expr::binary_bool(Op::Le, integer(0, span), index.clone()));
                let to = c.folded(Expr::binary_bool(Op::Lt, index, of.size(&q, span)));
                conditional(c.both(from, to), made, q, span)
            })
        })
    }
}

/// One value, or another one of its type where it is `none`.
fn otherwise(value: Expr, other: Expr, span: Span) -> Expr {
    if let ExprKind::Const(Value::None) = value.kind {
        return other;
    }
    let ty = if other.ty.is_option() { other.ty.clone() } else { Type::clone(other.ty.inner()) };
    Expr { kind: ExprKind::Binary(Op::Otherwise, Box::new(value), Box::new(other)), ty, span }
}
