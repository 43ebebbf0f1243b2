//! Types: `bool`, `lo..hi`, `enum {…}`, `set of T`, `option T`, `record {…}`, `map K to T`, names.

use super::expressions::domain;
use super::input::{ModelParseResult, ModelTokens, name, token};
use super::recovery::{declared_list, list, not_empty};
use crate::syntax::ast::{
    AstConstructor, AstExpr, AstExprKind, AstParam, AstTypeKind, CollectionKind, Ident, TypeExpr,
};
use crate::syntax::token::SyntaxKind;
use kit::diagnostics::Diagnostic;
use kit::parsing::{Expected, labelled, nested, separated, spanned};
use nom::Parser;
use nom::branch::alt;
use nom::combinator::{cut, map, opt};
use nom::sequence::{preceded, separated_pair};

pub(super) fn type_expr(input: ModelTokens<'_>) -> ModelParseResult<'_, TypeExpr> {
    nested(input, |input| {
        let kinds =
            alt((boolean, enumeration, set, collection, option, record, variant, function, range_or_name));
        let (rest, (kind, span)) = spanned(labelled("a type", kinds)).parse(input)?;
        Ok((rest, TypeExpr { kind, span }))
    })
}

/// `: T`
pub(super) fn of_type(input: ModelTokens<'_>) -> ModelParseResult<'_, TypeExpr> {
    preceded(token(":"), cut(type_expr)).parse(input)
}

/// `x, y: T`, as one parameter for each name.
pub(super) fn parameters(input: ModelTokens<'_>) -> ModelParseResult<'_, Vec<AstParam>> {
    let (rest, (names, ty)) = (separated(",", name), of_type).parse(input)?;
    Ok((rest, names.into_iter().map(|name| AstParam { name, ty: ty.clone() }).collect()))
}

fn boolean(input: ModelTokens<'_>) -> ModelParseResult<'_, AstTypeKind> {
    map(token("bool"), |_| AstTypeKind::Bool).parse(input)
}

fn enumeration(input: ModelTokens<'_>) -> ModelParseResult<'_, AstTypeKind> {
    let values = not_empty("value", declared_list(name));
    preceded(token("enum"), cut(values)).map(AstTypeKind::Enum).parse(input)
}

fn set(input: ModelTokens<'_>) -> ModelParseResult<'_, AstTypeKind> {
    let element = preceded((token("set"), cut(token("of"))), cut(type_expr));
    let (rest, (element, most)) = (element, opt(most)).parse(input)?;
    let element = Box::new(element);
    let kind = match most {
        Some(most) => AstTypeKind::Collection { kind: CollectionKind::Set, element, most },
        None => AstTypeKind::Set(element),
    };
    Ok((rest, kind))
}

/// `seq of T max n`, `bag of T max n`; elsewhere these words are ordinary names.
fn collection(input: ModelTokens<'_>) -> ModelParseResult<'_, AstTypeKind> {
    let kinds = [CollectionKind::Sequence, CollectionKind::Bag];
    let kind = kinds.into_iter().find(|kind| input.first().is_name(kind.word()));
    let follows = input.peek(1);
    let Some(kind) = kind.filter(|_| follows.is("of") || follows.kind == SyntaxKind::Name) else {
        return input.unexpected(Expected::Thing("a type"));
    };
    let parts = (preceded(cut(token("of")), cut(type_expr)), cut(most));
    let (rest, (element, most)) = preceded(name, parts).parse(input)?;
    Ok((rest, AstTypeKind::Collection { kind, element: Box::new(element), most }))
}

/// `max n`
fn most(input: ModelTokens<'_>) -> ModelParseResult<'_, Box<AstExpr>> {
    if !input.first().is_name("max") {
        return input.unexpected(Expected::Token("max"));
    }
    let (rest, most) = cut(domain).parse(input.skip())?;
    Ok((rest, Box::new(most)))
}

fn option(input: ModelTokens<'_>) -> ModelParseResult<'_, AstTypeKind> {
    preceded(token("option"), cut(type_expr)).map(|inner| AstTypeKind::Option(Box::new(inner))).parse(input)
}

fn record(input: ModelTokens<'_>) -> ModelParseResult<'_, AstTypeKind> {
    let fields = not_empty("field", declared_list(field));
    preceded(token("record"), cut(fields)).map(AstTypeKind::Record).parse(input)
}

fn variant(input: ModelTokens<'_>) -> ModelParseResult<'_, AstTypeKind> {
    let constructors = not_empty("constructor", declared_list(constructor));
    preceded(token("variant"), cut(constructors)).map(AstTypeKind::Variant).parse(input)
}

fn constructor(input: ModelTokens<'_>) -> ModelParseResult<'_, AstConstructor> {
    let (rest, name) = name(input)?;
    if !rest.first().is("(") {
        return Ok((rest, AstConstructor { name, fields: Vec::new() }));
    }
    let (rest, fields) = cut(not_empty("field", list("(", field, ")"))).parse(rest)?;
    Ok((rest, AstConstructor { name, fields }))
}

fn field(input: ModelTokens<'_>) -> ModelParseResult<'_, (Ident, TypeExpr)> {
    (name, cut(of_type)).parse(input)
}

fn function(input: ModelTokens<'_>) -> ModelParseResult<'_, AstTypeKind> {
    let ends = separated_pair(type_expr, token("to"), type_expr);
    preceded(token("map"), cut(ends))
        .map(|(key, to)| AstTypeKind::Map(Box::new(key), Box::new(to)))
        .parse(input)
}

fn range_or_name(input: ModelTokens<'_>) -> ModelParseResult<'_, AstTypeKind> {
    let (rest, expr) = domain(input)?;
    let kind = match expr.kind {
        AstExprKind::Range(lo, hi) => AstTypeKind::Range(lo, hi),
        AstExprKind::Name(name) => AstTypeKind::Name(name),
        AstExprKind::Error => AstTypeKind::Error,
        _ => {
            let text = input.state.grammar.text_at(expr.span);
            let message = format!("expected a type, found the expression `{text}`");
            let help = match expr.kind {
                AstExprKind::Int(n) => format!("a range of numbers is `0..{n}`"),
                AstExprKind::List(_) => {
                    "a sequence type is `seq of T max n`, a map type `map K to T`, a set type `set of T`"
                        .into()
                }
                AstExprKind::Set(_) => "write `enum { … }` for named values, `lo..hi` for numbers".into(),
                AstExprKind::Call { .. } | AstExprKind::Record { .. } => {
                    "types have no arguments; constructors are listed in `variant { A(f: T), B }`".into()
                }
                _ => "a range of numbers is `lo..hi`".into(),
            };
            input.state.add(Diagnostic::error(expr.span, message).with_help(help));
            AstTypeKind::Error
        }
    };
    Ok((rest, kind))
}
