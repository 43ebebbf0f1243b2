//! The tokens of the DOT language.

use std::ops::Range;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DotTokenKind {
    /// A name, a number, or what stands between quotes or angle brackets.
    Id(String),
    /// `->`
    Arrow,
    /// Any other character, or `--` as `-`.
    Sign(char),
    /// Quotes, angle brackets or a comment without their end.
    Unclosed,
    End,
}

#[derive(Debug, Clone)]
pub struct DotToken {
    pub kind: DotTokenKind,
    /// Where it stands, in bytes.
    pub place: Range<usize>,
}

/// A text that is cut into tokens.
pub struct DotTokens<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> DotTokens<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// The next token; at the end always [`DotTokenKind::End`].
    pub fn next(&mut self) -> DotToken {
        self.skip();
        let start = self.at;
        let rest = &self.text[start..];
        let Some(first) = rest.chars().next() else {
            return DotToken { kind: DotTokenKind::End, place: start..start };
        };
        let (kind, length) = match first {
            '"' => quoted(rest),
            '<' => html(rest),
            '-' if rest.starts_with("->") => (DotTokenKind::Arrow, 2),
            '-' if rest.starts_with("--") => (DotTokenKind::Sign('-'), 2),
            '-' | '.' | '_' => word(rest),
            '/' => (DotTokenKind::Unclosed, rest.len()),
            _ if first.is_alphanumeric() => word(rest),
            _ => (DotTokenKind::Sign(first), first.len_utf8()),
        };
        self.at += length;
        DotToken { kind, place: start..self.at }
    }

    /// Skips white space, comments, and lines of a preprocessor.
    fn skip(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let blank = rest.find(|c: char| !c.is_whitespace() && c != '\u{feff}').unwrap_or(rest.len());
            self.at += blank;
            let rest = &rest[blank..];
            let to_line_end = || rest.find('\n').unwrap_or(rest.len());
            let begins_line =
                self.text[..self.at].trim_end_matches([' ', '\t']).ends_with('\n') || self.at == 0;
            self.at += match () {
                () if rest.starts_with("//") => to_line_end(),
                () if rest.starts_with('#') && begins_line => to_line_end(),
                () if rest.starts_with("/*") => match rest.find("*/") {
                    Some(end) => end + 2,
                    None => return,
                },
                () => return,
            };
        }
    }
}

fn word(rest: &str) -> (DotTokenKind, usize) {
    let number = rest.strip_prefix('-').unwrap_or(rest).starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let is = |c: char| c.is_alphanumeric() || c == '_' || (number && c == '.');
    let sign = rest.len() - rest.strip_prefix('-').unwrap_or(rest).len();
    let length = sign + rest[sign..].find(|c| !is(c)).unwrap_or(rest.len() - sign);
    match length > sign {
        true => (DotTokenKind::Id(rest[..length].to_owned()), length),
        false => (DotTokenKind::Sign('-'), 1),
    }
}

/// A string between quotes; line breaks of any kind become blanks, since a label is one line.
fn quoted(rest: &str) -> (DotTokenKind, usize) {
    let mut text = String::new();
    let mut characters = rest.char_indices().skip(1);
    while let Some((at, c)) = characters.next() {
        match c {
            '"' => return (DotTokenKind::Id(text), at + 1),
            '\\' => match characters.next() {
                Some((_, c @ ('"' | '\\'))) => text.push(c),
                Some((_, 'n' | 'l' | 'r')) => text.push(' '),
                // A line that goes on.
                Some((_, '\n')) => {}
                Some((_, c)) => text.extend(['\\', c]),
                None => break,
            },
            '\n' => text.push(' '),
            c => text.push(c),
        }
    }
    (DotTokenKind::Unclosed, rest.len())
}

/// A text between angle brackets, as it is.
fn html(rest: &str) -> (DotTokenKind, usize) {
    let mut open = 0usize;
    for (at, c) in rest.char_indices() {
        match c {
            '<' => open += 1,
            '>' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return (DotTokenKind::Id(rest[1..at].to_owned()), at + 1);
        }
    }
    (DotTokenKind::Unclosed, rest.len())
}
