//! `never e between t1 and t2`, `never e before t`. The words are ordinary names elsewhere.

use super::postfix::position;
use super::{climb, starts_operand};
use crate::syntax::ast::{Expr, ExprKind};
use crate::syntax::operators;
use crate::syntax::parser::input::{Parsed, Tokens};
use kit::parsing::{Expected, token};
use nom::Parser;
use nom::combinator::cut;
use nom::sequence::preceded;

/// True if `never e` is at the front, in a text that gives the name to nothing else.
pub(super) fn is_never(input: &Tokens<'_>) -> bool {
    input.first().is_name("never") && !input.state.grammar.declares_never && starts_operand(input, 1)
}

/// `never e between t1 and t2`, `never e before t`
pub(super) fn never(input: Tokens<'_>) -> Parsed<'_, Expr> {
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
    let kind = ExprKind::Never { value: Box::new(value), after, before: Box::new(before) };
    Ok((rest, Expr { kind, span: input.span_to(rest) }))
}

/// Neither `between` nor `before`.
fn unbounded(input: Tokens<'_>) -> Parsed<'_, Expr> {
    input.unexpected(Expected::Thing("`between` or `before`"))
}
