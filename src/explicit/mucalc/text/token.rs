//! The tokens of formulas, in the spelling of MCL and of mCRL2.

use crate::mucalc::label::is_of_name;
use kit::diagnostics::{Diagnostic, SourceId, Span};
use kit::parsing::{self, prefix};

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A keyword or a name.
    Word,
    /// A label between double quotes.
    Label,
    /// A regular expression between single quotes.
    Pattern,
    /// A natural number.
    Number,
    /// A sign, or a character that no formula contains.
    Sign,
    /// A comment or quotation without its end, which was reported.
    Unclosed,
    /// The end of the text.
    End,
}

/// A piece of a text.
#[derive(Debug, Clone, Copy)]
pub struct Token<'a> {
    /// What it is.
    pub kind: Kind,
    /// As written, with its quotes; empty at the end of the text.
    pub text: &'a str,
    /// Where it stands.
    pub span: Span,
}

impl<'a> Token<'a> {
    /// The text between the quotes.
    pub fn unquoted(&self) -> &'a str {
        let inner = self.text.get(1..self.text.len().saturating_sub(1));
        inner.unwrap_or_default()
    }

    /// A sign that is not in the text, in the place of what it was made for.
    pub fn sign(text: &'static str, span: Span) -> Self {
        Self { kind: Kind::Sign, text, span }
    }
}

impl parsing::Token for Token<'_> {
    fn span(&self) -> Span {
        self.span
    }

    fn text(&self) -> &str {
        self.text
    }

    fn is_end(&self) -> bool {
        self.kind == Kind::End
    }

    fn is(&self, spelling: &str) -> bool {
        matches!(self.kind, Kind::Sign | Kind::Word) && canonical(self.text) == spelling
    }
}

/// One spelling for what is written in several ways.
fn canonical(text: &str) -> &str {
    match text {
        "!" => "not",
        "&&" => "and",
        "||" => "or",
        "=>" => "implies",
        "<=>" => "equ",
        other => other,
    }
}

/// Signs of several characters, longer ones first.
const SIGNS: [&str; 14] =
    ["<=>", "==", "!=", "=>", "<=", ">=", "&&", "||", "|>", "<|", "++", ":=", "-|", "->"];

/// Cuts a text into tokens, the last of which is the end. Comments are `% …`, `-- …` and `(* … *)`.
pub fn lex(source: SourceId, text: &str) -> (Vec<Token<'_>>, Vec<Diagnostic>) {
    let (mut tokens, mut mistakes) = (Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let (kind, length) = piece(c, rest);
        if let Some(kind) = kind {
            let span = Span::new(source, at, at + length);
            if kind == Kind::Unclosed {
                mistakes.push(unclosed(c, span));
            }
            tokens.push(Token { kind, text: &rest[..length], span });
        }
        at += length;
    }
    tokens.push(Token { kind: Kind::End, text: "", span: Span::new(source, at, at) });
    (tokens, mistakes)
}

/// The first token of a text and its length; `None` for white space and comments.
fn piece(c: char, rest: &str) -> (Option<Kind>, usize) {
    match c {
        _ if c.is_whitespace() => (None, c.len_utf8()),
        '%' => (None, prefix(rest, |c| c != '\n')),
        _ if rest.starts_with("--") => (None, prefix(rest, |c| c != '\n')),
        _ if rest.starts_with("(*") => match rest.find("*)") {
            Some(end) => (None, end + 2),
            None => (Some(Kind::Unclosed), rest.len()),
        },
        '"' => quoted(rest, '"', Kind::Label),
        '\'' => quoted(rest, '\'', Kind::Pattern),
        _ if c.is_ascii_digit() => (Some(Kind::Number), prefix(rest, |c| c.is_ascii_digit())),
        _ if c.is_alphabetic() || c == '_' => (Some(Kind::Word), prefix(rest, is_of_name)),
        _ => {
            let long = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            (Some(Kind::Sign), long.map_or(c.len_utf8(), |sign| sign.len()))
        }
    }
}

/// What stands between two equal quotes, on one line.
fn quoted(rest: &str, quote: char, kind: Kind) -> (Option<Kind>, usize) {
    let inner = prefix(&rest[1..], |c| c != quote && c != '\n');
    match rest[1 + inner..].starts_with(quote) {
        true => (Some(kind), inner + 2),
        false => (Some(Kind::Unclosed), inner + 1),
    }
}

fn unclosed(first: char, span: Span) -> Diagnostic {
    match first {
        '(' => Diagnostic::error(Span { end: span.start + 2, ..span }, "unterminated comment")
            .with_help("close it with `*)`"),
        _ => Diagnostic::error(span, "this quotation is not closed on its line")
            .with_help("close it; in a pattern, `.` can stand for a single quote"),
    }
}
