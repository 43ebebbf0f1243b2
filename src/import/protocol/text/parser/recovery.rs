//! How reading goes on after a mistake.

use super::input::{Parsed, Tokens, token};
use kit::parsing::{Expected, Kind};
use nom::Parser;

/// True if something that ends with `;`, or has braces, begins here.
fn begins(input: Tokens<'_>) -> bool {
    matches!(input.first().kind, Kind::Word(_))
}

/// `;`. Where it is missing and something else begins, or the block ends, that is reported and reading goes on.
pub fn semicolon(input: Tokens<'_>) -> Parsed<'_, ()> {
    match token(";").parse(input) {
        Ok((rest, _)) => Ok((rest, ())),
        Err(failure) if input.at_end() || input.at("}") || begins(input) => {
            input.state.report(failure, None);
            Ok((input, ()))
        }
        Err(failure) => Err(failure),
    }
}

/// `;` after a brace, which may be left out.
pub fn optional_semicolon(input: Tokens<'_>) -> Tokens<'_> {
    if input.at(";") { input.skip() } else { input }
}

/// Where to go on after a mistake in a statement: behind its `;`, or where something else begins, or the block ends.
pub fn after_mistake<'a>(from: Tokens<'a>, mistake: Tokens<'a>) -> Tokens<'a> {
    // At least one token is left out.
    let mut at = if mistake.position() > from.position() { mistake } else { from.skip() };
    if mistake.position() == from.position() && mistake.at(";") {
        return at;
    }
    let mut depth = 0_usize;
    while !at.at_end() {
        match at.first().kind {
            Kind::Sign(";") => return at.skip(),
            Kind::Sign("{") => depth += 1,
            Kind::Sign("}") if depth == 0 => return at,
            Kind::Sign("}") => depth -= 1,
            Kind::Word(_) if !continues(at) => return at,
            _ => {}
        }
        at = at.skip();
    }
    at
}

/// True if something else cannot begin here, because what comes before it is not complete: a keyword is in a wrong place.
fn continues(at: Tokens<'_>) -> bool {
    let Some(before) = at.position().checked_sub(1) else { return false };
    let before = at.state.tokens_from(before).first().kind;
    matches!(before, Kind::Word(_) | Kind::Sign("," | "(" | ":" | "_" | "=" | "."))
}

/// The brace that opens the block of a head that cannot be read, if it comes before anything else begins.
pub fn brace_after(mistake: Tokens<'_>) -> Option<Tokens<'_>> {
    let mut at = mistake;
    while !at.at_end() && !begins(at) && !at.at(";") && !at.at("}") {
        if at.at("{") {
            return Some(at);
        }
        at = at.skip();
    }
    None
}

/// `{ entry entry … }`. Mistakes are reported entry by entry. Where `ends` holds, the closing brace is missing, and reading
/// goes on as if it were there. `thing` is what an entry is called. `None` stands for an entry that could not be read.
pub fn block<'a, O>(
    thing: &'static str,
    mut entry: impl FnMut(Tokens<'a>) -> Parsed<'a, O>,
    ends: fn(Tokens<'a>) -> bool,
) -> impl FnMut(Tokens<'a>) -> Parsed<'a, Vec<Option<O>>> {
    move |input| {
        let (mut rest, opening) = token("{").parse(input)?;
        let mut entries = Vec::new();
        loop {
            if rest.at("}") {
                return Ok((optional_semicolon(rest.skip()), entries));
            }
            if rest.at_end() || ends(rest) {
                rest.fail(Expected::Thing(thing));
                rest.state.report(rest.fail(Expected::Token("}")), Some(opening));
                return Ok((rest, entries));
            }
            match entry(rest) {
                Ok((after, entry)) => {
                    entries.push(Some(entry));
                    rest = after;
                }
                Err(failure) => {
                    rest = after_mistake(rest, rest.state.report(failure, None));
                    entries.push(None);
                }
            }
        }
    }
}
