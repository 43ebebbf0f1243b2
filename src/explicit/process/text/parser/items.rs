//! Modules and definitions.

use super::behaviours::{assertion, sequence};
use super::expressions::expression;
use super::input::{ProcessParseResult, ProcessTokens, function_name, name, spelt, token};
use super::parameters::{gates_with_channels, parameters, routine_parameters};
use super::recovery;
use crate::process::text::tree::{
    Behaviour, BehaviourKind, ChannelItem, ConstructorItem, ExprSyntax, ExprSyntaxKind, Pragma, ProcessFile,
    ProcessName, Routine, TypeItem, TypeSyntaxKind, UnreadDefinition,
};
use kit::parsing::{Expected, TokenKind, separated};
use nom::Parser;
use nom::combinator::opt;
use nom::sequence::{delimited, pair, preceded, separated_pair, terminated};

/// A whole file; never fails.
pub fn file(input: ProcessTokens<'_>) -> ProcessFile {
    let mut file = ProcessFile::default();
    let mut rest = input;
    let in_module = rest.at("module");
    if in_module {
        rest = match header(rest, &mut file) {
            Ok((rest, ())) => rest,
            Err(failure) => {
                file.lacks_modules = true;
                rest.state.report(failure, None);
                recovery::next_item(rest)
            }
        };
    }
    loop {
        if rest.at_end() {
            return file;
        }
        if in_module && rest.at("end") && rest.second_at("module") {
            rest = rest.skip().skip();
            if !rest.at_end() {
                rest.state.report(rest.fail(Expected::Thing("the end of the text")), None);
            }
            return file;
        }
        rest = match item(rest, &mut file) {
            Ok((rest, ())) => rest,
            Err(failure) => {
                file.lost.push(lost(rest));
                rest.state.report(failure, None);
                recovery::next_item(rest)
            }
        };
    }
}

/// A definition that could not be read, as far as it is known.
fn lost(input: ProcessTokens<'_>) -> UnreadDefinition {
    match (input.first().kind, input.peek(1).kind) {
        (TokenKind::Word(word), TokenKind::Name) => {
            UnreadDefinition { word, name: name(input.skip()).ok().map(|(_, name)| name) }
        }
        (TokenKind::Word(word), _) => UnreadDefinition { word, name: None },
        _ => UnreadDefinition { word: "", name: None },
    }
}

/// `module M (N) with "get" is !nat_sup 6`
fn header<'a>(input: ProcessTokens<'a>, file: &mut ProcessFile) -> ProcessParseResult<'a, ()> {
    let (rest, _) = name(input.skip())?;
    let (rest, imports) = opt(delimited(token("("), separated(",", name), token(")"))).parse(rest)?;
    let at_with = rest;
    let (rest, aliases) = with(rest)?;
    if !aliases.is_empty() {
        let help = "give them after the definition of a type, or call them by their usual names";
        return Err(at_with.mistake("other names for functions of all types are not supported", help));
    }
    let (rest, _) = token("is").parse(rest)?;
    file.imports = imports.unwrap_or_default();
    let (rest, pragmas) = pragmas(rest)?;
    file.pragmas = pragmas;
    Ok((rest, ()))
}

/// `with "==", get, "<" as "before"`: all functions are there anyway, so that only other names for them matter.
fn with(input: ProcessTokens<'_>) -> ProcessParseResult<'_, Vec<(ProcessName, ProcessName)>> {
    let (mut rest, mut aliases) = (input, Vec::new());
    if rest.at("with") {
        loop {
            let (after, predefined) = quoted_or_not(rest.skip())?;
            rest = after;
            if rest.at("as") {
                let (after, alias) = quoted_or_not(rest.skip())?;
                aliases.push((predefined, alias));
                rest = after;
            }
            if !rest.at(",") {
                break;
            }
        }
    }
    Ok((rest, aliases))
}

/// The name of a function in a `with` clause; quotes round it may be missing.
fn quoted_or_not(input: ProcessTokens<'_>) -> ProcessParseResult<'_, ProcessName> {
    match input.first().kind {
        TokenKind::Text | TokenKind::Name | TokenKind::Word(_) => Ok((input.skip(), spelt(input))),
        TokenKind::Sign(sign) if ![",", ";", "(", ")"].contains(&sign) => Ok((input.skip(), spelt(input))),
        _ => input.unexpected(Expected::Thing("the name of a function")),
    }
}

/// Pragmas; those that ask for code in another language are mistakes.
fn pragmas(input: ProcessTokens<'_>) -> ProcessParseResult<'_, Vec<Pragma>> {
    let (mut rest, mut all) = (input, Vec::new());
    while rest.at("!") {
        let (after, name) = name(rest.skip())?;
        if name.key == "EXTERNAL" {
            let message = "definitions in another language (`!external`) are not supported".to_owned();
            return Err(rest.mistake(message, "define it in the language itself"));
        }
        let number = match after.first().kind {
            TokenKind::Number(value) => value,
            _ => None,
        };
        let argument = matches!(after.first().kind, TokenKind::Number(_) | TokenKind::Text);
        rest = if argument { after.skip() } else { after };
        all.push(Pragma { name, number });
    }
    Ok((rest, all))
}

fn item<'a>(input: ProcessTokens<'a>, file: &mut ProcessFile) -> ProcessParseResult<'a, ()> {
    match input.first().kind {
        TokenKind::Word("type") => {
            let (rest, (item, whole)) = type_item(input)?;
            match whole {
                true => file.types.push(item),
                false => file.lost.push(lost(input)),
            }
            Ok((rest, ()))
        }
        TokenKind::Word("channel") => {
            let (rest, (item, whole)) = channel(input)?;
            match whole {
                true => file.channels.push(item),
                false => file.lost.push(lost(input)),
            }
            Ok((rest, ()))
        }
        TokenKind::Word("function") => routine("function").map(|item| file.functions.push(item)).parse(input),
        TokenKind::Word("process") => routine("process").map(|item| file.processes.push(item)).parse(input),
        _ => input.unexpected(Expected::Thing("a type, channel, function or process")),
    }
}

/// A type, and whether it ends where it should: otherwise a part of it is missing.
fn type_item(input: ProcessTokens<'_>) -> ProcessParseResult<'_, (TypeItem, bool)> {
    let (rest, name) = delimited(token("type"), name, token("is")).parse(input)?;
    let (rest, _) = pragmas(rest)?;
    let (rest, kind) = type_kind(rest)?;
    let (rest, aliases) = with(rest)?;
    let whole = rest.at("end") && rest.second_at("type");
    let rest = recovery::closing(input, rest, "type");
    Ok((rest, (TypeItem { name, kind, aliases }, whole)))
}

fn type_kind(input: ProcessTokens<'_>) -> ProcessParseResult<'_, TypeSyntaxKind> {
    let rest = input;
    if rest.at("range") {
        let (rest, (low, high)) = separated_pair(expression, token(".."), expression).parse(rest.skip())?;
        // `2 of nat` is an expression by itself.
        let ExprSyntaxKind::Of(high, of) = high.kind else { return rest.unexpected(Expected::Token("of")) };
        let low = Box::new(low);
        return Ok((rest, TypeSyntaxKind::Range { low, high, of }));
    }
    if rest.at("array") {
        let bounds = separated_pair(expression, token(".."), expression);
        let (rest, (low, high)) = delimited(token("["), bounds, token("]")).parse(rest.skip())?;
        let (rest, of) = preceded(token("of"), name).parse(rest)?;
        return Ok((rest, TypeSyntaxKind::Array { low: Box::new(low), high: Box::new(high), of }));
    }
    let (sorted, rest) = if rest.at("sorted") { (true, rest.skip()) } else { (false, rest) };
    if rest.at("list") || rest.at("set") {
        let set = rest.at("set");
        let (rest, of) = preceded(token("of"), name).parse(rest.skip())?;
        return Ok((rest, TypeSyntaxKind::List { of, sorted, set }));
    }
    if input.second_at(":") {
        let (rest, (variable, condition)) =
            separated_pair(parameters, token("where"), expression).parse(rest)?;
        let Some(variable) = variable.into_iter().next() else {
            return input.unexpected(Expected::Thing("a name"));
        };
        return Ok((rest, TypeSyntaxKind::Restricted { variable, condition: Box::new(condition) }));
    }
    separated(",", constructor).map(TypeSyntaxKind::Constructed).parse(rest)
}

fn constructor(input: ProcessTokens<'_>) -> ProcessParseResult<'_, ConstructorItem> {
    let fields = delimited(token("("), parameters, token(")"));
    let (rest, (name, fields)) = pair(function_name, opt(fields)).parse(input)?;
    let (rest, _) = pragmas(rest)?;
    Ok((rest, ConstructorItem { name, fields: fields.unwrap_or_default() }))
}

/// A channel, and whether it ends where it should.
fn channel(input: ProcessTokens<'_>) -> ProcessParseResult<'_, (ChannelItem, bool)> {
    let (rest, name) = delimited(token("channel"), name, token("is")).parse(input)?;
    let (rest, profiles) = separated(",", profile)(rest)?;
    let whole = rest.at("end") && rest.second_at("channel");
    let rest = recovery::closing(input, rest, "channel");
    Ok((rest, (ChannelItem { name, profiles }, whole)))
}

/// `(nat, bool)`, `(x, y : nat, z : bool)`
fn profile(input: ProcessTokens<'_>) -> ProcessParseResult<'_, Vec<ProcessName>> {
    let (rest, _) = token("(").parse(input)?;
    if rest.at(")") {
        return Ok((rest.skip(), Vec::new()));
    }
    let (after, names) = separated(",", name)(rest)?;
    if after.at(":") {
        let (rest, parameters) = parameters(rest)?;
        return token(")").map(|_| parameters.iter().map(|p| p.of.clone()).collect()).parse(rest);
    }
    token(")").map(|_| names.clone()).parse(after)
}

fn routine<'a>(word: &'static str) -> impl Fn(ProcessTokens<'a>) -> ProcessParseResult<'a, Routine> {
    move |input| {
        let (rest, name) = name(input.skip())?;
        let gates = delimited(token("["), opt(gates_with_channels), token("]"));
        let (rest, gates) = opt(gates).parse(rest)?;
        let values = delimited(token("("), opt(routine_parameters), token(")"));
        let (rest, parameters) = opt(values).parse(rest)?;
        let (rest, result) = match word {
            "function" => opt(preceded(token(":"), self::name)).parse(rest)?,
            _ => (rest, None),
        };
        let (rest, _) = token("is").parse(rest)?;
        let (rest, _) = pragmas(rest)?;
        let (rest, (required, ensured)) = contract(rest)?;
        let (rest, body) = sequence(rest);
        let body = match required.is_empty() {
            true => body,
            false => {
                let span = input.span_to(rest);
                let parts = required.into_iter().chain([body]).collect();
                Behaviour { kind: BehaviourKind::Sequence(parts), span }
            }
        };
        let rest = recovery::closing(input, rest, word);
        Ok((
            rest,
            Routine {
                name,
                gates: gates.flatten().unwrap_or_default(),
                parameters: parameters.flatten().unwrap_or_default(),
                result,
                ensured,
                body,
            },
        ))
    }
}

/// `require E raise X; ensure E;`: what holds at the beginning, as assertions, and at the end.
fn contract(input: ProcessTokens<'_>) -> ProcessParseResult<'_, (Vec<Behaviour>, Vec<ExprSyntax>)> {
    let (mut rest, mut required, mut ensured) = (input, Vec::new(), Vec::new());
    loop {
        if rest.at("require") {
            let (after, kind) = assertion(rest)?;
            required.push(Behaviour { kind, span: rest.span_to(after) });
            rest = token(";").parse(after)?.0;
        } else if rest.at("ensure") {
            let (after, condition) = terminated(expression, token(";")).parse(rest.skip())?;
            ensured.push(condition);
            rest = after;
        } else {
            return Ok((rest, (required, ensured)));
        }
    }
}
