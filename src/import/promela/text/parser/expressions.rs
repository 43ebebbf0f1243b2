//! Expressions and formulas, with the precedences of Spin.

use super::{PromelaParsed, PromelaTokens, name};
use crate::promela::text::tree::{PlaceSyntax, PromelaExpr, PromelaExprKind};
use kit::parsing::{Expected, TokenKind, higher, nested, separated, token};
use nom::Parser;
use nom::combinator::opt;
use nom::sequence::delimited;

/// A name, in messages.
pub(super) const NAME: &str = "a name";
/// An expression, in messages.
const EXPRESSION: &str = "an expression";

/// The operators of expressions, those that bind least first; all associate to the left.
const LEVELS: &[&[&str]] = &[
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", ">", "<=", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

/// The operators of formulas with two operands, with their spellings, those that bind least first.
const FORMULAS: &[&[(&str, &str)]] = &[
    &[("->", "->"), ("implies", "->"), ("<->", "<->"), ("equivalent", "<->")],
    &[("||", "||"), ("or", "||")],
    &[("&&", "&&"), ("and", "&&")],
    &[
        ("U", "U"),
        ("until", "U"),
        ("stronguntil", "U"),
        ("W", "W"),
        ("weakuntil", "W"),
        ("V", "V"),
        ("R", "V"),
        ("release", "V"),
    ],
];

fn node<'a>(from: PromelaTokens<'a>, to: PromelaTokens<'a>, kind: PromelaExprKind) -> PromelaExpr {
    PromelaExpr { kind, span: from.span_to(to) }
}

/// An expression.
pub(super) fn expression(input: PromelaTokens<'_>) -> PromelaParsed<'_, PromelaExpr> {
    nested(input, |input| binary(input, 0, false))
}

/// A formula of `ltl`.
pub(super) fn formula(input: PromelaTokens<'_>) -> PromelaParsed<'_, PromelaExpr> {
    nested(input, |input| temporal(input, 0))
}

fn temporal(input: PromelaTokens<'_>, level: usize) -> PromelaParsed<'_, PromelaExpr> {
    let Some(signs) = FORMULAS.get(level) else { return binary(input, 2, true) };
    let (mut rest, mut left) = temporal(input, level + 1)?;
    while let Some((_, sign)) = signs.iter().find(|(spelling, _)| rest.at(spelling)) {
        let (after, right) = temporal(rest.skip(), level + 1)?;
        higher(after)?;
        rest = after;
        left = node(input, rest, PromelaExprKind::Binary(sign, Box::new(left), Box::new(right)));
    }
    Ok((rest, left))
}

/// Operands with operators between them; `ltl` if they may be formulas.
fn binary(input: PromelaTokens<'_>, level: usize, ltl: bool) -> PromelaParsed<'_, PromelaExpr> {
    let Some(signs) = LEVELS.get(level) else { return unary(input, ltl) };
    let (mut rest, mut left) = binary(input, level + 1, ltl)?;
    while let Some(sign) = signs.iter().find(|sign| rest.at(sign)) {
        let (after, right) = binary(rest.skip(), level + 1, ltl)?;
        higher(after)?;
        rest = after;
        left = node(input, rest, PromelaExprKind::Binary(sign, Box::new(left), Box::new(right)));
    }
    Ok((rest, left))
}

/// The temporal operator with one operand that begins here, and its number of tokens.
fn temporal_prefix(input: PromelaTokens<'_>) -> Option<(&'static str, usize)> {
    let begins = |first: &str, second: &str| input.at(first) && input.second_at(second);
    Some(match () {
        () if begins("[", "]") => ("[]", 2),
        () if begins("<", ">") => ("<>", 2),
        () if input.at("always") => ("[]", 1),
        () if input.at("eventually") => ("<>", 1),
        () if input.at("next") || input.at("X") => ("X", 1),
        () => return None,
    })
}

fn unary(input: PromelaTokens<'_>, ltl: bool) -> PromelaParsed<'_, PromelaExpr> {
    let prefix = match input.first().kind {
        TokenKind::Sign("!!") => {
            let (rest, operand) = nested(input.skip(), |input| unary(input, ltl))?;
            let inner = node(input, rest, PromelaExprKind::Unary("!", Box::new(operand)));
            return Ok((rest, node(input, rest, PromelaExprKind::Unary("!", Box::new(inner)))));
        }
        TokenKind::Sign(sign @ ("!" | "-" | "~")) => Some((sign, 1)),
        _ if ltl => temporal_prefix(input),
        _ => None,
    };
    let Some((sign, length)) = prefix else { return primary(input, ltl) };
    let after = if length == 2 { input.skip().skip() } else { input.skip() };
    let (rest, operand) = nested(after, |input| unary(input, ltl))?;
    Ok((rest, node(input, rest, PromelaExprKind::Unary(sign, Box::new(operand)))))
}

/// `a[i].b`
pub(super) fn place(input: PromelaTokens<'_>) -> PromelaParsed<'_, PlaceSyntax> {
    let (mut rest, mut parts) = (input, Vec::new());
    loop {
        let (after, own) = name(rest)?;
        let (after, index) = opt(delimited(token("["), expression, token("]"))).parse(after)?;
        parts.push((own, index.map(Box::new)));
        rest = after;
        if !rest.at(".") {
            return Ok((rest, PlaceSyntax { parts, span: input.span_to(rest) }));
        }
        higher(rest)?;
        rest = rest.skip();
    }
}

/// `(a, b)`, possibly empty.
pub(super) fn arguments(input: PromelaTokens<'_>) -> PromelaParsed<'_, Vec<PromelaExpr>> {
    let list = delimited(token("("), opt(separated(",", expression)), token(")"));
    list.map(Option::unwrap_or_default).parse(input)
}

/// `a, b, c`, or `a(b, c)`, of which `run` is no part.
pub(super) fn message(input: PromelaTokens<'_>) -> PromelaParsed<'_, Vec<PromelaExpr>> {
    let (rest, mut all) = separated(",", expression)(input)?;
    if !rest.at("(") {
        return Ok((rest, all));
    }
    let (rest, more) = arguments(rest)?;
    all.extend(more);
    Ok((rest, all))
}

/// The items of a receive statement: values, variables, `eval(e)`, `_`; also `a(b, c)` for `a, b, c`.
pub(super) fn pattern(input: PromelaTokens<'_>) -> PromelaParsed<'_, Vec<PromelaExpr>> {
    if input.at("(") {
        return delimited(token("("), |input| nested(input, pattern), token(")")).parse(input);
    }
    let (mut rest, mut all) = (input, Vec::new());
    loop {
        let (after, item) = pattern_item(rest)?;
        all.push(item);
        rest = after;
        if rest.at("(") {
            let (after, more) =
                delimited(token("("), |input| nested(input, pattern), token(")")).parse(rest)?;
            all.extend(more);
            rest = after;
        }
        if !rest.at(",") {
            return Ok((rest, all));
        }
        rest = rest.skip();
    }
}

fn pattern_item(input: PromelaTokens<'_>) -> PromelaParsed<'_, PromelaExpr> {
    if input.at("eval") {
        let (rest, inner) = delimited(token("("), expression, token(")")).parse(input.skip())?;
        return Ok((rest, node(input, rest, PromelaExprKind::Eval(Box::new(inner)))));
    }
    unary(input, false)
}

fn primary(input: PromelaTokens<'_>, ltl: bool) -> PromelaParsed<'_, PromelaExpr> {
    let rest = input.skip();
    let (rest, kind) = match input.first().kind {
        TokenKind::Number(Some(value)) => (rest, PromelaExprKind::Number(value)),
        TokenKind::Word("true" | "skip") => (rest, PromelaExprKind::Bool(true)),
        TokenKind::Word("false") => (rest, PromelaExprKind::Bool(false)),
        TokenKind::Word("timeout") => (rest, PromelaExprKind::Timeout),
        TokenKind::Pattern if character(input.first().unquoted()).is_some() => {
            (rest, PromelaExprKind::Number(character(input.first().unquoted()).unwrap_or(0)))
        }
        TokenKind::Sign("(") => {
            let (rest, inner) = if ltl { formula(rest)? } else { expression(rest)? };
            if !ltl && rest.at("->") {
                let (rest, (then, _, otherwise, _)) =
                    (expression, token(":"), expression, token(")")).parse(rest.skip())?;
                (rest, PromelaExprKind::If(Box::new(inner), Box::new(then), Box::new(otherwise)))
            } else {
                (token(")").parse(rest)?.0, inner.kind)
            }
        }
        TokenKind::Word("run") => {
            let (rest, (own, values)) = (name, arguments).parse(rest)?;
            if rest.at("priority") {
                return Err(
                    rest.mistake("priorities are not read", "use `provided` to say when a process may run")
                );
            }
            (rest, PromelaExprKind::Run(own, values))
        }
        TokenKind::Word(word @ ("len" | "full" | "empty" | "nfull" | "nempty")) => {
            let (rest, channel) = delimited(token("("), place, token(")")).parse(rest)?;
            (rest, PromelaExprKind::Channel(word, channel))
        }
        TokenKind::Word(word @ ("enabled" | "pc_value" | "np_" | "c_expr")) => {
            return Err(
                input.mistake(format!("`{word}` is not supported"), "use variables, labels or `timeout`")
            );
        }
        TokenKind::Name => named(input)?,
        _ => return input.unexpected(Expected::Thing(EXPRESSION)),
    };
    Ok((rest, node(input, rest, kind)))
}

/// The number of a character between quotes.
fn character(text: &str) -> Option<i64> {
    let mut all = text.chars();
    let code = match (all.next()?, all.next()) {
        (own, None) => own,
        ('\\', Some('n')) => '\n',
        ('\\', Some('t')) => '\t',
        ('\\', Some('r')) => '\r',
        ('\\', Some(own)) => own,
        _ => return None,
    };
    Some(i64::from(u32::from(code)))
}

/// A variable, `q ? [m]`, `p[i]@label`, `p:x`
fn named(input: PromelaTokens<'_>) -> PromelaParsed<'_, PromelaExprKind> {
    let (rest, own) = place(input)?;
    let polls = ["?", "??"].into_iter().find(|sign| rest.at(sign) && rest.second_at("["));
    if let Some(sign) = polls {
        let (rest, pattern) = delimited(token("["), pattern, token("]")).parse(rest.skip())?;
        return Ok((rest, PromelaExprKind::Poll { channel: own, pattern, any: sign == "??" }));
    }
    let remote = rest.at("@") || rest.at(":") && rest.peek(1).kind == TokenKind::Name;
    if !remote || own.parts.len() > 1 || !input.state.grammar.processes.contains(&own.parts[0].0.text) {
        return Ok((rest, PromelaExprKind::Read(own)));
    }
    let (process, index) = own.parts.into_iter().next().expect("there is one part");
    if rest.at("@") {
        let (rest, label) = name(rest.skip())?;
        return Ok((rest, PromelaExprKind::Label { process, index, label }));
    }
    let (rest, place) = place(rest.skip())?;
    Ok((rest, PromelaExprKind::Remote { process, index, place }))
}
