//! Formulas about actions and their sequences.

use super::condition::of_actions;
use super::data::{arguments, compares, comparison, data};
use super::input::{FormulaParseResult, FormulaTokens, variables};
use crate::mucalc::text::Language;
use crate::mucalc::text::tree::{LabelSetSyntax, Name, RegularSyntax, Single};
use kit::diagnostics::{Diagnostic, Span};
use kit::parsing::{Expected, TokenKind, enclosed, higher, name, nested, separated, spanned, token};
use nom::Parser;
use nom::sequence::delimited;

/// The greatest n of `R{n}`.
const MOST_TIMES: u32 = 10_000;

pub fn regular(input: FormulaTokens<'_>) -> FormulaParseResult<'_, RegularSyntax> {
    let (mut rest, first) = chain(input)?;
    let mut parts = vec![first];
    while rest.at("|") || (rest.at("+") && begins(rest.skip())) {
        higher(rest)?;
        let (after, next) = chain(rest.skip())?;
        parts.push(next);
        rest = after;
    }
    rest.fail(Expected::Token("|"));
    Ok((rest, one_or(parts, RegularSyntax::Choice)))
}

/// True if a regular formula can begin here.
fn begins(input: FormulaTokens<'_>) -> bool {
    let first = input.first();
    match first.kind {
        TokenKind::Word(word) => !["and", "or", "implies", "equ"].contains(&word),
        TokenKind::Name | TokenKind::Text | TokenKind::Pattern => true,
        _ => input.at("("),
    }
}

fn chain(input: FormulaTokens<'_>) -> FormulaParseResult<'_, RegularSyntax> {
    let (rest, parts) = separated(".", repeated).parse(input)?;
    Ok((rest, one_or(parts, RegularSyntax::Sequence)))
}

fn one_or(mut parts: Vec<RegularSyntax>, several: fn(Vec<RegularSyntax>) -> RegularSyntax) -> RegularSyntax {
    if parts.len() == 1 { parts.swap_remove(0) } else { several(parts) }
}

fn repeated(input: FormulaTokens<'_>) -> FormulaParseResult<'_, RegularSyntax> {
    let (mut rest, mut regular) = implied(input)?;
    loop {
        let repeat: fn(Box<RegularSyntax>) -> RegularSyntax = match rest.first().text {
            "*" => RegularSyntax::Star,
            "+" if !begins(rest.skip()) => RegularSyntax::Plus,
            "?" => RegularSyntax::Optional,
            "{" => {
                let (after, times) = delimited(token("{"), times, token("}")).parse(rest)?;
                higher(after)?;
                (rest, regular) = (after, RegularSyntax::Times(Box::new(regular), times));
                continue;
            }
            _ => return Ok((rest, regular)),
        };
        higher(rest)?;
        (rest, regular) = (rest.skip(), repeat(Box::new(regular)));
    }
}

fn times(input: FormulaTokens<'_>) -> FormulaParseResult<'_, u32> {
    let number = input.first();
    let TokenKind::Number(times) = number.kind else {
        return input.unexpected(Expected::Thing("a number of repetitions"));
    };
    let times = times.and_then(|times| u32::try_from(times).ok()).unwrap_or(u32::MAX);
    if times > MOST_TIMES {
        let message = format!("at most {MOST_TIMES} repetitions are possible");
        let help = "use `*` or `+` where the number does not matter";
        input.state.add(Diagnostic::error(number.span, message).with_help(help));
    }
    Ok((input.skip(), times))
}

/// `a => b`
fn implied(input: FormulaTokens<'_>) -> FormulaParseResult<'_, RegularSyntax> {
    let (rest, (left, span)) = spanned(either)(input)?;
    if !rest.at("implies") {
        return Ok((rest, left));
    }
    let (rest, (right, right_span)) = nested(rest.skip(), |rest| spanned(implied)(rest))?;
    let left = LabelSetSyntax::Not(Box::new(action_of(left, span, input)));
    let right = action_of(right, right_span, input);
    Ok((rest, RegularSyntax::Action(LabelSetSyntax::Or(vec![left, right]))))
}

fn either(input: FormulaTokens<'_>) -> FormulaParseResult<'_, RegularSyntax> {
    joined(input, "or", both, LabelSetSyntax::Or)
}

fn both(input: FormulaTokens<'_>) -> FormulaParseResult<'_, RegularSyntax> {
    joined(input, "and", single, LabelSetSyntax::And)
}

/// Parts with a word between them; a part alone need not be an action.
fn joined<'a>(
    input: FormulaTokens<'a>,
    word: &'static str,
    part: fn(FormulaTokens<'a>) -> FormulaParseResult<'a, RegularSyntax>,
    join: fn(Vec<LabelSetSyntax>) -> LabelSetSyntax,
) -> FormulaParseResult<'a, RegularSyntax> {
    let (rest, mut parts) = separated(word, spanned(part)).parse(input)?;
    if parts.len() == 1 {
        return Ok((rest, parts.swap_remove(0).0));
    }
    let actions = parts.into_iter().map(|(part, span)| action_of(part, span, input)).collect();
    Ok((rest, RegularSyntax::Action(join(actions))))
}

/// A regular formula in a place where only an action has a meaning.
fn action_of(regular: RegularSyntax, span: Span, input: FormulaTokens<'_>) -> LabelSetSyntax {
    if let RegularSyntax::Action(action) = regular {
        return action;
    }
    let message = "only single actions can be negated, combined by `and` and `or`, or quantified";
    let help = "negate the actions inside; `not` binds more tightly than `*`: `not A*` means `(not A)*`";
    input.state.add(Diagnostic::error(span, message).with_help(help));
    LabelSetSyntax::Bool(false)
}

fn single(input: FormulaTokens<'_>) -> FormulaParseResult<'_, RegularSyntax> {
    let first = input.first();
    if input.at("not") {
        let (rest, (negated, span)) = nested(input.skip(), |input| spanned(single)(input))?;
        let action = action_of(negated, span, input);
        return Ok((rest, RegularSyntax::Action(LabelSetSyntax::Not(Box::new(action)))));
    }
    if input.at("(") {
        let (rest, inner) = nested(input, |input| enclosed("(", regular, ")").parse(input))?;
        return Ok((rest, inner.unwrap_or(RegularSyntax::Action(LabelSetSyntax::Bool(false)))));
    }
    if (input.at("exists") || input.at("forall")) && binds(input.skip()) {
        let (rest, variables) = variables(input.skip())?;
        let (rest, _) = token(".").parse(rest)?;
        let (rest, (body, span)) = nested(rest, |rest| spanned(implied)(rest))?;
        let body = Box::new(action_of(body, span, input));
        let all = input.at("forall");
        return Ok((rest, RegularSyntax::Action(LabelSetSyntax::Quantifier { all, variables, body })));
    }
    if input.at("val") && input.second_at("(") {
        let (rest, condition) = nested(input.skip(), |rest| enclosed("(", data, ")").parse(rest))?;
        return Ok((rest, RegularSyntax::Action(condition.map_or(LabelSetSyntax::Bool(false), of_actions))));
    }
    let action = match first.kind {
        TokenKind::Word("true") => LabelSetSyntax::Bool(true),
        TokenKind::Word("false") => LabelSetSyntax::Bool(false),
        TokenKind::Word("nil") => return Ok((input.skip(), RegularSyntax::Empty(first.span))),
        TokenKind::Name if first.text == "tau" => LabelSetSyntax::Invisible(first.span),
        TokenKind::Text => LabelSetSyntax::Label(first.unquoted().to_owned(), first.span),
        TokenKind::Pattern => LabelSetSyntax::Pattern(first.unquoted().to_owned(), first.span),
        _ => return multi(input),
    };
    Ok((input.skip(), RegularSyntax::Action(action)))
}

/// True if the variables of a quantifier begin here; if not, its keyword is meant as a label.
fn binds(input: FormulaTokens<'_>) -> bool {
    input.first().kind == TokenKind::Name || [":", ","].into_iter().any(|sign| input.second_at(sign))
}

/// `a(1)|b` in mCRL2, `a(1)` in MCL, where `|` is a choice; or a comparison without `val`.
fn multi(input: FormulaTokens<'_>) -> FormulaParseResult<'_, RegularSyntax> {
    let (mut rest, first) = named(input)?;
    if compares(rest) {
        let (rest, condition) = nested(input, comparison)?;
        return Ok((rest, RegularSyntax::Action(LabelSetSyntax::Val(condition))));
    }
    let mut all = vec![first];
    while input.state.grammar.language == Language::Mcrl2 && rest.at("|") {
        let (after, next) = named(rest.skip())?;
        all.push(next);
        rest = after;
    }
    Ok((rest, RegularSyntax::Action(LabelSetSyntax::Multi(all))))
}

fn named(input: FormulaTokens<'_>) -> FormulaParseResult<'_, Single> {
    let first = input.first();
    let (rest, name) = match first.kind {
        // Keywords that have no meaning here.
        TokenKind::Word("in" | "mu" | "nu") => {
            (input.skip(), Name { text: first.text.to_owned(), span: first.span })
        }
        _ => name(input, "an action")?,
    };
    if !rest.at("(") {
        return Ok((rest, Single { name, arguments: None }));
    }
    let (rest, arguments) = nested(rest, arguments)?;
    Ok((rest, Single { name, arguments: Some(arguments) }))
}
