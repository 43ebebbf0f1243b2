//! How reading goes on after a mistake.

use super::input::ProcessTokens;
use crate::process::text::ITEM_WORDS;
use kit::diagnostics::Diagnostic;
use kit::parsing::TokenKind;

/// Words that open what `end` closes.
const OPENING: &[&str] = &["var", "if", "case", "select", "alt", "par", "loop", "hide", "disrupt"];

/// True if a sequence of behaviours ends here.
pub fn closes(input: ProcessTokens<'_>) -> bool {
    match input.first().kind {
        TokenKind::End => true,
        TokenKind::Word("end" | "else" | "elsif" | "by") | TokenKind::Sign("[]" | "||" | "|") => true,
        TokenKind::Word(word) => ITEM_WORDS.contains(&word),
        _ => false,
    }
}

/// Where to go on after a mistake in a behaviour that began at `from`: behind it, at a `;` or where its sequence ends.
pub fn after_mistake(from: ProcessTokens<'_>, mistake: usize) -> ProcessTokens<'_> {
    let (mut at, mut depth) = (from, 0usize);
    loop {
        let first = at.first();
        match first.kind {
            TokenKind::End => return at,
            TokenKind::Word("end") => {
                if depth == 0 && at.position() >= mistake {
                    return at;
                }
                depth = depth.saturating_sub(1);
                at = at.skip();
            }
            TokenKind::Word(word) if ITEM_WORDS.contains(&word) => return at,
            TokenKind::Word(word) if OPENING.contains(&word) => {
                // `case x in var y in ... end case` has two words and one end.
                let of_case = word == "var" && at.position() > 0 && is_in(from, at);
                depth += usize::from(!of_case);
            }
            TokenKind::Sign(";") if depth == 0 && at.position() >= mistake => return at,
            _ if depth == 0 && at.position() >= mistake && closes(at) => return at,
            _ => {}
        }
        at = at.skip();
    }
}

/// True if the token before this one is the `in` or `is` of a `case`.
fn is_in(from: ProcessTokens<'_>, at: ProcessTokens<'_>) -> bool {
    let before = from.state.tokens_from(at.position() - 1);
    before.at("in") || before.at("is")
}

/// Reads `end WORD`, which closes what was opened at `from`; something else is reported.
pub fn closing<'a>(
    from: ProcessTokens<'a>,
    rest: ProcessTokens<'a>,
    word: &'static str,
) -> ProcessTokens<'a> {
    let opened = "opened here";
    if rest.at("end") {
        if rest.second_at(word) {
            return rest.skip().skip();
        }
        let found = format!("end {}", rest.peek(1).text);
        let message = format!("expected `end {word}`, but found `{}`", found.trim_end());
        let mistake = Diagnostic::error(rest.first().span.to(rest.peek(1).span), message);
        if !rest.peek(1).reported {
            let help = format!("write `end {word}`");
            rest.state.add(mistake.with_related(from.first().span, opened).with_help(help));
        }
        // The end of a definition closes everything that is still open in it.
        return if ITEM_WORDS.iter().any(|item| rest.second_at(item)) { rest } else { rest.skip().skip() };
    }
    let found =
        if rest.at_end() { "the text ends here".into() } else { format!("found `{}`", rest.first().text) };
    let message = format!("expected `end {word}`, but {found}");
    let mistake = Diagnostic::error(rest.first().span, message).with_related(from.first().span, opened);
    let mistake = match rest.first().kind {
        TokenKind::Sign("[]") => {
            mistake.with_help("branches of `select` are separated by `[]`, those of `par` by `||`")
        }
        TokenKind::Sign("||") => {
            mistake.with_help("branches of `par` are separated by `||`, those of `select` by `[]`")
        }
        _ => mistake.with_help(format!("close it with `end {word}`")),
    };
    if !rest.first().reported {
        rest.state.add(mistake);
    }
    // Up to the end of what was opened.
    let mut at = rest;
    while !at.at_end() && !at.at("end") && !ITEM_WORDS.iter().any(|item| at.at(item)) {
        at = after_mistake(at, at.position() + 1);
    }
    if at.at("end") && at.second_at(word) { at.skip().skip() } else { at }
}

/// Where the next definition begins, or the module ends; behind where it is looked for from.
pub fn next_item(from: ProcessTokens<'_>) -> ProcessTokens<'_> {
    let mut at = from.skip();
    while !at.at_end() {
        let before = from.state.tokens_from(at.position() - 1);
        let is_item = ITEM_WORDS.iter().any(|item| at.at(item)) && !before.at("end");
        if is_item || (at.at("end") && at.second_at("module")) {
            return at;
        }
        at = at.skip();
    }
    at
}
