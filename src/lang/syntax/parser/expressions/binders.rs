//! Expressions that begin with a word which is an ordinary name elsewhere: `let x = e in body`, `sum x in S: e`.

use super::{Group, groups, nest, rest_of_expression, within};
use crate::syntax::ast::{Aggregate, Expr, ExprKind, Ident};
use crate::syntax::parser::input::{Parsed, Tokens, name, token};
use crate::syntax::token::Kind;
use kit::parsing::{separated, spanned};
use nom::Parser;
use nom::combinator::cut;
use nom::sequence::{preceded, separated_pair};

/// What begins with such a word.
#[derive(Clone, Copy)]
pub(super) enum Binder {
    Let,
    Aggregate(Aggregate),
}

/// What begins at the front. A name follows the word, and something that binds the name: two names side by side
/// mean nothing else, so the word remains a name everywhere else.
pub(super) fn binder(input: &Tokens<'_>) -> Option<Binder> {
    if input.first().kind != Kind::Name || input.peek(1).kind != Kind::Name {
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
    /// Parses it.
    pub(super) fn parse(self, input: Tokens<'_>) -> Parsed<'_, Expr> {
        match self {
            Binder::Let => let_in(input),
            Binder::Aggregate(aggregate) => over(input, aggregate),
        }
    }
}

fn let_in(input: Tokens<'_>) -> Parsed<'_, Expr> {
    let body = preceded(token("in"), rest_of_expression);
    let (rest, ((bindings, body), span)) = spanned(cut((bindings, body))).parse(input)?;
    Ok((rest, Expr { kind: ExprKind::Let { bindings, body: Box::new(body) }, span }))
}

/// `let x = e, y = f`, where `in` is an operator in brackets only.
pub(in crate::syntax::parser) fn bindings(input: Tokens<'_>) -> Parsed<'_, Vec<(Ident, Expr)>> {
    let binding = separated_pair(name, token("="), rest_of_expression);
    within(input.skip(), true, |input| cut(separated(",", binding)).parse(input))
}

fn over(input: Tokens<'_>, aggregate: Aggregate) -> Parsed<'_, Expr> {
    let (rest, (groups, body)) =
        cut((groups, preceded(token(":"), rest_of_expression))).parse(input.skip())?;
    let of = |inside: usize| match (aggregate, inside) {
        // The number of pairs is the sum of numbers.
        (Aggregate::Count, 1..) => Aggregate::Sum,
        _ => aggregate,
    };
    let over = |inside, Group { vars, domain }, body| {
        let (domain, body) = (Box::new(domain), Box::new(body));
        ExprKind::Aggregate { aggregate: of(inside), vars, domain, body }
    };
    Ok((rest, nest(groups, body, input.span_to(rest), over)))
}
