//! The tokens of a property.

use kit::diagnostics::{Diagnostic, SourceId, Span};
use kit::parsing::{self, prefix};

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A keyword or an identifier.
    Word,
    /// A label between double quotes.
    Label,
    /// A regular expression between single quotes.
    Pattern,
    /// A natural number.
    Number,
    /// A sign, or a character that no property contains.
    Sign,
    /// A comment or quotation without its end, which was reported.
    Unclosed,
    /// The end of the text.
    End,
}

/// A piece of a property.
#[derive(Debug, Clone, Copy)]
pub struct Token<'a> {
    pub kind: Kind,
    /// As written, with its quotes; empty at the end of the text.
    pub text: &'a str,
    pub span: Span,
}

impl<'a> Token<'a> {
    /// The text between the quotes.
    pub fn unquoted(&self) -> &'a str {
        let inner = self.text.get(1..self.text.len().saturating_sub(1));
        inner.unwrap_or_default()
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
        matches!(self.kind, Kind::Word | Kind::Sign) && self.text == spelling
    }
}

/// Cuts a text into tokens, the last of which is the end; comments are `(* … *)` and `-- …`.
pub(super) fn lex(source: SourceId, text: &str) -> (Vec<Token<'_>>, Vec<Diagnostic>) {
    let (mut tokens, mut mistakes) = (Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let (kind, length) = match c {
            _ if c.is_whitespace() => (None, c.len_utf8()),
            _ if rest.starts_with("--") => (None, prefix(rest, |c| c != '\n')),
            _ if rest.starts_with("(*") => match rest.find("*)") {
                Some(end) => (None, end + 2),
                None => (Some(Kind::Unclosed), rest.len()),
            },
            '"' => quoted(rest, '"', Kind::Label),
            '\'' => quoted(rest, '\'', Kind::Pattern),
            _ if c.is_ascii_digit() => (Some(Kind::Number), prefix(rest, |c| c.is_ascii_digit())),
            _ if c.is_alphabetic() || c == '_' => {
                (Some(Kind::Word), prefix(rest, |c| c.is_alphanumeric() || c == '_'))
            }
            _ => (Some(Kind::Sign), c.len_utf8()),
        };
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
