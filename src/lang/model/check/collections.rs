//! Collections of limited size, `seq of T max n`, `bag of T max n` and `set of T max n`: their types, literals and operations.
//!
//! A collection is a record of the number of its elements and of places for them ([`RecordDecl`]), so that all operations are
//! formulas over its places.

use super::collected::{Collected, conditional, equal, integer};
use super::relations::{assignable, within};
use super::types::{OPEN, poisoned};
use super::{Checker, Scope, poison};
use crate::model::expr::{Expr, ExprKind};
use crate::model::types::{Collection, CollectionKind, RecordDecl, RecordId, Type};
use crate::model::value::Value;
use crate::syntax::ast;
use kit::diagnostics::{Diagnostic, Span};

/// The most elements of a collection.
const MOST: i64 = 64;

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
            // What is checked in the context of a model later has the same declarations, and not the same formulas before it.
            None if self.declared => Type::Record(self.types.collection(collection)),
            None => self.add_record(unit, RecordDecl::of_collection(collection, name.to_owned(), span)),
        }
    }

    /// The collection that an expression is; reports an error if it may be `none`.
    pub(super) fn certain(&mut self, typed: &Expr, written: &ast::Expr) -> Option<Collected> {
        let found = self.collected(&typed.ty)?;
        if typed.ty.is_option() {
            let (text, word) = (self.text(written.span), found.of.kind.word());
            let error =
                Diagnostic::error(written.span, format!("`{text}` may be `none` instead of a {word}"));
            self.report(error.with_help(self.help_on_absence(typed, written)));
            return None;
        }
        Some(found)
    }

    /// `[a, b]` in a place of an expected type.
    pub(super) fn sequence(
        &mut self,
        scope: &mut Scope,
        elements: &'a [ast::Expr],
        expected: &Type,
        span: Span,
    ) -> Expr {
        if poisoned(expected) {
            return poison(span);
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
                Diagnostic::error(span, "it is not known here of which type this sequence is").with_help(help)
            }
        };
        self.wrong(error)
    }

    /// `{a, b}` in a place of an expected type: a plain set if it is none of collections.
    pub(super) fn set_or_bag(
        &mut self,
        scope: &mut Scope,
        elements: &'a [ast::Expr],
        expected: &Type,
        span: Span,
    ) -> Expr {
        match self.collected(expected) {
            Some(to) if to.of.kind != CollectionKind::Sequence => self.literal(scope, &to, elements, span),
            _ => self.set_literal(scope, elements, expected, span),
        }
    }

    /// A collection of these elements, of the expected type where it has room for them.
    fn literal(&mut self, scope: &mut Scope, to: &Collected, elements: &'a [ast::Expr], span: Span) -> Expr {
        let mut result = to.empty(span);
        for element in elements {
            let Some(element) = self.element(scope, element, to) else { return poison(span) };
            let grown = self.joined_by(result, element, None, span);
            result = self.folded(grown);
        }
        let wanted = Type::Record(to.id);
        if within(&self.types, &result.ty, &wanted, true) { self.reshaped(result, &wanted) } else { result }
    }

    /// An element of a collection, checked.
    fn element(&mut self, scope: &mut Scope, e: &'a ast::Expr, to: &Collected) -> Option<Expr> {
        let typed = self.expr_for(scope, e, &to.of.element);
        let place = format!("an element of this {}", to.of.kind.word());
        let typed = self.fitting(scope, typed, &to.of.element, e, &place);
        (!poisoned(&typed.ty)).then_some(typed)
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

    /// A call of one of the [operations](Operation); `None` if it is none of them, or the file gives the name to something else.
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
        // Of two sequences, one says what a literal in the place of the other one is.
        let other = match operation {
            Operation::Concat if is_literal(&args[0]) && !is_literal(&args[1]) => {
                self.expr(scope, &args[1]).ty
            }
            _ => OPEN,
        };
        let of = self.expr_for(scope, &args[0], &other);
        let of = self.where_known(scope, of);
        if poisoned(&of.ty) {
            return Some(of);
        }
        let Some(to) = self.operand_of(operation, &of, &args[0]) else { return Some(poison(span)) };
        Some(match operation {
            Operation::Length => to.size(&of, span),
            Operation::First => to.at(&of, 0, span),
            Operation::Last => self.last(&to, of, span),
            Operation::Rest => self.rest(&to, of, span),
            Operation::Pop => self.pop(&to, of, span),
            Operation::Prepend => match self.element(scope, &args[1], &to) {
                Some(element) => self.prepended(&to, of, element, span),
                None => poison(span),
            },
            Operation::Concat => {
                let more = self.expr_for(scope, &args[1], &of.ty);
                let more = self.where_known(scope, more);
                match self.operand_of(operation, &more, &args[1]) {
                    Some(after) => self.concatenated((&to, of), (&after, more), span),
                    None => poison(span),
                }
            }
            Operation::RemoveAt => {
                let index = self.int(scope, &args[1]);
                self.without_index(&to, of, index, span)
            }
            Operation::Append | Operation::Insert => match self.element(scope, &args[1], &to) {
                Some(element) => self.joined_by(of, element, None, span),
                None => poison(span),
            },
            Operation::Remove => {
                let element = self.expr_for(scope, &args[1], &to.of.element);
                if poisoned(&element.ty) {
                    return Some(element);
                }
                if !assignable(&self.types, element.ty.inner(), &to.of.element) {
                    let (found, wanted) = (self.described(&element, &args[1]), self.show(&to.of.element));
                    let message =
                        format!("{found} cannot be an element of a {} of {wanted}", to.of.kind.word());
                    return Some(self.wrong(Diagnostic::error(args[1].span, message)));
                }
                self.shared(of, |c, of| {
                    c.shared(element, |c, element| {
                        let some =
                            Expr { kind: ExprKind::IsSome(Box::new(element.clone())), ty: Type::Bool, span };
                        let optional = element.ty.is_option();
                        let less = c.removed(&to, of.clone(), element, span);
                        if optional { conditional(some, less, of, span) } else { less }
                    })
                })
            }
        })
    }

    /// The collection that an operand of an operation is; reports an error if it is none that the operation is for.
    fn operand_of(&mut self, operation: Operation, of: &Expr, written: &'a ast::Expr) -> Option<Collected> {
        if poisoned(&of.ty) {
            return None;
        }
        if !self.collected(&of.ty).is_some_and(|to| operation.suits(to.of.kind)) {
            let (name, domain) = (operation.word(), operation.domain());
            let message = format!("`{name}` is for {domain}, not for {}", self.described(of, written));
            self.report(Diagnostic::error(written.span, message));
            return None;
        }
        self.certain(of, written)
    }
}

/// The operations on collections that are written like calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operation {
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
}

impl Operation {
    const ALL: [Self; 11] = [
        Self::Append,
        Self::Prepend,
        Self::Concat,
        Self::First,
        Self::Last,
        Self::Rest,
        Self::Pop,
        Self::Length,
        Self::Insert,
        Self::Remove,
        Self::RemoveAt,
    ];

    fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operation| operation.word() == name)
    }

    fn word(self) -> &'static str {
        let form = self.form();
        &form[..form.find('(').unwrap_or(form.len())]
    }

    fn arguments(self) -> usize {
        if self.form().contains(',') { 2 } else { 1 }
    }

    fn suits(self, kind: CollectionKind) -> bool {
        match self {
            Self::Insert => kind != CollectionKind::Sequence,
            Self::Remove | Self::RemoveAt => true,
            _ => kind == CollectionKind::Sequence,
        }
    }

    /// What it is for.
    fn domain(self) -> &'static str {
        match self {
            Self::Insert => "bags and sets with `max`",
            Self::Remove | Self::RemoveAt => "sequences, bags and sets with `max`",
            _ => "sequences",
        }
    }

    fn form(self) -> &'static str {
        match self {
            Self::Append => "append(q, e)",
            Self::Prepend => "prepend(q, e)",
            Self::Concat => "concat(q, r)",
            Self::First => "first(q)",
            Self::Last => "last(q)",
            Self::Rest => "rest(q)",
            Self::Pop => "pop(q)",
            Self::Length => "length(q)",
            Self::Insert => "insert(b, e)",
            Self::Remove => "remove(b, e)",
            Self::RemoveAt => "remove_at(q, i)",
        }
    }
}

/// True if an expression takes its type from where it stands.
pub(super) fn is_literal(e: &ast::Expr) -> bool {
    matches!(e.kind, ast::ExprKind::List(_) | ast::ExprKind::Set(_))
}
