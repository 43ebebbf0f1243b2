//! Expressions over data.

use super::input::{FormulaParseResult, FormulaTokens, variables};
use crate::mucalc::text::tree::{Data, DataKind};
use kit::parsing::{Expected, TokenKind, enclosed, higher, list, nested, token};
use nom::Parser;

/// Operators with two operands, those that bind less tightly first; `true` if they group to the right.
const LEVELS: [(&[&str], bool); 11] = [
    (&["implies"], true),
    (&["or"], true),
    (&["and"], true),
    (&["==", "!="], false),
    (&["<", "<=", ">", ">=", "in"], false),
    (&["|>"], true),
    (&["<|"], false),
    (&["++"], false),
    (&["+", "-"], false),
    (&["*", "div", "mod"], false),
    (&["."], false),
];

const COMPARISONS: usize = 3;

pub fn data(input: FormulaTokens<'_>) -> FormulaParseResult<'_, Data> {
    nested(input, |input| level(input, 0))
}

/// True if what follows a name makes an expression of it, which can stand without `val`.
pub fn compares(rest: FormulaTokens<'_>) -> bool {
    ["==", "!=", "<=", ">=", "in"].into_iter().any(|sign| rest.at(sign))
}

/// A comparison: what binds more tightly than `and`.
pub fn comparison(input: FormulaTokens<'_>) -> FormulaParseResult<'_, Data> {
    level(input, COMPARISONS)
}

pub fn arguments(input: FormulaTokens<'_>) -> FormulaParseResult<'_, Vec<Data>> {
    list("(", data, ")", |_| false).parse(input)
}

fn level(input: FormulaTokens<'_>, at: usize) -> FormulaParseResult<'_, Data> {
    let Some(&(operators, right)) = LEVELS.get(at) else { return unary(input) };
    let (mut rest, mut left) = level(input, at + 1)?;
    while let Some(&operator) = operators.iter().find(|operator| rest.at(operator)) {
        higher(rest)?;
        let next = if right { at } else { at + 1 };
        let (after, operand) = match right {
            true => nested(rest.skip(), |rest| level(rest, next))?,
            false => level(rest.skip(), next)?,
        };
        let kind = DataKind::Binary(operator, Box::new(left), Box::new(operand));
        left = Data { kind, span: input.span_to(after) };
        rest = after;
    }
    Ok((rest, left))
}

fn unary(input: FormulaTokens<'_>) -> FormulaParseResult<'_, Data> {
    for operator in ["not", "-", "#"] {
        if input.at(operator) {
            let (rest, operand) = nested(input.skip(), unary)?;
            let kind = DataKind::Unary(operator, Box::new(operand));
            return Ok((rest, Data { kind, span: input.span_to(rest) }));
        }
    }
    primary(input)
}

fn primary(input: FormulaTokens<'_>) -> FormulaParseResult<'_, Data> {
    let first = input.first();
    let made = |kind, rest: FormulaTokens<'_>| Data { kind, span: input.span_to(rest) };
    if let "true" | "TRUE" | "false" | "FALSE" = first.text {
        let rest = input.skip();
        return Ok((rest, made(DataKind::Bool(first.text.eq_ignore_ascii_case("true")), rest)));
    }
    match first.kind {
        TokenKind::Number(_) => {
            let Ok(number) = first.text.parse() else {
                return Err(input.mistake("this number is too large", "write one of at most 38 digits"));
            };
            let rest = input.skip();
            Ok((rest, made(DataKind::Number(number), rest)))
        }
        TokenKind::Word("exists" | "forall") => {
            let (rest, variables) = variables(input.skip())?;
            let (rest, _) = token(".").parse(rest)?;
            let (rest, body) = data(rest)?;
            let kind = DataKind::Quantifier { all: input.at("forall"), variables, body: Box::new(body) };
            Ok((rest, made(kind, rest)))
        }
        _ if ["lambda", "mu", "nu", "val"].contains(&first.text) => {
            let message = format!("`{}` cannot stand in an expression", first.text);
            Err(input.mistake(message, "expressions are those of the table in docs/mu-calculus.md"))
        }
        TokenKind::Name => {
            let (rest, arguments) = match input.skip() {
                rest if rest.at("(") => nested(rest, arguments)?,
                rest => (rest, Vec::new()),
            };
            Ok((rest, made(DataKind::Name(first.text.to_owned(), arguments), rest)))
        }
        TokenKind::Text => {
            let rest = input.skip();
            Ok((rest, made(DataKind::Name(first.text.to_owned(), Vec::new()), rest)))
        }
        TokenKind::Sign("[") => {
            let (rest, items) = nested(input, |input| list("[", data, "]", |_| false).parse(input))?;
            Ok((rest, made(DataKind::List(items), rest)))
        }
        TokenKind::Sign("{") => {
            let (rest, items) = nested(input, |input| list("{", data, "}", |_| false).parse(input))?;
            Ok((rest, made(DataKind::Set(items), rest)))
        }
        TokenKind::Sign("(") => {
            let (rest, inner) = nested(input, |input| enclosed("(", data, ")").parse(input))?;
            Ok((rest, inner.unwrap_or_else(|| made(DataKind::Bool(false), rest))))
        }
        _ => input.unexpected(Expected::Thing("an expression")),
    }
}
