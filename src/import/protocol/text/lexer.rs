//! The lexer: text to tokens and comments; what it cannot read is reported and skipped.

use super::token::{Kind, SIGNS, Token, WORDS};
use kit::diagnostics::{Diagnostic, SourceId, Span};
use kit::parsing::{prefix, printable};

/// A comment: `// …` or `# …` up to the end of the line, or `/* … */`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Comment<'a> {
    /// As it stands there, without the end of the line.
    pub text: &'a str,
    /// Where.
    pub span: Span,
}

/// A text in pieces.
#[derive(Debug)]
pub struct Lexed<'a> {
    /// The tokens; the last one is always [`Kind::End`].
    pub tokens: Vec<Token<'a>>,
    /// The comments, in the order of the text.
    pub comments: Vec<Comment<'a>>,
    /// What could not be read.
    pub mistakes: Vec<Diagnostic>,
}

/// Cuts a text into tokens and comments.
pub fn lex(source: SourceId, text: &str) -> Lexed<'_> {
    let mut lexed = Lexed { tokens: Vec::new(), comments: Vec::new(), mistakes: Vec::new() };
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
        if rest.starts_with("//") || c == '#' {
            let length = rest.find('\n').unwrap_or(rest.len());
            self.comments.push(Comment { text: &rest[..length], span: span(length) });
            return length;
        }
        if let Some(inner) = rest.strip_prefix("/*") {
            return match inner.find("*/") {
                Some(end) => {
                    self.comments.push(Comment { text: &rest[..end + 4], span: span(end + 4) });
                    end + 4
                }
                None => {
                    self.wrong(span(2), "unterminated comment", "close it with `*/`");
                    rest.len()
                }
            };
        }
        let (kind, length) = if c == '"' {
            match rest[1..].find(['"', '\n']) {
                Some(end) if rest[1 + end..].starts_with('"') => (Kind::Text, end + 2),
                _ => {
                    let length = prefix(rest, |c| c != '\n');
                    self.wrong(span(length), "unterminated string", "end it with `\"` on the same line");
                    (Kind::Text, length)
                }
            }
        } else if let Some(length) = name(rest) {
            let word = WORDS.iter().find(|word| **word == &rest[..length]);
            (word.map_or(Kind::Name, |word| Kind::Word(word)), length)
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (Kind::Sign(sign), sign.len())
        } else {
            let message = format!("unexpected character `{}`", printable(c));
            let help = "names are made of letters, digits, `-`, `^`, `!` and `'`";
            self.wrong(span(c.len_utf8()), &message, help);
            return c.len_utf8();
        };
        self.tokens.push(Token { kind, text: &rest[..length], span: span(length) });
        length
    }

    fn wrong(&mut self, span: Span, message: &str, help: &str) {
        self.mistakes.push(Diagnostic::error(span, message).with_help(help));
    }
}

/// The length of the name or keyword that a text begins with.
fn name(text: &str) -> Option<usize> {
    let at = usize::from(text.starts_with('@'));
    let length = prefix(&text[at..], |c| c.is_ascii_alphanumeric() || matches!(c, '^' | '-' | '!' | '\''));
    (length > 0).then_some(at + length)
}
