//! Formulas about states.

use super::actions::regular;
use super::condition::of_states;
use super::data::{arguments, compares, comparison, data};
use super::input::{FormulaParseResult, FormulaTokens, sort, variables};
use crate::mucalc::text::tree::{Data, RegularSyntax, StateKind, StateSyntax, TypedVariable};
use kit::parsing::{Expected, enclosed, higher, list, name, nested, separated, token};
use nom::Parser;

/// A formula; binders reach as far as possible.
pub fn state(input: FormulaTokens<'_>) -> FormulaParseResult<'_, StateSyntax> {
    nested(input, equal)
}

fn made(kind: StateKind, from: FormulaTokens<'_>, rest: FormulaTokens<'_>) -> StateSyntax {
    StateSyntax { kind, span: from.span_to(rest) }
}

fn equal(input: FormulaTokens<'_>) -> FormulaParseResult<'_, StateSyntax> {
    let (mut rest, mut left) = implied(input)?;
    while rest.at("equ") {
        higher(rest)?;
        let (after, right) = implied(rest.skip())?;
        left = made(StateKind::Equal(Box::new(left), Box::new(right)), input, after);
        rest = after;
    }
    Ok((rest, left))
}

fn implied(input: FormulaTokens<'_>) -> FormulaParseResult<'_, StateSyntax> {
    let (rest, left) = either(input)?;
    if !rest.at("implies") {
        return Ok((rest, left));
    }
    let (rest, right) = nested(rest.skip(), implied)?;
    Ok((rest, made(StateKind::Implies(Box::new(left), Box::new(right)), input, rest)))
}

fn either(input: FormulaTokens<'_>) -> FormulaParseResult<'_, StateSyntax> {
    joined(input, "or", both, StateKind::Or)
}

fn both(input: FormulaTokens<'_>) -> FormulaParseResult<'_, StateSyntax> {
    joined(input, "and", unary, StateKind::And)
}

fn joined<'a>(
    input: FormulaTokens<'a>,
    word: &'static str,
    part: fn(FormulaTokens<'a>) -> FormulaParseResult<'a, StateSyntax>,
    join: fn(Vec<StateSyntax>) -> StateKind,
) -> FormulaParseResult<'a, StateSyntax> {
    let (rest, mut parts) = separated(word, part).parse(input)?;
    match parts.len() {
        1 => Ok((rest, parts.swap_remove(0))),
        _ => Ok((rest, made(join(parts), input, rest))),
    }
}

fn unary(input: FormulaTokens<'_>) -> FormulaParseResult<'_, StateSyntax> {
    if input.at("not") {
        let (rest, of) = nested(input.skip(), unary)?;
        return Ok((rest, made(StateKind::Not(Box::new(of)), input, rest)));
    }
    if input.at("<") {
        return modal(input, false, ("<", ">"), "@");
    }
    if input.at("[") {
        return modal(input, true, ("[", "]"), "-|");
    }
    if input.at("mu") || input.at("nu") {
        return fixpoint(input);
    }
    if input.at("forall") || input.at("exists") {
        let (rest, variables) = variables(input.skip())?;
        let (rest, _) = token(".").parse(rest)?;
        let (rest, body) = state(rest)?;
        let kind = StateKind::Quantifier { all: input.at("forall"), variables, body: Box::new(body) };
        return Ok((rest, made(kind, input, rest)));
    }
    atom(input)
}

/// `<R> f`, `[R] f`, `<R> @`, `[R] -|`
fn modal<'a>(
    input: FormulaTokens<'a>,
    all: bool,
    (open, close): (&'static str, &'static str),
    forever: &str,
) -> FormulaParseResult<'a, StateSyntax> {
    let (rest, sequences) = nested(input, |input| enclosed(open, regular, close).parse(input))?;
    let sequences = sequences.unwrap_or(RegularSyntax::Empty(input.first().span));
    if rest.at(forever) {
        let rest = rest.skip();
        return Ok((rest, made(StateKind::Forever { all, regular: sequences }, input, rest)));
    }
    let (rest, then) = nested(rest, unary)?;
    let kind = StateKind::Modal { all, regular: sequences, then: Box::new(then) };
    Ok((rest, made(kind, input, rest)))
}

fn fixpoint(input: FormulaTokens<'_>) -> FormulaParseResult<'_, StateSyntax> {
    let (rest, name) = name(input.skip(), "the name of a fixpoint")?;
    let (rest, parameters) = match rest.at("(") {
        true => list("(", parameter, ")", |_| false).parse(rest)?,
        false => (rest, Vec::new()),
    };
    let (rest, _) = token(".").parse(rest)?;
    let (rest, body) = state(rest)?;
    let kind = StateKind::Fixpoint { greatest: input.at("nu"), name, parameters, body: Box::new(body) };
    Ok((rest, made(kind, input, rest)))
}

/// `n: Nat = 0`, `n: Nat := 0`
fn parameter(input: FormulaTokens<'_>) -> FormulaParseResult<'_, (TypedVariable, Data)> {
    let (rest, name) = name(input, "a parameter")?;
    let (rest, _) = token(":").parse(rest)?;
    let (rest, sort) = sort(rest)?;
    if !rest.at("=") && !rest.at(":=") {
        return rest.unexpected(Expected::Token("="));
    }
    let (rest, first) = data(rest.skip())?;
    Ok((rest, (TypedVariable { name, sort }, first)))
}

fn atom(input: FormulaTokens<'_>) -> FormulaParseResult<'_, StateSyntax> {
    if input.at("true") || input.at("false") {
        let rest = input.skip();
        return Ok((rest, made(StateKind::Bool(input.at("true")), input, rest)));
    }
    if input.at("val") {
        return condition(input);
    }
    if input.at("(") {
        let (rest, inner) = nested(input, |input| enclosed("(", state, ")").parse(input))?;
        return Ok((rest, inner.unwrap_or_else(|| made(StateKind::Bool(false), input, rest))));
    }
    let (rest, name) = name(input, "a formula")?;
    let (rest, arguments) = match rest.at("(") {
        true => nested(rest, arguments)?,
        false => (rest, Vec::new()),
    };
    // Comparisons can stand without `val`.
    if compares(rest) {
        let (rest, condition) = nested(input, comparison)?;
        return Ok((rest, made(StateKind::Val(condition), input, rest)));
    }
    Ok((rest, made(StateKind::Call(name, arguments), input, rest)))
}

/// `val(e)`
fn condition(input: FormulaTokens<'_>) -> FormulaParseResult<'_, StateSyntax> {
    let (rest, condition) = nested(input.skip(), |rest| enclosed("(", data, ")").parse(rest))?;
    let formula = condition.map(of_states);
    Ok((rest, formula.unwrap_or_else(|| made(StateKind::Bool(false), input, rest))))
}
