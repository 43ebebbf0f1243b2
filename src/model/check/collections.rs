//! Collections of limited size, `seq of T max n`, `bag of T max n` and `set of T max n`: their types, literals and operations.
//!
//! A collection is a record of the number of its elements and of places for them ([`RecordDecl`]), so that all operations are
//! formulas over its places. What has more than n elements is [`Collected::overflow`], a value of no type: a step that
//! assigns it does not exist, as one that assigns an integer out of its range.

use super::matching::is_place;
use super::types::{assignable, poisoned};
use super::{Binding, Checker, Scope, poison};
use crate::diagnostics::{Diagnostic, Span};
use crate::model::expr::{Expr, ExprKind, Op, Quantifier};
use crate::model::types::{Collection, CollectionKind, RecordDecl, RecordId, Type};
use crate::model::value::Value;
use crate::syntax::ast;
use std::sync::Arc;

/// The most elements of a collection.
const MOST: i64 = 64;

/// A type of collections.
#[derive(Debug, Clone)]
pub(super) struct Collected {
    id: RecordId,
    pub of: Collection,
}

impl Collected {
    fn ty(&self) -> Type {
        Type::Record(self.id)
    }

    /// The number of elements. Only what was made of others can be too large.
    pub fn size(&self, of: &Expr, span: Span) -> Expr {
        let made = !is_place(of) || matches!(of.kind, ExprKind::Local(_));
        let ty = Type::Int { lo: 0, hi: self.of.most as i64 + i64::from(made) };
        Expr { kind: ExprKind::Field(Box::new(of.clone()), 0), ty, span }
    }

    /// The element at an index from 0, `none` beyond the last one.
    fn at(&self, of: &Expr, index: usize, span: Span) -> Expr {
        let ty = self.of.element.clone().optional();
        if index >= self.of.most {
            return Expr::constant(Value::None, ty, span);
        }
        Expr { kind: ExprKind::Field(Box::new(of.clone()), index + 1), ty, span }
    }

    /// Whether there are more than `index` elements.
    fn reaches(&self, of: &Expr, index: usize, span: Span) -> Expr {
        Expr { kind: ExprKind::IsSome(Box::new(self.at(of, index, span))), ty: Type::Bool, span }
    }

    fn made(&self, size: Expr, elements: Vec<Expr>, span: Span) -> Expr {
        let parts = std::iter::once(size).chain(elements).collect();
        Expr { kind: ExprKind::Record(parts), ty: self.ty(), span }
    }

    fn empty(&self, span: Span) -> Expr {
        self.constant(0, span)
    }

    /// What stands for all collections that are too large.
    fn overflow(&self, span: Span) -> Expr {
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
    fn unless_overflow(&self, of: &Expr, result: Expr, span: Span) -> Expr {
        let over = less(integer(self.of.most as i64, span), self.size(of, span), span);
        conditional(over, self.overflow(span), result, span)
    }
}

impl<'a> Checker<'a> {
    /// Resolves a type of collections; equal ones are the same.
    pub(super) fn collection_type(
        &mut self,
        unit: usize,
        kind: CollectionKind,
        element: &'a ast::TypeExpr,
        most: &'a ast::Expr,
        span: Span,
        name: &str,
    ) -> Type {
        let place = element.span;
        let element = self.resolve_type(unit, element, name);
        let mut scope = Scope::new(unit, super::Reads::Constants);
        scope.ordered = true;
        let Some(size) = self.constant_int(&mut scope, most) else { return super::POISON };
        if poisoned(&element) {
            return super::POISON;
        }
        if !(1..=MOST).contains(&size) {
            let message = format!("a {} has at most 1 to {MOST} elements, not {size}", kind.word());
            self.report(Diagnostic::error(most.span, message));
            return super::POISON;
        }
        if element.is_option() {
            let error = Diagnostic::error(place, format!("a {} cannot contain `none`", kind.word()));
            self.report(error.with_help(format!(
                "write `{} of {} max {size}`",
                kind.word(),
                self.show(element.inner())
            )));
            return super::POISON;
        }
        if kind != CollectionKind::Sequence && !self.types.has_order(&element) {
            let message = format!("the elements of a {} with `max` cannot contain sets", kind.word());
            let help = "use `set of T max n` inside of it, whose elements have an order";
            self.report(Diagnostic::error(place, message).with_help(help));
            return super::POISON;
        }
        let collection = Collection { kind, element, most: size as usize };
        let known = self.types.records.iter().position(|decl| decl.collection.as_ref() == Some(&collection));
        match known {
            Some(at) => Type::Record(RecordId(at as u32)),
            None => self.add_record(unit, RecordDecl::of_collection(collection, name.to_owned(), span)),
        }
    }

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

    /// The collection that an expression is; reports an error if it may be `none`.
    fn certain(&mut self, typed: &Expr, written: &ast::Expr) -> Option<Collected> {
        let found = self.collected(&typed.ty)?;
        if typed.ty.is_option() {
            let (text, word) = (self.text(written.span), found.of.kind.word());
            let error =
                Diagnostic::error(written.span, format!("`{text}` may be `none` instead of a {word}"));
            self.report(error.with_help(format!("`{text} otherwise …` supplies a default")));
            return None;
        }
        Some(found)
    }

    /// An expression in a place of this type, which says what `[a, b]` and `{a, b}` are.
    pub(super) fn expr_for(&mut self, scope: &mut Scope, e: &'a ast::Expr, ty: &Type) -> Expr {
        let Some(to) = self.collected(ty) else { return self.expr(scope, e) };
        let elements = match (&e.kind, to.of.kind) {
            (ast::ExprKind::List(elements), CollectionKind::Sequence) => elements,
            (ast::ExprKind::Set(elements), CollectionKind::Bag | CollectionKind::Set) => elements,
            (ast::ExprKind::If(cond, a, b), _) if is_literal(a) || is_literal(b) => {
                let cond = self.bool(scope, cond);
                let (then, otherwise) = (self.expr_for(scope, a, ty), self.expr_for(scope, b, ty));
                if [&cond, &then, &otherwise].iter().any(|part| poisoned(&part.ty)) {
                    return poison(e.span);
                }
                if then.ty != otherwise.ty {
                    return self.expr(scope, e);
                }
                return conditional(cond, then, otherwise, e.span);
            }
            (ast::ExprKind::List(_), kind) => {
                let error = Diagnostic::error(
                    e.span,
                    format!("`[…]` is a sequence, but a {} is needed", kind.word()),
                );
                return self.wrong(error.with_help("write `{ a, b }`"));
            }
            _ => return self.expr(scope, e),
        };
        if elements.len() > to.of.most {
            let message =
                format!("these are {} elements, but at most {} are allowed", elements.len(), to.of.most);
            return self.wrong(Diagnostic::error(e.span, message));
        }
        let mut result = to.empty(e.span);
        for element in elements {
            let Some(element) = self.element(scope, element, &to) else { return poison(e.span) };
            let grown = self.joined_by(&to, result, element, e.span);
            result = self.folder.fold(&self.types, grown);
        }
        result
    }

    /// An element of a collection, checked.
    fn element(&mut self, scope: &mut Scope, e: &'a ast::Expr, to: &Collected) -> Option<Expr> {
        let typed = self.expr_for(scope, e, &to.of.element);
        let place = format!("an element of this {}", to.of.kind.word());
        let typed = self.fitting(scope, typed, &to.of.element, e, &place);
        (!poisoned(&typed.ty)).then_some(typed)
    }

    /// A collection with one more element: at the end of a sequence, in its place in a bag or set.
    fn joined_by(&mut self, to: &Collected, of: Expr, element: Expr, span: Span) -> Expr {
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
    fn inserted(&mut self, to: &Collected, of: Expr, element: Expr, span: Span) -> Expr {
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
    fn removed(&mut self, to: &Collected, of: Expr, element: Expr, span: Span) -> Expr {
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
    fn kept(
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
                let element = c.present(to, &of, index, span);
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
            conditions.iter().rev().fold(made, |body, (local, value)| {
                let ty = body.ty.clone();
                let kind =
                    ExprKind::Let { local: *local, value: Box::new(value.clone()), body: Box::new(body) };
                Expr { kind, ty, span }
            })
        })
    }

    /// The element at an index as if there were one; any value where there is none.
    fn present(&self, to: &Collected, of: &Expr, index: usize, span: Span) -> Expr {
        let element = to.of.element.clone();
        match self.types.simplest(&element) {
            Some(default) => {
                let default = Expr::constant(default, element.clone(), span);
                let parts = (Box::new(to.at(of, index, span)), Box::new(default));
                Expr { kind: ExprKind::Binary(Op::Otherwise, parts.0, parts.1), ty: element, span }
            }
            None => poison(span),
        }
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

    /// Whether one value of a type comes before another one, in the order of [`Value`].
    fn before(&self, a: &Expr, b: &Expr, ty: &Type, span: Span) -> Expr {
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

    /// Gives a value a name, if it is more than a place.
    pub(super) fn shared(&mut self, value: Expr, run: impl FnOnce(&mut Self, Expr) -> Expr) -> Expr {
        if is_place(&value) || poisoned(&value.ty) {
            return run(self, value);
        }
        let local = self.fresh();
        let name = Expr { kind: ExprKind::Local(local), ty: value.ty.clone(), span: value.span };
        let span = value.span;
        let body = run(self, name);
        let ty = body.ty.clone();
        Expr { kind: ExprKind::Let { local, value: Box::new(value), body: Box::new(body) }, ty, span }
    }

    /// `c[k]`
    pub(super) fn element_at(&mut self, scope: &mut Scope, of: Expr, key: &'a ast::Expr, span: Span) -> Expr {
        let Some(to) = self.collected(&of.ty) else { return poison(span) };
        let index = self.int(scope, key);
        if poisoned(&index.ty) {
            return index;
        }
        let ty = to.of.element.clone().optional();
        let none = Expr::constant(Value::None, ty, span);
        self.shared(of, |c, of| {
            c.shared(index, |c, index| {
                (0..to.of.most).rev().fold(none, |rest, at| {
                    let here = equal(index.clone(), integer(at as i64, span), span);
                    let here = c.folder.fold(&c.types, here);
                    let chosen = conditional(here, to.at(&of, at, span), rest, span);
                    c.folder.fold(&c.types, chosen)
                })
            })
        })
    }

    /// `append(q, e)`, `first(q)`, `last(q)`, `rest(q)`, `length(q)`, `insert(b, e)`, `remove(c, e)`; `None` if it is none of them, or
    /// the file gives the name to something else.
    pub(super) fn collection_call(
        &mut self,
        scope: &mut Scope,
        name: &ast::Ident,
        args: &'a [ast::Expr],
        span: Span,
    ) -> Option<Expr> {
        let operation = Operation::of(&name.name)?;
        if self.entity(scope.unit, &name.name).is_some() || scope.local(&name.name).is_some() {
            return None;
        }
        let (given, wanted) = (args.len(), operation.arguments());
        if given != wanted {
            let plural = if wanted == 1 { "argument" } else { "arguments" };
            let error =
                Diagnostic::error(span, format!("`{}` has {wanted} {plural}, not {given}", name.name));
            return Some(self.wrong(error.with_help(format!("write `{}`", operation.form()))));
        }
        let of = self.expr(scope, &args[0]);
        if poisoned(&of.ty) {
            return Some(of);
        }
        let Some(to) = self.collected(&of.ty).filter(|to| operation.suits(to.of.kind)) else {
            let message = format!(
                "`{}` is for {}, not for {}",
                name.name,
                operation.domain(),
                self.described(&of, &args[0])
            );
            return Some(self.wrong(Diagnostic::error(args[0].span, message)));
        };
        if self.certain(&of, &args[0]).is_none() {
            return Some(poison(span));
        }
        Some(match operation {
            Operation::Length => to.size(&of, span),
            Operation::First => to.at(&of, 0, span),
            Operation::Last => self.shared(of, |_, of| {
                let ty = to.of.element.clone().optional();
                let all = (0..to.of.most).map(|index| to.at(&of, index, span));
                let last = all.reduce(|before, after| {
                    let parts = (Box::new(after), Box::new(before));
                    Expr { kind: ExprKind::Binary(Op::Otherwise, parts.0, parts.1), ty: ty.clone(), span }
                });
                last.unwrap_or_else(|| poison(span))
            }),
            Operation::Rest => self.shared(of, |_, of| {
                let elements = (0..to.of.most).map(|index| to.at(&of, index + 1, span)).collect();
                let size = add(to.size(&of, span), -1, span);
                let shorter = to.made(size, elements, span);
                let rest = conditional(to.reaches(&of, 0, span), shorter, of.clone(), span);
                to.unless_overflow(&of, rest, span)
            }),
            Operation::Append | Operation::Insert => match self.element(scope, &args[1], &to) {
                Some(element) => self.joined_by(&to, of, element, span),
                None => poison(span),
            },
            Operation::Remove => {
                let element = self.expr_for(scope, &args[1], &to.of.element);
                if poisoned(&element.ty) {
                    return Some(element);
                }
                if !assignable(element.ty.inner(), &to.of.element) {
                    let (found, wanted) = (self.described(&element, &args[1]), self.show(&to.of.element));
                    let message =
                        format!("{found} cannot be an element of a {} of {wanted}", to.of.kind.word());
                    return Some(self.wrong(Diagnostic::error(args[1].span, message)));
                }
                let some = Expr { kind: ExprKind::IsSome(Box::new(element.clone())), ty: Type::Bool, span };
                let optional = element.ty.is_option();
                let less = self.removed(&to, of.clone(), element, span);
                if optional { conditional(some, less, of, span) } else { less }
            }
        })
    }

    /// `forall x in c: e`, `exists x in c: e`
    pub(super) fn quantified_over(
        &mut self,
        scope: &mut Scope,
        quantifier: Quantifier,
        vars: &'a [ast::Ident],
        of: Expr,
        body: &'a ast::Expr,
        span: Span,
    ) -> Expr {
        let Some(to) = self.collected(&of.ty) else { return poison(span) };
        self.shared(of, |c, of| c.for_each_element(scope, quantifier, vars, &to, &of, body, span))
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a quantified formula")]
    fn for_each_element(
        &mut self,
        scope: &mut Scope,
        quantifier: Quantifier,
        vars: &'a [ast::Ident],
        to: &Collected,
        of: &Expr,
        body: &'a ast::Expr,
        span: Span,
    ) -> Expr {
        let Some((var, others)) = vars.split_first() else { return self.bool(scope, body) };
        let mut all: Option<Expr> = None;
        for index in 0..to.of.most {
            let element = self.present(to, of, index, span);
            let formula = self.bound_to(scope, var, Binding::Alias(element), |c, s| {
                c.for_each_element(s, quantifier, others, to, of, body, span)
            });
            if poisoned(&formula.ty) {
                return formula;
            }
            let there = to.reaches(of, index, span);
            let (op, there, between) = match quantifier {
                Quantifier::Forall => (Op::Or, there.negated(), Op::And),
                Quantifier::Exists => (Op::And, there, Op::Or),
            };
            let one = self.folder.fold(&self.types, Expr::binary_bool(op, there, formula));
            all = Some(match all {
                Some(before) => Expr::binary_bool(between, before, one),
                None => one,
            });
        }
        all.unwrap_or_else(|| poison(span))
    }

    /// `{ x in c : e }`
    pub(super) fn filtered(
        &mut self,
        scope: &mut Scope,
        var: &'a ast::Ident,
        of: Expr,
        cond: &'a ast::Expr,
        span: Span,
    ) -> Expr {
        let Some(to) = self.collected(&of.ty) else { return poison(span) };
        self.kept(&to, of, span, |c, element| {
            c.bound_to(scope, var, Binding::Alias(element), |c, s| c.bool(s, cond))
        })
    }

    /// `union`, `intersect`, `minus` and `subset` where one side is a set of limited size.
    pub(super) fn collected_operation(
        &mut self,
        op: Op,
        left: Expr,
        right: Expr,
        written: (&'a ast::Expr, &'a ast::Expr),
        span: Span,
    ) -> Expr {
        for (side, written) in [(&left, written.0), (&right, written.1)] {
            match self.collected(&side.ty) {
                Some(to) if to.of.kind != CollectionKind::Set => {
                    let word = to.of.kind.word();
                    let message = format!("a {word} is not a set");
                    let help = match to.of.kind {
                        CollectionKind::Sequence => "write `append(q, e)`, `rest(q)`, `remove(q, e)`",
                        _ => "write `insert(b, e)`, `remove(b, e)`",
                    };
                    return self.wrong(Diagnostic::error(written.span, message).with_help(help));
                }
                Some(_) if self.certain(side, written).is_none() => return poison(span),
                _ => {}
            }
        }
        let (of_left, of_right) = (self.collected(&left.ty), self.collected(&right.ty));
        match (op, of_left, of_right) {
            (Op::Subset, Some(to), _) => self.shared(left, |c, left| {
                c.shared(right, |c, right| {
                    let all = (0..to.of.most).map(|index| {
                        let inside = c.member(c.present(&to, &left, index, span), &right, span);
                        Expr::binary_bool(Op::Or, to.reaches(&left, index, span).negated(), inside)
                    });
                    Expr::all(all.collect(), span)
                })
            }),
            (Op::Minus | Op::Intersect, Some(to), _) => self.shared(right, |c, right| {
                c.kept(&to, left, span, |c, element| {
                    let inside = c.member(element, &right, span);
                    if op == Op::Minus { inside.negated() } else { inside }
                })
            }),
            (Op::Union, Some(to), Some(from)) => self.shared(right, |c, right| {
                (0..from.of.most).fold(left, |all, index| {
                    let element = c.present(&from, &right, index, span);
                    c.shared(all, |c, all| {
                        let more = c.inserted(&to, all.clone(), element, span);
                        conditional(from.reaches(&right, index, span), more, all, span)
                    })
                })
            }),
            (Op::Union, Some(to), None) => self.with_members(&to, left, right, span),
            (Op::Union, None, Some(to)) => self.with_members(&to, right, left, span),
            (Op::Intersect, None, Some(_)) => {
                self.collected_operation(op, right, left, (written.1, written.0), span)
            }
            (op, None, Some(_)) => {
                let Type::Set(element) = left.ty.clone() else { return poison(span) };
                let local = self.fresh();
                let member = Expr { kind: ExprKind::Local(local), ty: (*element).clone(), span };
                self.shared(right, |c, right| {
                    let inside = c.member(member, &right, span);
                    let set = Box::new(left);
                    match op {
                        Op::Subset => {
                            let (quantifier, body) = (Quantifier::Forall, Box::new(inside));
                            Expr {
                                kind: ExprKind::Quant { quantifier, local, set, body },
                                ty: Type::Bool,
                                span,
                            }
                        }
                        _ => {
                            let (ty, cond) = (set.ty.clone(), Box::new(inside.negated()));
                            Expr { kind: ExprKind::Filter { local, set, cond }, ty, span }
                        }
                    }
                })
            }
            _ => poison(span),
        }
    }

    /// Whether a value is in a set of any kind.
    pub(super) fn member(&self, element: Expr, set: &Expr, span: Span) -> Expr {
        match self.collected(&set.ty) {
            Some(to) => self.contains(&to, set, &element, span),
            None => Expr { span, ..Expr::binary_bool(Op::In, element, set.clone()) },
        }
    }

    /// A set of limited size with the members of a plain one.
    fn with_members(&mut self, to: &Collected, of: Expr, more: Expr, span: Span) -> Expr {
        let element = match &more.ty {
            Type::Set(element) => (**element).clone(),
            _ => return poison(span),
        };
        let members: Vec<(Expr, Option<Expr>)> = match &more.kind {
            ExprKind::SetLiteral(elements) => elements
                .iter()
                .map(|e| match e.ty.is_option() {
                    true => {
                        let some = Expr { kind: ExprKind::IsSome(Box::new(e.clone())), ty: Type::Bool, span };
                        let Some(default) = self.types.simplest(&to.of.element) else {
                            return (e.clone(), None);
                        };
                        let default = Expr::constant(default, to.of.element.clone(), span);
                        let parts = (Box::new(e.clone()), Box::new(default));
                        let kind = ExprKind::Binary(Op::Otherwise, parts.0, parts.1);
                        (Expr { kind, ty: to.of.element.clone(), span }, Some(some))
                    }
                    false => (e.clone(), None),
                })
                .collect(),
            ExprKind::Const(Value::Set(values)) => {
                let constant = |value: &Value| Expr::element(value.clone(), &to.of.element, span);
                values.iter().map(|value| (constant(value), None)).collect()
            }
            _ => self
                .types
                .values(&element)
                .into_iter()
                .map(|value| {
                    let value = Expr::element(value, &element, span);
                    let inside = Expr::binary_bool(Op::In, value.clone(), more.clone());
                    (value, Some(inside))
                })
                .collect(),
        };
        members.into_iter().fold(of, |all, (member, there)| match there {
            None => self.inserted(to, all, member, span),
            Some(there) => self.shared(all, |c, all| {
                let more = c.inserted(to, all.clone(), member, span);
                conditional(there, more, all, span)
            }),
        })
    }

    /// The elements of a collection as a plain set; reports an error if there can be too many.
    pub(super) fn as_plain_set(&mut self, of: Expr, written: &'a ast::Expr) -> Expr {
        let Some(to) = self.certain(&of, written) else { return poison(written.span) };
        if to.of.kind != CollectionKind::Set {
            let text = self.text(written.span);
            let message = format!("`{text}` is a {}, not a set", to.of.kind.word());
            let help = format!(
                "its elements are `{text}[0]`, `{text}[1]`, …; `forall` and `exists` range over them"
            );
            return self.wrong(Diagnostic::error(written.span, message).with_help(help));
        }
        if !self.few_values(&to.of.element, written.span, "the elements of a set") {
            return poison(written.span);
        }
        let span = of.span;
        let ty = Type::Set(Arc::new(to.of.element.clone()));
        self.shared(of, |_, of| {
            let elements = (0..to.of.most).map(|index| to.at(&of, index, span)).collect();
            Expr { kind: ExprKind::SetLiteral(elements), ty, span }
        })
    }
}

/// The operations on collections that are written like calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operation {
    Append,
    First,
    Last,
    Rest,
    Length,
    Insert,
    Remove,
}

impl Operation {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "append" => Self::Append,
            "first" => Self::First,
            "last" => Self::Last,
            "rest" => Self::Rest,
            "length" => Self::Length,
            "insert" => Self::Insert,
            "remove" => Self::Remove,
            _ => return None,
        })
    }

    fn arguments(self) -> usize {
        match self {
            Self::Append | Self::Insert | Self::Remove => 2,
            Self::First | Self::Last | Self::Rest | Self::Length => 1,
        }
    }

    fn suits(self, kind: CollectionKind) -> bool {
        match self {
            Self::Insert => kind != CollectionKind::Sequence,
            Self::Remove => true,
            _ => kind == CollectionKind::Sequence,
        }
    }

    /// What it is for.
    fn domain(self) -> &'static str {
        match self {
            Self::Insert => "bags and sets with `max`",
            Self::Remove => "sequences, bags and sets with `max`",
            _ => "sequences",
        }
    }

    fn form(self) -> &'static str {
        match self {
            Self::Append => "append(q, e)",
            Self::First => "first(q)",
            Self::Last => "last(q)",
            Self::Rest => "rest(q)",
            Self::Length => "length(q)",
            Self::Insert => "insert(b, e)",
            Self::Remove => "remove(b, e)",
        }
    }
}

/// Whether an expression takes its type from where it stands.
pub(super) fn is_literal(e: &ast::Expr) -> bool {
    matches!(e.kind, ast::ExprKind::List(_) | ast::ExprKind::Set(_))
}

fn integer(n: i64, span: Span) -> Expr {
    Expr::constant(Value::Int(n), Type::Int { lo: n, hi: n }, span)
}

fn equal(a: Expr, b: Expr, span: Span) -> Expr {
    Expr { span, ..Expr::binary_bool(Op::Eq, a, b) }
}

fn less(a: Expr, b: Expr, span: Span) -> Expr {
    Expr { span, ..Expr::binary_bool(Op::Lt, a, b) }
}

/// The sum of two integers that are not large.
fn sum(a: Expr, b: Expr, span: Span) -> Expr {
    let ty = match (&a.ty, &b.ty) {
        (Type::Int { lo: p, hi: q }, Type::Int { lo: r, hi: s }) => Type::Int { lo: p + r, hi: q + s },
        _ => unreachable!("both are integers"),
    };
    Expr { kind: ExprKind::Binary(Op::Add, Box::new(a), Box::new(b)), ty, span }
}

fn add(a: Expr, n: i64, span: Span) -> Expr {
    sum(a, integer(n, span), span)
}

fn conditional(cond: Expr, a: Expr, b: Expr, span: Span) -> Expr {
    if let ExprKind::Const(Value::Bool(holds)) = cond.kind {
        return if holds { a } else { b };
    }
    let ty = match (&a.ty, &b.ty) {
        (Type::Option(_), _) => a.ty.clone(),
        (_, Type::Option(_)) => b.ty.clone(),
        (Type::Int { lo: p, hi: q }, Type::Int { lo: r, hi: s }) => {
            Type::Int { lo: *p.min(r), hi: *q.max(s) }
        }
        _ => a.ty.clone(),
    };
    Expr { kind: ExprKind::If(Box::new(cond), Box::new(a), Box::new(b)), ty, span }
}
