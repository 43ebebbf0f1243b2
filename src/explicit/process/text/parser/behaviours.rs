//! Bodies of processes and functions.

use super::expressions::{element, exceptions, expression, pattern};
use super::input::{ProcessParseResult, ProcessTokens, name, token};
use super::parameters::{gates_with_channels, parameters};
use super::recovery;
use crate::process::text::tree::{
    ActionSyntax, ArmSyntax, Behaviour, BehaviourKind, ExprSyntax, ExprSyntaxKind, GatesSyntax, OfferSyntax,
    ProcessName,
};
use kit::parsing::{Expected, TokenKind, nested, separated};
use nom::Parser;
use nom::combinator::opt;
use nom::sequence::{delimited, pair, preceded, terminated};

/// Words that are part of the language but not of what is supported.
const UNSUPPORTED: &[&str] = &["trap"];

/// Behaviours with `;` between them, up to something that cannot follow: never fails, and what was not understood is
/// reported and skipped.
pub fn sequence(input: ProcessTokens<'_>) -> (ProcessTokens<'_>, Behaviour) {
    let (mut rest, mut parts) = (input, Vec::new());
    loop {
        if !parts.is_empty() && recovery::closes(rest) {
            break;
        }
        let from = rest;
        let (after, part) = match nested(rest, single) {
            Ok(read) => read,
            Err(failure) => {
                let mistake = rest.state.report(failure, None).position();
                let after = recovery::after_mistake(from, mistake);
                (after, Behaviour { kind: BehaviourKind::Wrong, span: from.span_to(after) })
            }
        };
        parts.push(part);
        rest = after;
        if rest.at(";") {
            rest = rest.skip();
        } else if recovery::closes(rest) {
            break;
        } else {
            let mistake = rest.state.report(rest.fail(Expected::Token(";")), None);
            rest = recovery::after_mistake(rest, mistake.position());
            if rest.at(";") {
                rest = rest.skip();
            }
        }
    }
    let span = input.span_to(rest);
    match parts.pop() {
        Some(only) if parts.is_empty() => (rest, only),
        last => {
            parts.extend(last);
            (rest, Behaviour { kind: BehaviourKind::Sequence(parts), span })
        }
    }
}

fn boxed(input: ProcessTokens<'_>) -> (ProcessTokens<'_>, Box<Behaviour>) {
    let (rest, body) = sequence(input);
    (rest, Box::new(body))
}

fn single(input: ProcessTokens<'_>) -> ProcessParseResult<'_, Behaviour> {
    let first = input.first();
    let (rest, kind) = match first.kind {
        TokenKind::Name if input.second_at(":=") => assignment(input)?,
        TokenKind::Name if assigns_element(input) => element_assignment(input)?,
        TokenKind::Name => action(input)?,
        TokenKind::Word("null") => (input.skip(), BehaviourKind::Null),
        TokenKind::Word("stop") => (input.skip(), BehaviourKind::Stop),
        TokenKind::Word("var") => variables(input)?,
        TokenKind::Word("if") => condition(input, false)?,
        TokenKind::Word("only") if input.second_at("if") => condition(input.skip(), true)?,
        TokenKind::Word("case") => case(input)?,
        TokenKind::Word(word @ ("select" | "alt")) => select(input, word)?,
        TokenKind::Word("par") => par(input)?,
        TokenKind::Word("loop") => forever(input)?,
        TokenKind::Word("while") => while_loop(input)?,
        TokenKind::Word("for") => for_loop(input)?,
        TokenKind::Word("break") => {
            let (rest, label) = opt(name).parse(input.skip())?;
            (rest, BehaviourKind::Break(label))
        }
        TokenKind::Word("hide") => hide(input)?,
        TokenKind::Word("disrupt") => disrupt(input)?,
        TokenKind::Word("return") => {
            let (rest, value) = expression(input.skip())?;
            (rest, BehaviourKind::Return(value))
        }
        TokenKind::Word("raise") => {
            let (rest, exception) = name(input.skip())?;
            let rest = if rest.at("(") && rest.second_at(")") { rest.skip().skip() } else { rest };
            (rest, BehaviourKind::Raise(exception))
        }
        TokenKind::Word("assert" | "require") => assertion(input)?,
        TokenKind::Word("eval") => {
            let (rest, result) = match input.peek(2).text {
                ":=" => terminated(name, token(":=")).map(Some).parse(input.skip())?,
                _ => (input.skip(), None),
            };
            let (rest, call) = call(rest)?;
            (rest, BehaviourKind::Eval(result, call))
        }
        TokenKind::Word("use") => {
            let (rest, _) = separated(",", name)(input.skip())?;
            (rest, BehaviourKind::Null)
        }
        TokenKind::Word(word) if UNSUPPORTED.contains(&word) => {
            return Err(input.mistake(
                format!("`{word}` is not supported"),
                "docs/processes.md lists the supported constructs",
            ));
        }
        _ => return input.unexpected(Expected::Thing("a behaviour")),
    };
    Ok((rest, Behaviour { kind, span: input.span_to(rest) }))
}

fn assignment(input: ProcessTokens<'_>) -> ProcessParseResult<'_, BehaviourKind> {
    let (rest, variable) = terminated(name, token(":=")).parse(input)?;
    if !rest.at("any") {
        return expression.map(|value| BehaviourKind::Assign(variable.clone(), value)).parse(rest);
    }
    let filter = opt(preceded(token("where"), expression));
    let (rest, (of, condition)) = pair(name, filter).parse(rest.skip())?;
    Ok((rest, BehaviourKind::AssignAny(variable, of, condition)))
}

/// True if an assignment to an element of an array begins here: `x [`, up to the matching `]`, and then `:=` or `[`.
fn assigns_element(input: ProcessTokens<'_>) -> bool {
    let mut at = input.skip();
    if !at.at("[") {
        return false;
    }
    let mut depth = 0usize;
    loop {
        match at.first().kind {
            TokenKind::Sign("[") => depth += 1,
            TokenKind::Sign("]") => depth -= 1,
            TokenKind::Sign(";") | TokenKind::End => return false,
            _ => {}
        }
        at = at.skip();
        if depth == 0 {
            return at.at(":=") || at.at("[");
        }
    }
}

/// `x [e] := f`, which is `x := "x with f at e"`; `x [e] [f] := g` likewise.
fn element_assignment(input: ProcessTokens<'_>) -> ProcessParseResult<'_, BehaviourKind> {
    let (mut rest, variable) = name(input)?;
    let mut arrays = vec![ExprSyntax {
        id: input.state.grammar.fresh(),
        kind: ExprSyntaxKind::Name(variable.clone()),
        span: variable.span,
    }];
    let mut places = Vec::new();
    while rest.at("[") {
        let (after, place) = delimited(token("["), expression, token("]")).parse(rest)?;
        let array = arrays[arrays.len() - 1].clone();
        rest = after;
        places.push(place.clone());
        arrays.push(element(input, rest, "[]", vec![array, place]));
    }
    let (rest, mut value) = preceded(token(":="), expression).parse(rest)?;
    arrays.pop();
    for (array, place) in arrays.into_iter().zip(places).rev() {
        value = element(input, rest, "[]:=", vec![array, place, value]);
    }
    Ok((rest, BehaviourKind::Assign(variable, value)))
}

/// `assert E raise X`
pub fn assertion(input: ProcessTokens<'_>) -> ProcessParseResult<'_, BehaviourKind> {
    let exception = opt(preceded(token("raise"), terminated(name, opt(pair(token("("), token(")"))))));
    let (rest, (condition, exception)) = pair(expression, exception).parse(input.skip())?;
    Ok((rest, BehaviourKind::Assert(condition, exception)))
}

/// The call of a function as a statement: `F [X] (e, ?x, !?y)`.
fn call(input: ProcessTokens<'_>) -> ProcessParseResult<'_, ActionSyntax> {
    let (rest, name) = name(input)?;
    let (rest, _) = opt(exceptions).parse(rest)?;
    let (rest, offers) = opt(delimited(token("("), opt(separated(",", offer)), token(")"))).parse(rest)?;
    Ok((
        rest,
        ActionSyntax { name, gates: None, offers: offers.flatten().unwrap_or_default(), condition: None },
    ))
}

/// `G (!e, ?x) where E`, `P [G] (e)`.
pub fn action(input: ProcessTokens<'_>) -> ProcessParseResult<'_, BehaviourKind> {
    let (rest, name) = name(input)?;
    let (rest, gates) = opt(gates).parse(rest)?;
    let offers = delimited(token("("), opt(separated(",", offer)), token(")"));
    let (rest, offers) = opt(offers).parse(rest)?;
    if rest.at("!") || rest.at("?") {
        return rest.unexpected(Expected::Token("("));
    }
    let (rest, condition) = opt(preceded(token("where"), expression)).parse(rest)?;
    let offers = offers.flatten().unwrap_or_default();
    Ok((rest, BehaviourKind::Action(ActionSyntax { name, gates, offers, condition })))
}

fn gates(input: ProcessTokens<'_>) -> ProcessParseResult<'_, GatesSyntax> {
    let (mut rest, _) = token("[").parse(input)?;
    let mut gates = GatesSyntax { list: Vec::new(), others: false };
    while !rest.at("]") {
        if rest.at("...") {
            gates.others = true;
            rest = rest.skip();
        } else {
            let (after, first) = name(rest)?;
            let (after, actual) = opt(preceded(token("->"), name)).parse(after)?;
            gates.list.push(match actual {
                Some(actual) => (Some(first), actual),
                None => (None, first),
            });
            rest = after;
        }
        if !rest.at("]") {
            rest = token(",").parse(rest)?.0;
        }
    }
    Ok((rest.skip(), gates))
}

fn offer(input: ProcessTokens<'_>) -> ProcessParseResult<'_, OfferSyntax> {
    if input.at("?") {
        return pattern.map(OfferSyntax::Receive).parse(input.skip());
    }
    if input.at("!") && input.second_at("?") {
        return name.map(OfferSyntax::Change).parse(input.skip().skip());
    }
    let value = if input.at("!") { input.skip() } else { input };
    expression.map(OfferSyntax::Send).parse(value)
}

fn variables(input: ProcessTokens<'_>) -> ProcessParseResult<'_, BehaviourKind> {
    let (rest, variables) = delimited(token("var"), parameters, token("in")).parse(input)?;
    let (rest, body) = boxed(rest);
    let rest = recovery::closing(input, rest, "var");
    Ok((rest, BehaviourKind::Var(variables, body)))
}

fn condition(input: ProcessTokens<'_>, only: bool) -> ProcessParseResult<'_, BehaviourKind> {
    let (mut rest, mut cases) = (input, Vec::new());
    while rest.at("if") || rest.at("elsif") {
        let (after, condition) = terminated(expression, token("then")).parse(rest.skip())?;
        let (after, body) = sequence(after);
        cases.push((condition, body));
        rest = after;
        if rest.at("if") {
            break;
        }
    }
    let mut otherwise = None;
    if rest.at("else") {
        let (after, body) = boxed(rest.skip());
        (rest, otherwise) = (after, Some(body));
    }
    let rest = recovery::closing(input, rest, "if");
    Ok((rest, BehaviourKind::If { cases, otherwise, only }))
}

fn case(input: ProcessTokens<'_>) -> ProcessParseResult<'_, BehaviourKind> {
    let (rest, values) = separated(",", expression)(input.skip())?;
    let rest = if rest.at("is") { rest.skip() } else { token("in").parse(rest)?.0 };
    let (rest, variables) = match rest.at("var") {
        true => delimited(token("var"), parameters, token("in")).parse(rest)?,
        false => (rest, Vec::new()),
    };
    let mut rest = if rest.at("|") { rest.skip() } else { rest };
    let mut arms = Vec::new();
    loop {
        let (after, patterns) = separated("|", separated(",", pattern))(rest)?;
        let (after, condition) = opt(preceded(token("where"), expression)).parse(after)?;
        let (after, _) = token("->").parse(after)?;
        let (after, body) = sequence(after);
        arms.push(ArmSyntax { patterns, condition, body });
        rest = after;
        if !rest.at("|") {
            break;
        }
        rest = rest.skip();
    }
    let rest = recovery::closing(input, rest, "case");
    Ok((rest, BehaviourKind::Case { values, variables, arms }))
}

fn select<'a>(input: ProcessTokens<'a>, word: &'static str) -> ProcessParseResult<'a, BehaviourKind> {
    let (mut rest, first) = sequence(input.skip());
    let mut branches = vec![first];
    while rest.at("[]") {
        let (after, branch) = sequence(rest.skip());
        branches.push(branch);
        rest = after;
    }
    let rest = recovery::closing(input, rest, word);
    Ok((rest, BehaviourKind::Select(branches)))
}

/// Names with `word` after them, if that is what comes.
fn names_before<'a>(
    input: ProcessTokens<'a>,
    word: &'static str,
) -> ProcessParseResult<'a, Vec<ProcessName>> {
    let mut ahead = input;
    while ahead.first().kind == TokenKind::Name && ahead.second_at(",") {
        ahead = ahead.skip().skip();
    }
    if ahead.first().kind != TokenKind::Name || !ahead.second_at(word) {
        return Ok((input, Vec::new()));
    }
    terminated(separated(",", name), token(word)).parse(input)
}

fn par(input: ProcessTokens<'_>) -> ProcessParseResult<'_, BehaviourKind> {
    let mut rest = input.skip();
    if rest.second_at("#") {
        let message = "`par` with a number of branches that meet (`G#2`) is not supported".to_owned();
        return Err(rest.mistake(message, "list the gates on which branches synchronise instead"));
    }
    let (after, gates) = names_before(rest, "in")?;
    rest = if gates.is_empty() && after.at("in") { after.skip() } else { after };
    let mut branches = Vec::new();
    loop {
        let (after, own) = names_before(rest, "->")?;
        let (after, body) = sequence(after);
        branches.push((own, body));
        rest = after;
        if !rest.at("||") {
            break;
        }
        rest = rest.skip();
    }
    let rest = recovery::closing(input, rest, "par");
    Ok((rest, BehaviourKind::Par { gates, branches }))
}

fn forever(input: ProcessTokens<'_>) -> ProcessParseResult<'_, BehaviourKind> {
    let rest = input.skip();
    let (rest, label) = match rest.first().kind == TokenKind::Name && rest.second_at("in") {
        true => terminated(name, token("in")).map(Some).parse(rest)?,
        false => (rest, None),
    };
    let (rest, body) = boxed(rest);
    let rest = recovery::closing(input, rest, "loop");
    Ok((rest, BehaviourKind::Loop(label, body)))
}

fn while_loop(input: ProcessTokens<'_>) -> ProcessParseResult<'_, BehaviourKind> {
    let (rest, condition) = terminated(expression, token("loop")).parse(input.skip())?;
    let (rest, body) = boxed(rest);
    let rest = recovery::closing(input, rest, "loop");
    Ok((rest, BehaviourKind::While(condition, body)))
}

fn for_loop(input: ProcessTokens<'_>) -> ProcessParseResult<'_, BehaviourKind> {
    let (rest, first) = nested(input.skip(), single)?;
    let (rest, condition) = delimited(token("while"), expression, token("by")).parse(rest)?;
    let (rest, step) = nested(rest, single)?;
    let (rest, _) = token("loop").parse(rest)?;
    let (rest, body) = boxed(rest);
    let rest = recovery::closing(input, rest, "loop");
    Ok((rest, BehaviourKind::For { first: Box::new(first), condition, step: Box::new(step), body }))
}

fn hide(input: ProcessTokens<'_>) -> ProcessParseResult<'_, BehaviourKind> {
    let (rest, gates) = delimited(token("hide"), gates_with_channels, token("in")).parse(input)?;
    let (rest, body) = boxed(rest);
    let rest = recovery::closing(input, rest, "hide");
    Ok((rest, BehaviourKind::Hide(gates, body)))
}

fn disrupt(input: ProcessTokens<'_>) -> ProcessParseResult<'_, BehaviourKind> {
    let (rest, first) = boxed(input.skip());
    let (rest, _) = token("by").parse(rest)?;
    let (rest, second) = boxed(rest);
    let rest = recovery::closing(input, rest, "disrupt");
    Ok((rest, BehaviourKind::Disrupt(first, second)))
}
