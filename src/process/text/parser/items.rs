//! Modules and definitions.

use super::behaviours::sequence;
use super::expressions::expression;
use super::input::{Parsed, Tokens, name, token};
use super::parameters::{gates_with_channels, parameters};
use super::recovery;
use crate::parsing::{Expected, separated};
use crate::process::text::token::Kind;
use crate::process::text::tree::{
    ChannelItem, ConstructorItem, ExprKind, File, Lost, Name, Pragma, Routine, TypeItem, TypeKind,
};
use nom::Parser;
use nom::combinator::opt;
use nom::sequence::{delimited, pair, preceded, separated_pair};

/// A whole file; never fails.
pub fn file(input: Tokens<'_>) -> File {
    let mut file = File::default();
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

/// What can be said of a definition that is not understood.
fn lost(input: Tokens<'_>) -> Lost {
    match (input.first().kind, input.peek(1).kind) {
        (Kind::Word(word), Kind::Name) => Lost { word, name: name(input.skip()).ok().map(|(_, name)| name) },
        (Kind::Word(word), _) => Lost { word, name: None },
        _ => Lost { word: "", name: None },
    }
}

/// `module M (N) with "get" is !nat_sup 6`
fn header<'a>(input: Tokens<'a>, file: &mut File) -> Parsed<'a, ()> {
    let (rest, _) = name(input.skip())?;
    let (rest, imports) = opt(delimited(token("("), separated(",", name), token(")"))).parse(rest)?;
    let (rest, _) = with(rest)?;
    let (rest, _) = token("is").parse(rest)?;
    file.imports = imports.unwrap_or_default();
    let (rest, pragmas) = pragmas(rest)?;
    file.pragmas = pragmas;
    Ok((rest, ()))
}

/// `with "==", "get" as "g"`: all functions are there anyway.
fn with(input: Tokens<'_>) -> Parsed<'_, ()> {
    let mut rest = input;
    if rest.at("with") {
        loop {
            rest = rest.skip();
            if !matches!(rest.first().kind, Kind::Text | Kind::Name) {
                return rest.unexpected(Expected::Thing("the name of a function between quotes"));
            }
            rest = rest.skip();
            if rest.at("as") {
                let help = "call it by its usual name";
                return Err(rest.mistake("other names for predefined functions are not supported", help));
            }
            if !rest.at(",") {
                break;
            }
        }
    }
    Ok((rest, ()))
}

/// Pragmas; those that ask for code in another language are mistakes.
fn pragmas(input: Tokens<'_>) -> Parsed<'_, Vec<Pragma>> {
    let (mut rest, mut all) = (input, Vec::new());
    while rest.at("!") {
        let (after, name) = name(rest.skip())?;
        if name.key == "EXTERNAL" {
            let message = "definitions in another language (`!external`) are not supported".to_owned();
            return Err(rest.mistake(message, "define it in the language itself"));
        }
        let number = match after.first().kind {
            Kind::Number(value) => value,
            _ => None,
        };
        let argument = matches!(after.first().kind, Kind::Number(_) | Kind::Text);
        rest = if argument { after.skip() } else { after };
        all.push(Pragma { name, number });
    }
    Ok((rest, all))
}

fn item<'a>(input: Tokens<'a>, file: &mut File) -> Parsed<'a, ()> {
    match input.first().kind {
        Kind::Word("type") => {
            let (rest, (item, whole)) = type_item(input)?;
            match whole {
                true => file.types.push(item),
                false => file.lost.push(lost(input)),
            }
            Ok((rest, ()))
        }
        Kind::Word("channel") => {
            let (rest, (item, whole)) = channel(input)?;
            match whole {
                true => file.channels.push(item),
                false => file.lost.push(lost(input)),
            }
            Ok((rest, ()))
        }
        Kind::Word("function") => routine("function").map(|item| file.functions.push(item)).parse(input),
        Kind::Word("process") => routine("process").map(|item| file.processes.push(item)).parse(input),
        _ => input.unexpected(Expected::Thing("a type, channel, function or process")),
    }
}

/// A type, and whether it ends where it should: otherwise a part of it is missing.
fn type_item(input: Tokens<'_>) -> Parsed<'_, (TypeItem, bool)> {
    let (rest, name) = delimited(token("type"), name, token("is")).parse(input)?;
    let (rest, _) = pragmas(rest)?;
    let (rest, kind) = type_kind(rest)?;
    let (rest, _) = with(rest)?;
    let whole = rest.at("end") && rest.second_at("type");
    let rest = recovery::closing(input, rest, "type");
    Ok((rest, (TypeItem { name, kind }, whole)))
}

fn type_kind(input: Tokens<'_>) -> Parsed<'_, TypeKind> {
    let rest = input;
    if rest.at("range") {
        let (rest, (low, high)) = separated_pair(expression, token(".."), expression).parse(rest.skip())?;
        // `2 of nat` is an expression by itself.
        let ExprKind::Of(high, of) = high.kind else { return rest.unexpected(Expected::Token("of")) };
        let low = Box::new(low);
        return Ok((rest, TypeKind::Range { low, high, of }));
    }
    if rest.at("array") {
        return Err(rest.mistake("arrays are not supported", "use a list or several variables"));
    }
    let (sorted, rest) = if rest.at("sorted") { (true, rest.skip()) } else { (false, rest) };
    if rest.at("list") || rest.at("set") {
        let set = rest.at("set");
        let (rest, of) = preceded(token("of"), name).parse(rest.skip())?;
        return Ok((rest, TypeKind::List { of, sorted, set }));
    }
    if input.second_at(":") {
        let help = "use a range, or check values where they are made";
        return Err(input.mistake("types with a condition (`x : T where E`) are not supported", help));
    }
    separated(",", constructor).map(TypeKind::Constructed).parse(rest)
}

fn constructor(input: Tokens<'_>) -> Parsed<'_, ConstructorItem> {
    let fields = delimited(token("("), parameters, token(")"));
    let (rest, (name, fields)) = pair(name, opt(fields)).parse(input)?;
    let (rest, _) = pragmas(rest)?;
    Ok((rest, ConstructorItem { name, fields: fields.unwrap_or_default() }))
}

/// A channel, and whether it ends where it should.
fn channel(input: Tokens<'_>) -> Parsed<'_, (ChannelItem, bool)> {
    let (rest, name) = delimited(token("channel"), name, token("is")).parse(input)?;
    let (rest, profiles) = separated(",", profile)(rest)?;
    let whole = rest.at("end") && rest.second_at("channel");
    let rest = recovery::closing(input, rest, "channel");
    Ok((rest, (ChannelItem { name, profiles }, whole)))
}

/// `(nat, bool)`, `(x, y : nat, z : bool)`
fn profile(input: Tokens<'_>) -> Parsed<'_, Vec<Name>> {
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

fn routine<'a>(word: &'static str) -> impl Fn(Tokens<'a>) -> Parsed<'a, Routine> {
    move |input| {
        let (rest, name) = name(input.skip())?;
        let gates = delimited(token("["), opt(gates_with_channels), token("]"));
        let (rest, gates) = opt(gates).parse(rest)?;
        let values = delimited(token("("), opt(parameters), token(")"));
        let (rest, parameters) = opt(values).parse(rest)?;
        let (rest, result) = match word {
            "function" => preceded(token(":"), self::name).map(Some).parse(rest)?,
            _ => (rest, None),
        };
        let (rest, _) = token("is").parse(rest)?;
        let (rest, _) = pragmas(rest)?;
        let (rest, body) = sequence(rest);
        let rest = recovery::closing(input, rest, word);
        Ok((
            rest,
            Routine {
                name,
                gates: gates.flatten().unwrap_or_default(),
                parameters: parameters.flatten().unwrap_or_default(),
                result,
                body,
            },
        ))
    }
}
