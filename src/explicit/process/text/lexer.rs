//! The lexer: text to tokens; what it cannot read is reported and skipped.

use super::token::{Kind, SIGNS, Token, WORDS};
use kit::diagnostics::{Diagnostic, SourceId, Span};
use kit::parsing::{prefix, printable};

/// Cuts a text into tokens; the last one is always [`Kind::End`].
pub fn lex(source: SourceId, text: &str) -> (Vec<Token<'_>>, Vec<Diagnostic>) {
    let mut tokens = Vec::new();
    let mut mistakes = Vec::new();
    let mut at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let mut push = |kind, length: usize| {
            tokens.push(Token { kind, text: &rest[..length], span: Span::new(source, at, at + length) });
            length
        };
        let mut wrong = |length, message: &str, help: &str| {
            let span = Span::new(source, at, at + length);
            mistakes.push(Diagnostic::error(span, message).with_help(help));
            length
        };
        at += if c.is_whitespace() {
            c.len_utf8()
        } else if rest.starts_with("--") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(comment) = rest.strip_prefix("(*") {
            match comment.find("*)") {
                Some(end) => end + 4,
                None => {
                    wrong(2, "unterminated comment", "close it with `*)`");
                    rest.len()
                }
            }
        } else if c.is_ascii_digit() {
            number(rest, push)
        } else if c.is_ascii_alphabetic() || c == '_' {
            let length = prefix(rest, |c| c.is_ascii_alphanumeric() || c == '_');
            let word = WORDS.iter().find(|word| word.eq_ignore_ascii_case(&rest[..length]));
            push(word.map_or(Kind::Name, |word| Kind::Word(word)), length)
        } else if c == '"' {
            match rest[1..].find(['"', '\n']) {
                Some(end) if rest[1 + end..].starts_with('"') => push(Kind::Text, end + 2),
                _ => wrong(
                    prefix(rest, |c| c != '\n'),
                    "unterminated string",
                    "end it with `\"` on the same line",
                ),
            }
        } else if c == '\'' && rest[1..].find('\'').is_some_and(|end| end <= 4) {
            push(Kind::Foreign, rest[1..].find('\'').unwrap_or(0) + 2)
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            push(Kind::Sign(sign), sign.len())
        } else {
            let message = format!("unexpected character `{}`", printable(c));
            wrong(c.len_utf8(), &message, "remove it; such characters are for comments only")
        };
    }
    tokens.push(Token { kind: Kind::End, text: "", span: Span::new(source, text.len(), text.len()) });
    (tokens, mistakes)
}

/// Numbers: decimal, hexadecimal (`0x1F`), octal (`0o17`), binary (`0b11`); `_` may stand between digits.
fn number(rest: &str, push: impl FnOnce(Kind, usize) -> usize) -> usize {
    let length = prefix(rest, |c| c.is_ascii_alphanumeric() || c == '_');
    let after = &rest[length..];
    if after.starts_with('.') && after[1..].starts_with(|c: char| c.is_ascii_digit()) {
        return push(Kind::Foreign, length + 1 + prefix(&after[1..], |c| c.is_ascii_alphanumeric()));
    }
    let digits = rest[..length].replace('_', "").to_ascii_lowercase();
    let value = match (digits.get(..2), digits.get(2..)) {
        (Some("0x"), Some(digits)) => i64::from_str_radix(digits, 16),
        (Some("0o"), Some(digits)) => i64::from_str_radix(digits, 8),
        (Some("0b"), Some(digits)) => i64::from_str_radix(digits, 2),
        _ => digits.parse(),
    };
    push(Kind::Number(value.ok()), length)
}
