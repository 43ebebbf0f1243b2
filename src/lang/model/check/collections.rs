//! Collections of limited size, `seq of T max n`, `bag of T max n` and `set of T max n`: their types, literals and operations.
//!
//! A collection is a record of the number of its elements and of places for them ([`RecordDecl`]), so that all operations are
//! formulas over its places.

use super::collected::{CollectionType, conditional, equal, integer};
use super::relations::{assignable, within};
use super::types::{OPEN, poisoned};
use super::{Checker, ExprScope, Reported, Typed, type_of};
use crate::model::expr::Expr;
use crate::model::types::{Collection, CollectionKind, RecordDecl, RecordId, Type};
use crate::model::value::Value;
use crate::syntax::ast::{AstExpr, AstExprKind, TypeExpr};
use kit::diagnostics::{Diagnostic, Span};
use kit::number::{to_i64, to_u32, to_usize};

/// The most elements of a collection.
const MOST: i64 = 64;

impl<'a> Checker<'a> {
    /// Resolves a type of collections; equal ones are the same.
    pub(super) fn collection_type(
        &mut self,
        unit: usize,
        kind: CollectionKind,
        element: &'a TypeExpr,
        most: &'a AstExpr,
        span: Span,
        name: &str,
    ) -> Type {
        let place = element.span;
        let element = self.resolve_type(unit, element, name);
        let mut scope = ExprScope::new(unit, super::ReadAccess::Constants);
        scope.ordered = true;
        let Ok(size) = self.constant_int(&mut scope, most) else { return super::POISON };
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
            let help = "use `set of T max n` inside it, whose elements have an order";
            self.report(Diagnostic::error(place, message).with_help(help));
            return super::POISON;
        }
        let collection = Collection { kind, element, most: to_usize(size) };
        let known = self.types.records.iter().position(|decl| decl.collection.as_ref() == Some(&collection));
        match known {
            Some(at) => Type::Record(RecordId(to_u32(at))),
            // Expressions checked in the context of a model later have the same declarations, and not the same formulas before it.
            None if self.declared => Type::Record(self.types.collection(collection)),
            None => self.add_record(unit, RecordDecl::of_collection(collection, name.to_owned(), span)),
        }
    }

    /// The collection that an expression is; reports an error if it may be `none`.
    pub(super) fn certain(&mut self, typed: &Expr, written: &AstExpr) -> Typed<CollectionType> {
        let found = self.collected(&typed.ty).ok_or(Reported)?;
        if typed.ty.is_option() {
            let (text, word) = (self.text(written.span), found.of.kind.word());
            let error =
                Diagnostic::error(written.span, format!("`{text}` may be `none` instead of a {word}"));
            return self.wrong(error.with_help(self.help_on_absence(typed, written)));
        }
        Ok(found)
    }

    /// `[a, b]` in a place of an expected type.
    pub(super) fn sequence(
        &mut self,
        scope: &mut ExprScope,
        elements: &'a [AstExpr],
        expected: &Type,
        span: Span,
    ) -> Typed {
        if poisoned(expected) {
            return Err(Reported);
        }
        let error = match self.collected(expected) {
            Some(to) if to.of.kind == CollectionKind::Sequence => {
                return self.literal(scope, &to, elements, span);
            }
            Some(to) => {
                let message = format!("`[…]` is a sequence, but a {} is needed", to.of.kind.word());
                Diagnostic::error(span, message).with_help("write `{ a, b }`")
            }
            None => {
                let help = match elements.is_empty() {
                    true => "compare `length(q) = 0`, or assign it to a variable of a type `seq of T max n`",
                    false => {
                        "sequences are written where their type is known: assigned, compared, as argument or field"
                    }
                };
                Diagnostic::error(span, "the type of this sequence is unknown here").with_help(help)
            }
        };
        self.wrong(error)
    }

    /// `{a, b}` in a place of an expected type: a plain set if it is none of collections.
    pub(super) fn set_or_bag(
        &mut self,
        scope: &mut ExprScope,
        elements: &'a [AstExpr],
        expected: &Type,
        span: Span,
    ) -> Typed {
        match self.collected(expected) {
            Some(to) if to.of.kind != CollectionKind::Sequence => self.literal(scope, &to, elements, span),
            _ => self.set_literal(scope, elements, expected, span),
        }
    }

    /// A collection of these elements, of the expected type where it has room for them.
    fn literal(
        &mut self,
        scope: &mut ExprScope,
        to: &CollectionType,
        elements: &'a [AstExpr],
        span: Span,
    ) -> Typed {
        let mut result = to.empty(span);
        for element in elements {
            let element = self.element(scope, element, to)?;
            let grown = self.joined_by(result, element, None, span);
            result = self.folded(grown);
        }
        let wanted = Type::Record(to.id);
        let has_room = within(&self.types, &result.ty, &wanted, true);
        Ok(if has_room { self.reshaped(result, &wanted) } else { result })
    }

    fn element(&mut self, scope: &mut ExprScope, e: &'a AstExpr, to: &CollectionType) -> Typed {
        let typed = self.expr_for(scope, e, &to.of.element)?;
        let place = format!("an element of this {}", to.of.kind.word());
        self.fitting(scope, typed, &to.of.element, e, &place)
    }

    /// `c[k]`
    pub(super) fn element_at(
        &mut self,
        scope: &mut ExprScope,
        to: &CollectionType,
        of: Expr,
        key: &'a AstExpr,
        span: Span,
    ) -> Typed {
        let index = self.int(scope, key)?;
        let ty = to.of.element.clone().optional();
        let none = Expr::constant(Value::None, ty, span);
        Ok(self.shared(of, |c, of| {
            c.shared(index, |c, index| {
                (0..to.of.most).rev().fold(none, |rest, at| {
                    let here = c.folded(equal(index.clone(), integer(to_i64(at), span), span));
                    c.folded(conditional(here, to.at(&of, at, span), rest, span))
                })
            })
        }))
    }

    /// A call of a built-in operation.
    pub(super) fn built_in(
        &mut self,
        scope: &mut ExprScope,
        operation: BuiltIn,
        args: &'a [AstExpr],
        span: Span,
    ) -> Typed {
        let (given, wanted) = (args.len(), operation.arguments());
        if given != wanted {
            let plural = if wanted == 1 { "argument" } else { "arguments" };
            let message = format!("`{}` has {wanted} {plural}, not {given}", operation.word());
            let help = format!("write `{}`", operation.form());
            return self.wrong(Diagnostic::error(span, message).with_help(help));
        }
        match (operation, args) {
            (BuiltIn::Pre, [value]) => return self.before_step(scope, value, span),
            (BuiltIn::Occurs, [value, whole]) => return self.occurs(scope, value, whole, span),
            (BuiltIn::Alike, [a, b, apart]) => return self.alike(scope, (a, b), apart, span),
            _ => {}
        }
        // Of two sequences, one says what a literal in the place of the other one is.
        let other = match operation {
            BuiltIn::Concat if is_literal(&args[0]) && !is_literal(&args[1]) => {
                type_of(&self.expr(scope, &args[1])).clone()
            }
            _ => OPEN,
        };
        let of = self.expr_for(scope, &args[0], &other)?;
        let of = self.where_known(scope, of);
        let to = self.operand_of(operation, &of, &args[0])?;
        Ok(match operation {
            BuiltIn::Length => to.size(&of, span),
            BuiltIn::First => to.at(&of, 0, span),
            BuiltIn::Last => self.last(&to, of, span),
            BuiltIn::Rest => self.rest(&to, of, span),
            BuiltIn::Pop => self.pop(&to, of, span),
            BuiltIn::Prepend => {
                let element = self.element(scope, &args[1], &to)?;
                self.prepended(&to, of, element, span)
            }
            BuiltIn::Concat => {
                let more = self.expr_for(scope, &args[1], &of.ty)?;
                let more = self.where_known(scope, more);
                let after = self.operand_of(operation, &more, &args[1])?;
                self.concatenated((&to, of), (&after, more), span)
            }
            BuiltIn::RemoveAt => {
                let index = self.int(scope, &args[1])?;
                self.without_index(&to, of, index, span)
            }
            BuiltIn::Append | BuiltIn::Insert => {
                let element = self.element(scope, &args[1], &to)?;
                self.joined_by(of, element, None, span)
            }
            BuiltIn::Remove => {
                let element = self.expr_for(scope, &args[1], &to.of.element)?;
                if !assignable(&self.types, element.ty.inner(), &to.of.element) {
                    let (found, wanted) = (self.described(&element, &args[1]), self.show(&to.of.element));
                    let message =
                        format!("{found} cannot be an element of a {} of {wanted}", to.of.kind.word());
                    return self.wrong(Diagnostic::error(args[1].span, message));
                }
                self.shared(of, |c, of| {
                    c.shared(element, |c, element| {
                        let some = Expr { span, ..element.clone().presence() };
                        let optional = element.ty.is_option();
                        let less = c.removed(&to, of.clone(), element, span);
                        if optional { conditional(some, less, of, span) } else { less }
                    })
                })
            }
            BuiltIn::Occurs | BuiltIn::Alike | BuiltIn::Pre => unreachable!("of no collection"),
        })
    }

    /// The collection that an operand of an operation is; reports an error if it is none that the operation is for.
    fn operand_of(&mut self, operation: BuiltIn, of: &Expr, written: &'a AstExpr) -> Typed<CollectionType> {
        if !self.collected(&of.ty).is_some_and(|to| operation.suits(to.of.kind)) {
            let (name, domain) = (operation.word(), operation.domain());
            let message = format!("`{name}` is for {domain}, not for {}", self.described(of, written));
            return self.wrong(Diagnostic::error(written.span, message));
        }
        self.certain(of, written)
    }
}

/// The operations that are written like calls of definitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BuiltIn {
    Append,
    Prepend,
    Concat,
    First,
    Last,
    Rest,
    Pop,
    Length,
    Insert,
    Remove,
    RemoveAt,
    Occurs,
    Alike,
    Pre,
}

impl BuiltIn {
    /// How each is written, and the values that it is for.
    const ALL: [(Self, &'static str, &'static str); 14] = [
        (Self::Append, "append(q, e)", SEQUENCES),
        (Self::Prepend, "prepend(q, e)", SEQUENCES),
        (Self::Concat, "concat(q, r)", SEQUENCES),
        (Self::First, "first(q)", SEQUENCES),
        (Self::Last, "last(q)", SEQUENCES),
        (Self::Rest, "rest(q)", SEQUENCES),
        (Self::Pop, "pop(q)", SEQUENCES),
        (Self::Length, "length(q)", SEQUENCES),
        (Self::Insert, "insert(b, e)", "bags and sets with `max`"),
        (Self::Remove, "remove(b, e)", COLLECTIONS),
        (Self::RemoveAt, "remove_at(q, i)", COLLECTIONS),
        (Self::Occurs, "occurs(v, m)", "all values"),
        (Self::Alike, "alike(m, n, T)", "all values"),
        (Self::Pre, "pre(x)", "all values"),
    ];

    pub(super) fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().map(|(operation, ..)| operation).find(|operation| operation.word() == name)
    }

    fn form(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    fn word(self) -> &'static str {
        self.form().split('(').next().unwrap_or_default()
    }

    fn arguments(self) -> usize {
        self.form().split(',').count()
    }

    /// The values that it is for.
    fn domain(self) -> &'static str {
        Self::ALL[self as usize].2
    }

    fn suits(self, kind: CollectionKind) -> bool {
        self.domain() == COLLECTIONS || (self.domain() == SEQUENCES) == (kind == CollectionKind::Sequence)
    }
}

const SEQUENCES: &str = "sequences";
const COLLECTIONS: &str = "sequences, bags and sets with `max`";

/// True if an expression takes its type from where it stands.
pub(super) fn is_literal(e: &AstExpr) -> bool {
    matches!(e.kind, AstExprKind::List(_) | AstExprKind::Set(_))
}
