//! Recovery of the parser after a mistake.

use super::input::{ProtocolParsed, ProtocolTokens};
use kit::parsing::{self, TokenKind, optional_semicolon};

/// True if something that ends with `;`, or has braces, begins here.
fn begins(input: &ProtocolTokens<'_>) -> bool {
    matches!(input.first().kind, TokenKind::Word(_))
}

/// Parses `;`. If it is missing and another item begins, or the block ends, reports that and continues.
pub fn semicolon(input: ProtocolTokens<'_>) -> ProtocolParsed<'_, ()> {
    parsing::semicolon(begins)(input)
}

/// Returns the position after a mistake in a statement: behind its `;`, or at the next item or the end of the block.
pub fn after_mistake<'a>(from: ProtocolTokens<'a>, mistake: ProtocolTokens<'a>) -> ProtocolTokens<'a> {
    // At least one token is skipped.
    let mut at = if mistake.position() > from.position() { mistake } else { from.skip() };
    if mistake.position() == from.position() && mistake.at(";") {
        return at;
    }
    let mut depth = 0_usize;
    while !at.at_end() {
        match at.first().kind {
            TokenKind::Sign(";") => return at.skip(),
            TokenKind::Sign("{") => depth += 1,
            TokenKind::Sign("}") if depth == 0 => return at,
            TokenKind::Sign("}") => depth -= 1,
            TokenKind::Word(_) if !continues(at) => return at,
            _ => {}
        }
        at = at.skip();
    }
    at
}

/// True if no item can begin here, because the text before it is incomplete: a keyword is in a wrong place.
fn continues(at: ProtocolTokens<'_>) -> bool {
    let Some(before) = at.position().checked_sub(1) else { return false };
    let before = at.state.tokens_from(before).first().kind;
    matches!(before, TokenKind::Word(_) | TokenKind::Sign("," | "(" | ":" | "_" | "=" | "."))
}

/// Returns the brace that opens the block of a malformed head, if it comes before any other item.
pub fn brace_after(mistake: ProtocolTokens<'_>) -> Option<ProtocolTokens<'_>> {
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
    entry: fn(ProtocolTokens<'a>) -> ProtocolParsed<'a, O>,
    ends: fn(&ProtocolTokens<'a>) -> bool,
) -> impl FnMut(ProtocolTokens<'a>) -> ProtocolParsed<'a, Vec<Option<O>>> {
    let mut block = parsing::block(thing, entry, ends, after_mistake);
    move |input| block(input).map(|(rest, entries)| (optional_semicolon(rest), entries))
}
