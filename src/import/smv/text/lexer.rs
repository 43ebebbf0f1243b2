//! The lexer: text to tokens; what it cannot read is reported and skipped.

use super::token::{Kind, SECTION_WORDS, SIGNS, Token, WORDS};
use kit::diagnostics::{Diagnostic, SourceId, Span};
use kit::parsing::{prefix, printable};

/// A text in pieces.
#[derive(Debug)]
pub(super) struct Lexed<'a> {
    /// The tokens; the last one is always [`Kind::End`].
    pub tokens: Vec<Token<'a>>,
    /// What could not be read.
    pub mistakes: Vec<Diagnostic>,
}

/// Cuts a text into tokens.
pub(super) fn lex(source: SourceId, text: &str) -> Lexed<'_> {
    let mut lexed = Lexed { tokens: Vec::new(), mistakes: Vec::new() };
    let mut at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    while let Some(c) = text[at..].chars().next() {
        at += if c.is_whitespace() { c.len_utf8() } else { lexed.piece(source, text, at, c) };
    }
    let end = Span::new(source, text.len(), text.len());
    lexed.tokens.push(Token { kind: Kind::End, text: "", span: end });
    lexed
}

impl<'a> Lexed<'a> {
    /// Reads the token or comment at `at`, which begins with `c`, and gives its length.
    fn piece(&mut self, source: SourceId, text: &'a str, at: usize, c: char) -> usize {
        let rest = &text[at..];
        let span = |length| Span::new(source, at, at + length);
        if rest.starts_with("--") {
            return prefix(rest, |c| c != '\n');
        }
        if let Some(inner) = rest.strip_prefix("/--") {
            return inner.find("--/").map_or_else(
                || {
                    self.wrong(span(3), "unterminated comment", "close it with `--/`");
                    rest.len()
                },
                |end| end + 6,
            );
        }
        if c == '#' {
            let length = prefix(rest, |c| c != '\n');
            let help = "run the preprocessor first: `cpp -P model.smv > expanded.smv`";
            self.wrong(span(length), "lines of the C preprocessor are not read", help);
            return length;
        }
        let (kind, length) = if let Some(length) = name(rest) {
            let word = SECTION_WORDS.iter().chain(WORDS).find(|word| **word == &rest[..length]);
            (word.map_or(Kind::Name, |word| Kind::Word(word)), length)
        } else if c.is_ascii_digit() {
            number(rest)
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (Kind::Sign(sign), sign.len())
        } else {
            let help = "names are made of letters, digits, `_`, `$`, `#` and `-`";
            self.wrong(span(c.len_utf8()), &format!("unexpected character `{}`", printable(c)), help);
            return c.len_utf8();
        };
        self.tokens.push(Token { kind, text: &rest[..length], span: span(length) });
        length
    }

    fn wrong(&mut self, span: Span, message: &str, help: &str) {
        self.mistakes.push(Diagnostic::error(span, message).with_help(help));
    }
}

/// The length of the name or keyword that a text begins with. A comment ends it: `x--`.
fn name(text: &str) -> Option<usize> {
    if !text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        return None;
    }
    let length = prefix(text, |c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '#' | '-'));
    let whole = &text[..length];
    // `f'1/2` is a fraction.
    if whole.eq_ignore_ascii_case("f") && text[length..].starts_with('\'') {
        return None;
    }
    Some(whole.find("--").unwrap_or(length))
}

/// A number, which a text begins with, and its length; whatever is attached to it belongs to it.
fn number(text: &str) -> (Kind, usize) {
    let digits = prefix(text, |c| c.is_ascii_digit());
    let all = prefix(text, |c| c.is_ascii_alphanumeric() || c == '_');
    if all > digits {
        return (Kind::Foreign, all);
    }
    let rest = &text[digits..];
    if rest.starts_with('.') && rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
        return (Kind::Foreign, digits + 1 + prefix(&rest[1..], |c| c.is_ascii_digit()));
    }
    (Kind::Number(text[..digits].parse().ok()), digits)
}
