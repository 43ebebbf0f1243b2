//! Statements.

use super::expressions::{arguments, expression, message, pattern, place};
use super::{PromelaParsed, PromelaTokens, begins_declaration, declarations, name};
use crate::promela::text::tree::{PlaceSyntax, PromelaExpr, PromelaExprKind, PromelaStmt, PromelaStmtKind};
use kit::diagnostics::Span;
use kit::parsing::{Expected, TokenKind, nested, separated, token};
use nom::Parser;
use nom::combinator::opt;
use nom::sequence::{delimited, preceded};

/// For the numbers from a to b, `select` is a choice if b - a is at most this.
const MOST_CHOICES: i64 = 32;

/// Statements up to a closing bracket.
pub(super) fn statements(input: PromelaTokens<'_>) -> PromelaParsed<'_, Vec<PromelaStmt>> {
    nested(input, |input| {
        let (mut rest, mut all) = (input, Vec::new());
        loop {
            while rest.at(";") || rest.at("->") {
                rest = rest.skip();
            }
            if ["}", "fi", "od", "::"].iter().any(|end| rest.at(end)) || rest.at_end() {
                return Ok((rest, all));
            }
            let (after, one) = statement(rest)?;
            all.push(one);
            rest = after;
            let closed = rest.state.tokens[rest.position() - 1].text;
            let closed = closed == "}" || closed == "else";
            let ends = [";", "->", "}", "fi", "od", "::"].iter().any(|end| rest.at(end));
            if rest.at("unless") {
                return Err(rest.mistake(
                    "`unless` is not supported",
                    "write the exception as an option of each statement",
                ));
            }
            if !closed && !ends {
                return rest.unexpected(Expected::Token(";"));
            }
        }
    })
}

/// A statement with its labels.
fn statement(input: PromelaTokens<'_>) -> PromelaParsed<'_, PromelaStmt> {
    let (mut rest, mut labels) = (input, Vec::new());
    while rest.first().kind == TokenKind::Name && rest.second_at(":") {
        let (after, label) = name(rest)?;
        labels.push(label);
        rest = after.skip();
    }
    let ends = [";", "->", "}", "fi", "od", "::"].iter().any(|end| rest.at(end));
    let (after, kind) =
        if ends && !labels.is_empty() { (rest, PromelaStmtKind::Skip) } else { nested(rest, unlabelled)? };
    Ok((after, PromelaStmt { labels, kind, span: rest.span_to(after) }))
}

fn unlabelled(input: PromelaTokens<'_>) -> PromelaParsed<'_, PromelaStmtKind> {
    let after = input.skip();
    let block = |input| delimited(token("{"), statements, token("}")).parse(input);
    let none = |text: &str, help: &str| Err(input.mistake(format!("`{text}` is not supported"), help));
    Ok(match input.first().kind {
        TokenKind::Word("if") => options(after, "fi").map(|(rest, all)| (rest, PromelaStmtKind::If(all)))?,
        TokenKind::Word("do") => options(after, "od").map(|(rest, all)| (rest, PromelaStmtKind::Do(all)))?,
        TokenKind::Word("for") => for_loop(input)?,
        TokenKind::Word("select") => select(input)?,
        TokenKind::Word("break") => (after, PromelaStmtKind::Break),
        TokenKind::Word("goto") => name(after).map(|(rest, label)| (rest, PromelaStmtKind::Goto(label)))?,
        TokenKind::Word("else") => (after, PromelaStmtKind::Else),
        TokenKind::Word("skip") => (after, PromelaStmtKind::Skip),
        TokenKind::Word("assert") => expression(after).map(|(rest, e)| (rest, PromelaStmtKind::Assert(e)))?,
        TokenKind::Word("atomic") => block(after).map(|(rest, all)| (rest, PromelaStmtKind::Atomic(all)))?,
        TokenKind::Word("d_step") => block(after).map(|(rest, all)| (rest, PromelaStmtKind::DStep(all)))?,
        TokenKind::Sign("{") => block(input).map(|(rest, all)| (rest, PromelaStmtKind::Block(all)))?,
        TokenKind::Word("printf") => {
            let values = opt(preceded(token(","), separated(",", expression)));
            (delimited(token("("), (text, values), token(")")).parse(after)?.0, PromelaStmtKind::Skip)
        }
        TokenKind::Word("printm") => (arguments(after)?.0, PromelaStmtKind::Skip),
        TokenKind::Word(word @ ("xr" | "xs")) => {
            let (rest, _) = separated(",", place)(after)?;
            let _ = word;
            (rest, PromelaStmtKind::Declare(Vec::new()))
        }
        TokenKind::Word(word @ ("c_code" | "c_decl")) => {
            return none(word, "rewrite the C code in Promela");
        }
        TokenKind::Word("return") => return none("return", "assign the result to a parameter of `inline`"),
        _ if begins_declaration(input) => {
            declarations(input).map(|(rest, all)| (rest, PromelaStmtKind::Declare(all)))?
        }
        TokenKind::Name => named(input)?,
        _ => expression(input).map(|(rest, e)| (rest, PromelaStmtKind::Expr(e)))?,
    })
}

fn text(input: PromelaTokens<'_>) -> PromelaParsed<'_, ()> {
    match input.first().kind {
        TokenKind::Text => Ok((input.skip(), ())),
        _ => input.unexpected(Expected::Thing("a text")),
    }
}

/// A statement that begins with a name: an assignment, a message, a condition.
fn named(input: PromelaTokens<'_>) -> PromelaParsed<'_, PromelaStmtKind> {
    if input.second_at("(") {
        let message = format!("`{}` is no `inline` that is defined before", input.first().text);
        return Err(input.mistake(message, "processes are started with `run`"));
    }
    let (rest, own) = place(input)?;
    let after = rest.skip();
    let polls = after.at("[");
    Ok(match rest.first().kind {
        TokenKind::Sign("=") => {
            expression(after).map(|(rest, value)| (rest, PromelaStmtKind::Assign(own, value)))?
        }
        TokenKind::Sign(sign @ ("++" | "--")) => {
            let sign = if sign == "++" { "+" } else { "-" };
            (after, step(&own, sign, rest.first().span))
        }
        TokenKind::Sign(sign @ ("!" | "!!")) => {
            let (rest, values) = message(after)?;
            (rest, PromelaStmtKind::Send { channel: own, values, sorted: sign == "!!" })
        }
        TokenKind::Sign(sign @ ("?" | "??")) if !polls => {
            let copy = after.at("<");
            let (rest, pattern) = pattern(if copy { after.skip() } else { after })?;
            let rest = if copy { token(">").parse(rest)?.0 } else { rest };
            (rest, PromelaStmtKind::Receive { channel: own, pattern, any: sign == "??", copy })
        }
        _ => expression(input).map(|(rest, e)| (rest, PromelaStmtKind::Expr(e)))?,
    })
}

/// `x = x + 1`
fn step(own: &PlaceSyntax, sign: &'static str, span: Span) -> PromelaStmtKind {
    let read = PromelaExpr { kind: PromelaExprKind::Read(own.clone()), span: own.span };
    let one = PromelaExpr { kind: PromelaExprKind::Number(1), span };
    let value = PromelaExpr {
        kind: PromelaExprKind::Binary(sign, Box::new(read), Box::new(one)),
        span: own.span.to(span),
    };
    PromelaStmtKind::Assign(own.clone(), value)
}

fn options<'a>(input: PromelaTokens<'a>, end: &'static str) -> PromelaParsed<'a, Vec<Vec<PromelaStmt>>> {
    let (mut rest, mut all) = (input, Vec::new());
    loop {
        (rest, _) = token("::").parse(rest)?;
        let (after, one) = statements(rest)?;
        if one.is_empty() {
            return after.unexpected(Expected::Thing("a statement"));
        }
        all.push(one);
        rest = after;
        if rest.at(end) {
            return Ok((rest.skip(), all));
        }
    }
}

/// `for (i : a .. b) { … }`, or `for (i in array)`, is `i = a; do :: i <= b -> …; i = i + 1 :: else -> break od`.
fn for_loop(input: PromelaTokens<'_>) -> PromelaParsed<'_, PromelaStmtKind> {
    let (rest, (_, own)) = (token("("), place).parse(input.skip())?;
    let (rest, (low, high)) = match rest.at("in") {
        true => {
            let (rest, (array, _)) = (place, token(")")).parse(rest.skip())?;
            let span = array.span;
            let low = PromelaExpr { kind: PromelaExprKind::Number(0), span };
            (rest, (low, PromelaExpr { kind: PromelaExprKind::Channel("last", array), span }))
        }
        false => {
            let (rest, (_, low, _, high, _)) =
                (token(":"), expression, token(".."), expression, token(")")).parse(rest)?;
            (rest, (low, high))
        }
    };
    let rest = if rest.at(";") || rest.at("->") { rest.skip() } else { rest };
    let (rest, mut body) = delimited(token("{"), statements, token("}")).parse(rest)?;
    let span = input.span_to(rest);
    body.insert(0, compared(&own, "<=", high));
    body.push(plain(step(&own, "+", own.span), own.span));
    let leave = vec![plain(PromelaStmtKind::Else, span), plain(PromelaStmtKind::Break, span)];
    let all = vec![
        plain(PromelaStmtKind::Assign(own, low), span),
        plain(PromelaStmtKind::Do(vec![body, leave]), span),
    ];
    Ok((rest, PromelaStmtKind::Sequence(all)))
}

/// `select (i : a .. b)` is a choice of assignments for few numbers, else `i = a; do :: i < b -> i = i + 1 :: break od`.
fn select(input: PromelaTokens<'_>) -> PromelaParsed<'_, PromelaStmtKind> {
    let (rest, (_, own, _, low, _, high, _)) =
        (token("("), place, token(":"), expression, token(".."), expression, token(")"))
            .parse(input.skip())?;
    let span = input.span_to(rest);
    if let (PromelaExprKind::Number(low), PromelaExprKind::Number(high)) = (&low.kind, &high.kind)
        && (0..=MOST_CHOICES).contains(&(high - low))
    {
        let value = |number| PromelaExpr { kind: PromelaExprKind::Number(number), span };
        let option = |number| vec![plain(PromelaStmtKind::Assign(own.clone(), value(number)), span)];
        return Ok((rest, PromelaStmtKind::If((*low..=*high).map(option).collect())));
    }
    let up = vec![compared(&own, "<", high), plain(step(&own, "+", own.span), own.span)];
    let options = vec![up, vec![plain(PromelaStmtKind::Break, span)]];
    let all = vec![plain(PromelaStmtKind::Assign(own, low), span), plain(PromelaStmtKind::Do(options), span)];
    Ok((rest, PromelaStmtKind::Sequence(all)))
}

fn plain(kind: PromelaStmtKind, span: Span) -> PromelaStmt {
    PromelaStmt { labels: Vec::new(), kind, span }
}

fn compared(own: &PlaceSyntax, sign: &'static str, bound: PromelaExpr) -> PromelaStmt {
    let span = own.span.to(bound.span);
    let read = PromelaExpr { kind: PromelaExprKind::Read(own.clone()), span: own.span };
    plain(
        PromelaStmtKind::Expr(PromelaExpr {
            kind: PromelaExprKind::Binary(sign, Box::new(read), Box::new(bound)),
            span,
        }),
        span,
    )
}
