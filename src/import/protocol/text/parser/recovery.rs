//! How reading goes on after a mistake.

use super::input::{Parsed, Tokens};
use kit::parsing::{self, Kind, optional_semicolon};

/// True if something that ends with `;`, or has braces, begins here.
fn begins(input: &Tokens<'_>) -> bool {
    matches!(input.first().kind, Kind::Word(_))
}

/// `;`. Where it is missing and something else begins, or the block ends, that is reported and reading goes on.
pub fn semicolon(input: Tokens<'_>) -> Parsed<'_, ()> {
    parsing::semicolon(begins)(input)
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
    while !at.at_end() && !begins(&at) && !at.at(";") && !at.at("}") {
        if at.at("{") {
            return Some(at);
        }
        at = at.skip();
    }
    None
}

/// A [`parsing::block`], perhaps with `;` behind it.
pub fn block<'a, O>(
    thing: &'static str,
    entry: fn(Tokens<'a>) -> Parsed<'a, O>,
    ends: fn(&Tokens<'a>) -> bool,
) -> impl FnMut(Tokens<'a>) -> Parsed<'a, Vec<Option<O>>> {
    let mut block = parsing::block(thing, entry, ends, after_mistake);
    move |input| block(input).map(|(rest, entries)| (optional_semicolon(rest), entries))
}
