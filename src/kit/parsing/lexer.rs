//! A lexer for languages given by tables.

use super::state::{self, MOST_DIAGNOSTICS};
use super::state::{prefix, printable};
use crate::diagnostics::{Diagnostic, SourceId, Span};

/// The kinds of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A keyword, as the table of the language spells it.
    Word(&'static str),
    /// A name.
    Name,
    /// A natural number; `None` if it does not fit in 64 bits.
    Number(Option<i64>),
    /// A text between double quotes.
    Text,
    /// A text between single quotes.
    Pattern,
    /// A sign.
    Sign(&'static str),
    /// A piece that the parser does not read: a real number, a quotation without its end.
    Foreign,
    /// A comment. No parser sees it.
    Comment,
    /// The end of the text.
    End,
}

/// A token of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    /// Its kind.
    pub kind: TokenKind,
    /// The text as written, with its quotes; empty at the end of the text.
    pub text: &'a str,
    /// Its place.
    pub span: Span,
    /// True if a diagnostic of the lexer is about it: its end is missing, or it ends a text inside a comment.
    pub reported: bool,
}

impl<'a> Token<'a> {
    /// The text without the quotes round it, if there are any.
    pub fn unquoted(&self) -> &'a str {
        match self.kind {
            TokenKind::Text | TokenKind::Pattern => &self.text[1..self.text.len() - 1],
            _ => self.text,
        }
    }
}

impl state::AnyToken for Token<'_> {
    fn span(&self) -> Span {
        self.span
    }

    fn text(&self) -> &str {
        self.text
    }

    fn is_end(&self) -> bool {
        self.kind == TokenKind::End
    }

    fn is(&self, spelling: &str) -> bool {
        match self.kind {
            TokenKind::Word(own) | TokenKind::Sign(own) => own == spelling,
            TokenKind::Name => self.text == spelling,
            _ => false,
        }
    }

    fn is_reported(&self) -> bool {
        self.reported
    }
}

/// The tokens of a language.
#[derive(Debug)]
pub struct Lexicon {
    /// The name or number at the beginning of a text, or another piece that no table has, with its length.
    pub piece: fn(&str) -> Option<(TokenKind, usize)>,
    /// The names that are keywords.
    pub words: &'static [&'static [&'static str]],
    /// True if keywords may be written in upper and lower case.
    pub any_case: bool,
    /// The signs; of two that begin alike, the longer one is read.
    pub signs: &'static [&'static str],
    /// The signs that are other spellings of keywords.
    pub synonyms: &'static [(&'static str, &'static str)],
    /// The quotation marks with what is between them, and help about one that is not closed.
    pub quotes: &'static [(char, TokenKind, &'static str)],
    /// The beginnings of comments that end with the line.
    pub line_comments: &'static [&'static str],
    /// The brackets of other comments.
    pub block_comment: (&'static str, &'static str),
    /// The beginning of lines that are refused, with the reason and help.
    pub refused_line: Option<(&'static str, &'static str, &'static str)>,
    /// Help about a character that belongs to no token.
    pub help: &'static str,
}

/// A text split into tokens.
#[derive(Debug, Default)]
pub struct Lexed<'a> {
    /// The tokens; the last one is the end of the text.
    pub tokens: Vec<Token<'a>>,
    /// The comments in the order of the text, without the ends of lines.
    pub comments: Vec<Token<'a>>,
    /// Diagnostics about pieces that could not be read.
    pub mistakes: Vec<Diagnostic>,
}

impl Lexicon {
    /// Cuts a text into tokens and comments.
    pub fn lex<'a>(&self, source: SourceId, text: &'a str) -> Lexed<'a> {
        let mut lexed = Lexed::default();
        let mut at = text.len() - text.trim_start_matches('\u{feff}').len();
        while let Some(first) = text[at..].chars().next() {
            at += match first.is_whitespace() {
                true => first.len_utf8(),
                false => self.next(&mut lexed, &text[at..], |length| Span::new(source, at, at + length)),
            };
        }
        let reported = lexed.comments.last().is_some_and(|last| last.reported);
        lexed.tokens.push(Token {
            kind: TokenKind::End,
            text: "",
            span: Span::new(source, at, at),
            reported,
        });
        lexed
    }

    /// Reads the token or comment at the beginning of a text, which is not empty, and returns its length.
    fn next<'a>(&self, lexed: &mut Lexed<'a>, rest: &'a str, span: impl Fn(usize) -> Span) -> usize {
        let line = || prefix(rest, |c| c != '\n');
        let mut reported = false;
        let mut wrong = |length, message: &str, help: &str| {
            reported = true;
            if lexed.mistakes.len() < MOST_DIAGNOSTICS {
                lexed.mistakes.push(Diagnostic::error(span(length), message).with_help(help));
            }
        };
        let (open, close) = self.block_comment;
        let (kind, length) = if self.line_comments.iter().any(|begin| rest.starts_with(begin)) {
            (TokenKind::Comment, line())
        } else if let Some((_, message, help)) =
            self.refused_line.filter(|(begin, ..)| rest.starts_with(begin))
        {
            wrong(line(), message, help);
            return line();
        } else if let Some(inner) = rest.strip_prefix(open) {
            let end = inner.find(close).map(|end| open.len() + end + close.len());
            if end.is_none() {
                wrong(open.len(), "unterminated comment", &format!("close it with `{close}`"));
            }
            (TokenKind::Comment, end.unwrap_or(rest.len()))
        } else if let Some((quote, kind, help)) =
            self.quotes.iter().find(|(quote, ..)| rest.starts_with(*quote))
        {
            match rest[1..].find([*quote, '\n']) {
                Some(end) if rest[1 + end..].starts_with(*quote) => (*kind, end + 2),
                _ => {
                    wrong(line(), "this quotation is not closed on its line", help);
                    (TokenKind::Foreign, line())
                }
            }
        } else if let Some((kind, length)) = (self.piece)(rest) {
            let word = (kind == TokenKind::Name).then(|| self.word(&rest[..length])).flatten();
            (word.unwrap_or(kind), length)
        } else if let Some((sign, kind)) = self.sign(rest) {
            (kind, sign.len())
        } else {
            let length = rest.chars().next().map_or(0, char::len_utf8);
            let shown: String = rest[..length].chars().map(printable).collect();
            wrong(length, &format!("unexpected character `{shown}`"), self.help);
            return length;
        };
        let to = if kind == TokenKind::Comment { &mut lexed.comments } else { &mut lexed.tokens };
        to.push(Token { kind, text: &rest[..length], span: span(length), reported });
        length
    }

    fn word(&self, name: &str) -> Option<TokenKind> {
        let is = |word: &str| if self.any_case { word.eq_ignore_ascii_case(name) } else { word == name };
        self.words.iter().copied().flatten().find(|word| is(word)).map(|word| TokenKind::Word(word))
    }

    /// Returns the longest sign at the beginning of a text.
    fn sign(&self, rest: &str) -> Option<(&'static str, TokenKind)> {
        let own = self.signs.iter().map(|sign| (*sign, TokenKind::Sign(sign)));
        let other = self.synonyms.iter().map(|(sign, word)| (*sign, TokenKind::Word(word)));
        own.chain(other).filter(|(sign, _)| rest.starts_with(sign)).max_by_key(|(sign, _)| sign.len())
    }
}
