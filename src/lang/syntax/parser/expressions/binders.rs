//! Expressions that begin with a word which is an ordinary name elsewhere: `let x = e in body`, `sum x in S: e`.

use super::postfix::position;
use super::{QuantifiedGroup, climb, groups, nest, rest_of_expression, starts_operand, within};
use crate::syntax::ast::{Aggregate, AstExpr, AstExprKind, Ident};
use crate::syntax::operators;
use crate::syntax::parser::input::{ModelParseResult, ModelTokens, name};
use crate::syntax::token::SyntaxKind;
use kit::parsing::{Expected, separated, spanned, token};
use nom::Parser;
use nom::combinator::cut;
use nom::sequence::{preceded, separated_pair};

/// Forms that begin with such a word.
#[derive(Clone, Copy)]
pub(super) enum Binder {
    Let,
    Aggregate(Aggregate),
}

/// The form at the front. A name follows the word, and something that binds the name: two names side by side
/// mean nothing else, so the word remains a name everywhere else.
pub(super) fn binder(input: &ModelTokens<'_>) -> Option<Binder> {
    if input.first().kind != SyntaxKind::Name || input.peek(1).kind != SyntaxKind::Name {
        return None;
    }
    let (word, follows) = (input.first().text, input.peek(2));
    if word == "let" {
        return (follows.is("=") || follows.is(":")).then_some(Binder::Let);
    }
    let aggregate = Aggregate::ALL.into_iter().find(|aggregate| aggregate.word() == word)?;
    [",", "in", ":"].into_iter().any(|sign| follows.is(sign)).then_some(Binder::Aggregate(aggregate))
}

impl Binder {
    pub(super) fn parse(self, input: ModelTokens<'_>) -> ModelParseResult<'_, AstExpr> {
        match self {
            Binder::Let => let_in(input),
            Binder::Aggregate(aggregate) => over(input, aggregate),
        }
    }
}

fn let_in(input: ModelTokens<'_>) -> ModelParseResult<'_, AstExpr> {
    let body = preceded(token("in"), rest_of_expression);
    let (rest, ((bindings, body), span)) = spanned(cut((bindings, body))).parse(input)?;
    Ok((rest, AstExpr { kind: AstExprKind::Let { bindings, body: Box::new(body) }, span }))
}

/// `let x = e, y = f`, where `in` is an operator in brackets only.
pub(in crate::syntax::parser) fn bindings(
    input: ModelTokens<'_>,
) -> ModelParseResult<'_, Vec<(Ident, AstExpr)>> {
    let binding = separated_pair(name, token("="), rest_of_expression);
    within(input.skip(), true, |input| cut(separated(",", binding)).parse(input))
}

fn over(input: ModelTokens<'_>, aggregate: Aggregate) -> ModelParseResult<'_, AstExpr> {
    let (rest, (groups, body)) =
        cut((groups, preceded(token(":"), rest_of_expression))).parse(input.skip())?;
    let of = |inside: usize| match (aggregate, inside) {
        // The number of pairs is the sum of numbers.
        (Aggregate::Count, 1..) => Aggregate::Sum,
        _ => aggregate,
    };
    let over = |inside, QuantifiedGroup { vars, domain }, body| {
        let (domain, body) = (Box::new(domain), Box::new(body));
        AstExprKind::Aggregate { aggregate: of(inside), vars, domain, body }
    };
    Ok((rest, nest(groups, body, input.span_to(rest), over)))
}

/// True if `never e` is at the front, in a text that gives the name to nothing else.
pub(super) fn is_never(input: &ModelTokens<'_>) -> bool {
    input.first().is_name("never") && !input.state.grammar.declares_never && starts_operand(input, 1)
}

/// `never e between t1 and t2`, `never e before t`
pub(super) fn never(input: ModelTokens<'_>) -> ModelParseResult<'_, AstExpr> {
    let (rest, value) = cut(|input| climb(input, operators::PREFIX)).parse(input.skip())?;
    let (rest, after) = if rest.first().is_name("between") {
        let (rest, after) = cut(position).parse(rest.skip())?;
        (rest, Some(Box::new(after)))
    } else {
        (rest, None)
    };
    let last = |input| cut(position).parse(input);
    let (rest, before) = match after {
        Some(_) => preceded(token("and"), last).parse(rest)?,
        None if rest.first().is_name("before") => last(rest.skip())?,
        None => cut(unbounded).parse(rest)?,
    };
    let kind = AstExprKind::Never { value: Box::new(value), after, before: Box::new(before) };
    Ok((rest, AstExpr { kind, span: input.span_to(rest) }))
}

/// True if `established by` is at the front; a name cannot follow an operand.
pub(super) fn is_established(input: &ModelTokens<'_>) -> bool {
    input.first().is_name("established") && input.peek(1).is_name("by")
}

/// `established by a()@t1 before t2`
pub(super) fn established(input: ModelTokens<'_>) -> ModelParseResult<'_, (AstExpr, AstExpr)> {
    let (rest, by) = cut(|input| climb(input, operators::POSTFIX)).parse(input.skip().skip())?;
    let (rest, before) = match rest.first().is_name("before") {
        true => cut(position).parse(rest.skip())?,
        false => cut(no_end).parse(rest)?,
    };
    Ok((rest, (by, before)))
}

/// No `before`.
fn no_end(input: ModelTokens<'_>) -> ModelParseResult<'_, AstExpr> {
    input.unexpected(Expected::Thing("`before`"))
}

/// Neither `between` nor `before`.
fn unbounded(input: ModelTokens<'_>) -> ModelParseResult<'_, AstExpr> {
    input.unexpected(Expected::Thing("`between` or `before`"))
}
