//! The cases of a `match`: `A(f) => …`, `none => …`, `else => …`.

use super::input::{ModelParseResult, ModelTokens, name, token};
use super::recovery::list;
use crate::syntax::ast::{AstExpr, AstExprKind, AstPattern, AstPatternKind, Ident, MatchArm};
use crate::syntax::token::SyntaxKind;
use kit::diagnostics::Diagnostic;
use kit::parsing::{Expected, labelled, separated, spanned};
use nom::Parser;
use nom::branch::alt;
use nom::combinator::{cut, map, opt, value};
use nom::sequence::{pair, preceded, terminated};

/// `pattern or pattern => body`
pub(super) fn arm<'a, B>(
    mut body: impl FnMut(ModelTokens<'a>) -> ModelParseResult<'a, B>,
) -> impl FnMut(ModelTokens<'a>) -> ModelParseResult<'a, MatchArm<B>> {
    move |input| {
        let (rest, patterns) = separated("or", pattern).parse(input)?;
        let (rest, body) = cut(preceded(token("=>"), &mut body)).parse(rest)?;
        Ok((rest, MatchArm { patterns, body }))
    }
}

fn pattern(input: ModelTokens<'_>) -> ModelParseResult<'_, AstPattern> {
    let first = input.first();
    if first.is_name("case") && input.peek(1).kind == SyntaxKind::Name {
        let error = Diagnostic::error(first.span, "the cases of a `match` have no keyword");
        input.state.add(error.with_help("write `A(f) => e`"));
        return pattern(input.skip());
    }
    if first.is_name("_") && input.peek(1).is("=>") {
        let error = Diagnostic::error(first.span, "`_` is not a pattern");
        input.state.add(error.with_help("everything else is `else => e`"));
        return Ok((input.skip(), AstPattern { kind: AstPatternKind::Else, span: first.span }));
    }
    let kinds = alt((
        value(AstPatternKind::Else, token("else")),
        present,
        constructor,
        map(literal, AstPatternKind::Value),
    ));
    let (rest, (kind, span)) = spanned(labelled("a pattern", kinds)).parse(input)?;
    Ok((rest, AstPattern { kind, span }))
}

/// `some(v)`
fn present(input: ModelTokens<'_>) -> ModelParseResult<'_, AstPatternKind> {
    let named = preceded(token("("), terminated(name, token(")")));
    preceded(token("some"), cut(named)).map(AstPatternKind::Some).parse(input)
}

/// `A`, `A(f, g: x)`
fn constructor(input: ModelTokens<'_>) -> ModelParseResult<'_, AstPatternKind> {
    let (rest, of) = name(input)?;
    if !rest.first().is("(") {
        return Ok((rest, AstPatternKind::Name(of, Vec::new())));
    }
    let (rest, fields) = cut(list("(", named_field, ")")).parse(rest)?;
    Ok((rest, AstPatternKind::Name(of, fields)))
}

/// `f`, or `f: x` for a name of its own.
fn named_field(input: ModelTokens<'_>) -> ModelParseResult<'_, (Ident, Ident)> {
    let (rest, (field, own)) = pair(name, opt(preceded(token(":"), cut(name)))).parse(input)?;
    let own = own.unwrap_or_else(|| field.clone());
    Ok((rest, (field, own)))
}

/// `none`, `true`, `3`, `-3`
fn literal(input: ModelTokens<'_>) -> ModelParseResult<'_, AstExpr> {
    let (rest, (minus, (kind, _))) = pair(opt(token("-")), spanned(plain)).parse(input)?;
    let kind = match (minus, kind) {
        (Some(_), kind @ AstExprKind::Int(_)) => {
            let inner = AstExpr { kind, span: input.skip().span_to(rest) };
            AstExprKind::Neg(Box::new(inner))
        }
        (Some(_), _) => return input.unexpected(Expected::Thing("a pattern")),
        (None, kind) => kind,
    };
    Ok((rest, AstExpr { kind, span: input.span_to(rest) }))
}

fn plain(input: ModelTokens<'_>) -> ModelParseResult<'_, AstExprKind> {
    let number = match input.first().kind {
        SyntaxKind::Integer(number) => Some(number.map_or(AstExprKind::Error, AstExprKind::Int)),
        _ => None,
    };
    if let Some(kind) = number {
        return Ok((input.skip(), kind));
    }
    let words = alt((
        value(AstExprKind::None, token("none")),
        value(AstExprKind::Bool(true), token("true")),
        value(AstExprKind::Bool(false), token("false")),
    ));
    labelled("a pattern", words).parse(input)
}
