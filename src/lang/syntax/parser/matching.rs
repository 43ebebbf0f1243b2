//! The cases of a `match`: `A(f) => …`, `none => …`, `else => …`.

use super::input::{Parsed, Tokens, name, token};
use super::recovery::list;
use crate::syntax::ast::{Arm, Expr, ExprKind, Ident, Pattern, PatternKind};
use crate::syntax::token::Kind;
use kit::diagnostics::Diagnostic;
use kit::parsing::{Expected, labelled, separated, spanned};
use nom::Parser;
use nom::branch::alt;
use nom::combinator::{cut, map, opt, value};
use nom::sequence::{pair, preceded, terminated};

/// `pattern or pattern => body`
pub(super) fn arm<'a, B>(
    mut body: impl FnMut(Tokens<'a>) -> Parsed<'a, B>,
) -> impl FnMut(Tokens<'a>) -> Parsed<'a, Arm<B>> {
    move |input| {
        let (rest, patterns) = separated("or", pattern).parse(input)?;
        let (rest, body) = cut(preceded(token("=>"), &mut body)).parse(rest)?;
        Ok((rest, Arm { patterns, body }))
    }
}

fn pattern(input: Tokens<'_>) -> Parsed<'_, Pattern> {
    let first = input.first();
    if first.is_name("case") && input.peek(1).kind == Kind::Name {
        let error = Diagnostic::error(first.span, "the cases of a `match` have no keyword");
        input.state.add(error.with_help("write `A(f) => e`"));
        return pattern(input.skip());
    }
    if first.is_name("_") && input.peek(1).is("=>") {
        let error = Diagnostic::error(first.span, "`_` is not a pattern");
        input.state.add(error.with_help("everything else is `else => e`"));
        return Ok((input.skip(), Pattern { kind: PatternKind::Else, span: first.span }));
    }
    let kinds = alt((
        value(PatternKind::Else, token("else")),
        present,
        constructor,
        map(literal, PatternKind::Value),
    ));
    let (rest, (kind, span)) = spanned(labelled("a pattern", kinds)).parse(input)?;
    Ok((rest, Pattern { kind, span }))
}

/// `some(v)`
fn present(input: Tokens<'_>) -> Parsed<'_, PatternKind> {
    let named = preceded(token("("), terminated(name, token(")")));
    preceded(token("some"), cut(named)).map(PatternKind::Some).parse(input)
}

/// `A`, `A(f, g: x)`
fn constructor(input: Tokens<'_>) -> Parsed<'_, PatternKind> {
    let (rest, of) = name(input)?;
    if !rest.first().is("(") {
        return Ok((rest, PatternKind::Name(of, Vec::new())));
    }
    let (rest, fields) = cut(list("(", named_field, ")")).parse(rest)?;
    Ok((rest, PatternKind::Name(of, fields)))
}

/// `f`, or `f: x` for a name of its own.
fn named_field(input: Tokens<'_>) -> Parsed<'_, (Ident, Ident)> {
    let (rest, (field, own)) = pair(name, opt(preceded(token(":"), cut(name)))).parse(input)?;
    let own = own.unwrap_or_else(|| field.clone());
    Ok((rest, (field, own)))
}

/// `none`, `true`, `3`, `-3`
fn literal(input: Tokens<'_>) -> Parsed<'_, Expr> {
    let (rest, (minus, (kind, _))) = pair(opt(token("-")), spanned(plain)).parse(input)?;
    let kind = match (minus, kind) {
        (Some(_), kind @ ExprKind::Int(_)) => {
            let inner = Expr { kind, span: input.skip().span_to(rest) };
            ExprKind::Neg(Box::new(inner))
        }
        (Some(_), _) => return input.unexpected(Expected::Thing("a pattern")),
        (None, kind) => kind,
    };
    Ok((rest, Expr { kind, span: input.span_to(rest) }))
}

fn plain(input: Tokens<'_>) -> Parsed<'_, ExprKind> {
    let number = match input.first().kind {
        Kind::Integer(number) => Some(number.map_or(ExprKind::Error, ExprKind::Int)),
        _ => None,
    };
    if let Some(kind) = number {
        return Ok((input.skip(), kind));
    }
    let words = alt((
        value(ExprKind::None, token("none")),
        value(ExprKind::Bool(true), token("true")),
        value(ExprKind::Bool(false), token("false")),
    ));
    labelled("a pattern", words).parse(input)
}
