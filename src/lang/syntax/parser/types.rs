//! Types: `bool`, `lo..hi`, `enum {…}`, `set of T`, `option T`, `record {…}`, `map K to T`, names.

use super::expressions::domain;
use super::input::{Parsed, Tokens, name, token};
use super::recovery::{declared_list, list, not_empty};
use crate::syntax::ast::{CollectionKind, Constructor, Expr, ExprKind, Ident, Param, TypeExpr, TypeKind};
use crate::syntax::token::Kind;
use kit::diagnostics::Diagnostic;
use kit::parsing::{Expected, labelled, nested, separated, spanned};
use nom::Parser;
use nom::branch::alt;
use nom::combinator::{cut, map, opt};
use nom::sequence::{preceded, separated_pair};

pub(super) fn type_expr(input: Tokens<'_>) -> Parsed<'_, TypeExpr> {
    nested(input, |input| {
        let kinds =
            alt((boolean, enumeration, set, collection, option, record, variant, function, range_or_name));
        let (rest, (kind, span)) = spanned(labelled("a type", kinds)).parse(input)?;
        Ok((rest, TypeExpr { kind, span }))
    })
}

/// `: T`
pub(super) fn of_type(input: Tokens<'_>) -> Parsed<'_, TypeExpr> {
    preceded(token(":"), cut(type_expr)).parse(input)
}

/// `x, y: T`, as one parameter for each name.
pub(super) fn parameters(input: Tokens<'_>) -> Parsed<'_, Vec<Param>> {
    let (rest, (names, ty)) = (separated(",", name), of_type).parse(input)?;
    Ok((rest, names.into_iter().map(|name| Param { name, ty: ty.clone() }).collect()))
}

fn boolean(input: Tokens<'_>) -> Parsed<'_, TypeKind> {
    map(token("bool"), |_| TypeKind::Bool).parse(input)
}

fn enumeration(input: Tokens<'_>) -> Parsed<'_, TypeKind> {
    let values = not_empty("value", declared_list(name));
    preceded(token("enum"), cut(values)).map(TypeKind::Enum).parse(input)
}

fn set(input: Tokens<'_>) -> Parsed<'_, TypeKind> {
    let element = preceded((token("set"), cut(token("of"))), cut(type_expr));
    let (rest, (element, most)) = (element, opt(most)).parse(input)?;
    let element = Box::new(element);
    let kind = match most {
        Some(most) => TypeKind::Collection { kind: CollectionKind::Set, element, most },
        None => TypeKind::Set(element),
    };
    Ok((rest, kind))
}

/// `seq of T max n`, `bag of T max n`; elsewhere these words are ordinary names.
fn collection(input: Tokens<'_>) -> Parsed<'_, TypeKind> {
    let kinds = [CollectionKind::Sequence, CollectionKind::Bag];
    let kind = kinds.into_iter().find(|kind| input.first().is_name(kind.word()));
    let follows = input.peek(1);
    let Some(kind) = kind.filter(|_| follows.is("of") || follows.kind == Kind::Name) else {
        return input.unexpected(Expected::Thing("a type"));
    };
    let parts = (preceded(cut(token("of")), cut(type_expr)), cut(most));
    let (rest, (element, most)) = preceded(name, parts).parse(input)?;
    Ok((rest, TypeKind::Collection { kind, element: Box::new(element), most }))
}

/// `max n`
fn most(input: Tokens<'_>) -> Parsed<'_, Box<Expr>> {
    if !input.first().is_name("max") {
        return input.unexpected(Expected::Token("max"));
    }
    let (rest, most) = cut(domain).parse(input.skip())?;
    Ok((rest, Box::new(most)))
}

fn option(input: Tokens<'_>) -> Parsed<'_, TypeKind> {
    preceded(token("option"), cut(type_expr)).map(|inner| TypeKind::Option(Box::new(inner))).parse(input)
}

fn record(input: Tokens<'_>) -> Parsed<'_, TypeKind> {
    let fields = not_empty("field", declared_list(field));
    preceded(token("record"), cut(fields)).map(TypeKind::Record).parse(input)
}

fn variant(input: Tokens<'_>) -> Parsed<'_, TypeKind> {
    let constructors = not_empty("constructor", declared_list(constructor));
    preceded(token("variant"), cut(constructors)).map(TypeKind::Variant).parse(input)
}

fn constructor(input: Tokens<'_>) -> Parsed<'_, Constructor> {
    let (rest, name) = name(input)?;
    if !rest.first().is("(") {
        return Ok((rest, Constructor { name, fields: Vec::new() }));
    }
    let (rest, fields) = cut(not_empty("field", list("(", field, ")"))).parse(rest)?;
    Ok((rest, Constructor { name, fields }))
}

fn field(input: Tokens<'_>) -> Parsed<'_, (Ident, TypeExpr)> {
    (name, cut(of_type)).parse(input)
}

fn function(input: Tokens<'_>) -> Parsed<'_, TypeKind> {
    let ends = separated_pair(type_expr, token("to"), type_expr);
    preceded(token("map"), cut(ends)).map(|(key, to)| TypeKind::Map(Box::new(key), Box::new(to))).parse(input)
}

fn range_or_name(input: Tokens<'_>) -> Parsed<'_, TypeKind> {
    let (rest, expr) = domain(input)?;
    let kind = match expr.kind {
        ExprKind::Range(lo, hi) => TypeKind::Range(lo, hi),
        ExprKind::Name(name) => TypeKind::Name(name),
        ExprKind::Error => TypeKind::Error,
        _ => {
            let text = input.state.grammar.text_at(expr.span);
            let message = format!("expected a type, found the expression `{text}`");
            let help = match expr.kind {
                ExprKind::Int(n) => format!("a range of numbers is `0..{n}`"),
                ExprKind::List(_) => {
                    "a sequence type is `seq of T max n`, a map type `map K to T`, a set type `set of T`"
                        .into()
                }
                ExprKind::Set(_) => "write `enum { … }` for named values, `lo..hi` for numbers".into(),
                ExprKind::Call { .. } | ExprKind::Record { .. } => {
                    "types have no arguments; constructors are listed in `variant { A(f: T), B }`".into()
                }
                _ => "a range of numbers is `lo..hi`".into(),
            };
            input.state.add(Diagnostic::error(expr.span, message).with_help(help));
            TypeKind::Error
        }
    };
    Ok((rest, kind))
}
