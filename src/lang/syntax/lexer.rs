//! The lexer: text to tokens. Unreadable characters are reported and skipped.

use super::token::{FOREIGN_SIGNS, FOREIGN_WORDS, SIGNS, SyntaxKind, SyntaxToken, WORDS};
use kit::diagnostics::{Diagnostic, SourceId, Span};
use kit::number::thousands;
use kit::parsing::{prefix, printable};

/// The maximum number of tokens in a text; the rest is not read.
const MAX_TOKENS: usize = 500_000;

/// The maximum number of diagnostics kept for a text.
const MAX_DIAGNOSTICS: usize = 10_000;

/// The parts of a text.
pub struct LexedModel<'a> {
    /// The tokens; the last one is always [`SyntaxKind::End`].
    pub tokens: Vec<SyntaxToken<'a>>,
    /// The comments, doc comments included, a line each.
    pub comments: Vec<Comment<'a>>,
    /// Unreadable characters, which were skipped; the last one is about the limit if the text has too many tokens.
    pub diagnostics: Vec<Diagnostic>,
    /// The text has too many tokens.
    pub is_cut: bool,
}

/// A comment: `//` and the rest of the line.
#[derive(Debug, Clone, Copy)]
pub struct Comment<'a> {
    /// The text from the slashes on, without white space at its end.
    pub text: &'a str,
    /// The byte where it begins.
    pub start: usize,
}

/// The names in a text, each with the byte where it begins; no keywords.
pub fn names_in(text: &str) -> Vec<(usize, &str)> {
    let tokens = lex(SourceId::default(), text).tokens;
    let names = tokens.iter().filter(|token| token.kind == SyntaxKind::Name);
    names.map(|name| (name.span.start as usize, name.text)).collect()
}

/// Splits a text into tokens and comments.
pub fn lex(source: SourceId, text: &str) -> LexedModel<'_> {
    let mut lexer = Lexer {
        source,
        text,
        at: 0,
        tokens: Vec::new(),
        comments: Vec::new(),
        diagnostics: Vec::new(),
        is_cut: false,
        doc: None,
        first_on_line: true,
        after_unreadable: false,
    };
    lexer.run();
    let Lexer { tokens, comments, diagnostics, is_cut, .. } = lexer;
    LexedModel { tokens, comments, diagnostics, is_cut }
}

struct Lexer<'a> {
    source: SourceId,
    text: &'a str,
    /// The first byte not yet read.
    at: usize,
    tokens: Vec<SyntaxToken<'a>>,
    comments: Vec<Comment<'a>>,
    diagnostics: Vec<Diagnostic>,
    is_cut: bool,
    /// The doc comment read since the last token.
    doc: Option<String>,
    first_on_line: bool,
    after_unreadable: bool,
}

impl<'a> Lexer<'a> {
    fn run(&mut self) {
        while let Some(c) = self.rest().chars().next() {
            let rest = self.rest();
            if self.tokens.len() >= MAX_TOKENS {
                let message = format!("this text has more than {} tokens", thousands(MAX_TOKENS));
                self.error(c.len_utf8(), message, "split it into a model and libraries");
                self.is_cut = true;
                break;
            }
            match c {
                '\n' => {
                    self.first_on_line = true;
                    self.at += 1;
                }
                ' ' | '\t' | '\r' | '\x0c' => self.at += 1,
                '\u{feff}' if self.at == 0 => self.at += c.len_utf8(),
                '"' => self.quoted(),
                _ if rest.starts_with("//") => self.comment(),
                _ if rest.starts_with("/*") => self.block_comment(),
                _ if rest.starts_with("--") && !rest.starts_with("-->") => self.dash_comment(),
                '#' if rest[1..].chars().next().is_none_or(|c| c.is_whitespace() || "#!-=".contains(c)) => {
                    self.hash_comment();
                }
                _ if c.is_ascii_digit() => self.number(),
                _ if is_word_char(c) => self.word(),
                _ => match sign(rest) {
                    Some((kind, length)) => self.push(kind, length),
                    None => self.stray(),
                },
            }
        }
        self.push(SyntaxKind::End, 0);
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The place of the next `length` bytes.
    fn span(&self, length: usize) -> Span {
        Span::new(self.source, self.at, self.at + length)
    }

    fn push(&mut self, kind: SyntaxKind, length: usize) {
        self.tokens.push(SyntaxToken {
            kind,
            text: &self.rest()[..length],
            span: self.span(length),
            doc: self.doc.take(),
            first_on_line: std::mem::take(&mut self.first_on_line),
            after_unreadable: std::mem::take(&mut self.after_unreadable),
        });
        self.at += length;
    }

    fn error(&mut self, length: usize, message: String, help: impl Into<String>) {
        let span = self.span(length);
        if self.diagnostics.len() >= MAX_DIAGNOSTICS {
            return;
        }
        self.diagnostics.push(Diagnostic::error(span, message).with_help(help));
    }

    fn comment(&mut self) {
        let line = self.line();
        self.comments.push(Comment { text: line.trim_end(), start: self.at });
        if let Some(doc) = line.strip_prefix("///").filter(|doc| !doc.starts_with('/')) {
            let doc = doc.strip_prefix(' ').unwrap_or(doc).trim_end();
            match &mut self.doc {
                Some(lines) => {
                    lines.push('\n');
                    lines.push_str(doc);
                }
                None => self.doc = Some(doc.to_string()),
            }
        }
        self.at += line.len();
    }

    fn block_comment(&mut self) {
        let length = self.rest().find("*/").map_or(self.rest().len(), |at| at + 2);
        self.error(
            2,
            "`/*` does not start a comment".into(),
            "comments start with `//` and extend to the end of the line",
        );
        self.first_on_line |= self.rest()[..length].contains('\n');
        self.at += length;
    }

    fn dash_comment(&mut self) {
        self.error(
            2,
            "`--` does not start a comment".into(),
            "comments start with `//`; to subtract a negative number, write `a - (-b)`",
        );
        self.at += self.line().len();
        self.after_unreadable = true;
    }

    /// `# …`, unless it is the number of elements, `#S`.
    fn hash_comment(&mut self) {
        self.error(
            1,
            "`#` does not start a comment".into(),
            "comments start with `//`; the number of elements is `size(S)`, and `x != y` says that two values differ",
        );
        self.at += self.line().len();
        self.after_unreadable = true;
    }

    fn quoted(&mut self) {
        let line = self.line();
        if let Some(at) = line[1..].find('"') {
            return self.push(SyntaxKind::Text, at + 2);
        }
        let length = line.trim_end().len();
        self.error(
            length,
            "unterminated string".into(),
            "add `\"` at its end; a string ends on the line where it begins",
        );
        self.push(SyntaxKind::Text, length);
        self.after_unreadable = true;
    }

    fn number(&mut self) {
        let rest = self.rest();
        let digits = prefix(rest, |c| c.is_ascii_digit());
        let whole = prefix(rest, is_word_char);
        let after = &rest[whole..];
        if whole > digits {
            let text = &rest[..whole];
            let digits: String = text.chars().filter(|&c| c != '_').collect();
            let help = if digits.bytes().all(|b| b.is_ascii_digit()) {
                format!("write `{digits}`")
            } else {
                "numbers are decimal, and names begin with a letter".into()
            };
            self.error(whole, format!("`{text}` is neither a number nor a name"), help);
            self.push(SyntaxKind::Integer(None), whole);
        } else if after.starts_with('.') && after[1..].starts_with(|c: char| c.is_ascii_digit()) {
            let length = whole + 1 + prefix(&after[1..], is_word_char);
            let message = format!("`{}` is not an integer", &rest[..length]);
            self.error(length, message, "fractions are not supported; a range is `lo..hi`");
            self.push(SyntaxKind::Integer(None), length);
        } else {
            let value = rest[..digits].parse().ok();
            if value.is_none() {
                self.error(
                    digits,
                    "integer literal out of range".into(),
                    format!("the largest is {}", i64::MAX),
                );
            }
            self.push(SyntaxKind::Integer(value), digits);
        }
    }

    fn word(&mut self) {
        let length = prefix(self.rest(), is_word_char);
        let text = &self.rest()[..length];
        if !text.is_ascii() {
            self.error(
                length,
                format!("`{text}` is not a name"),
                "names consist of the letters a to z and A to Z, digits and `_`",
            );
        }
        let kind = if let Some(word) = WORDS.iter().find(|&&word| word == text) {
            SyntaxKind::Word(word)
        } else if let Some(foreign) = FOREIGN_WORDS.iter().find(|foreign| foreign.text == text) {
            SyntaxKind::Foreign(foreign)
        } else {
            SyntaxKind::Name
        };
        self.push(kind, length);
    }

    fn stray(&mut self) {
        let rest = self.rest();
        let length: usize = rest
            .char_indices()
            .take_while(|&(at, c)| {
                !c.is_ascii_whitespace() && !is_word_char(c) && c != '"' && sign(&rest[at..]).is_none()
            })
            .map(|(_, c)| c.len_utf8())
            .sum();
        let text = &rest[..length];
        let shown: String = text.chars().take(10).map(printable).collect();
        let help = if text.contains(['“', '”', '„', '«', '»', '`']) {
            "strings are written in plain double quotes `\"`"
        } else if text.chars().all(char::is_whitespace) {
            "replace it with an ordinary space"
        } else {
            "remove it; such characters are only allowed in comments"
        };
        self.error(length, format!("unexpected character `{shown}`"), help);
        self.at += length;
        self.after_unreadable = !text.chars().all(char::is_whitespace);
    }

    /// The rest of the line, without the line end.
    fn line(&self) -> &'a str {
        let rest = self.rest();
        &rest[..rest.find('\n').unwrap_or(rest.len())]
    }
}

/// The longest sign at the beginning of a text, of this language or another, and its length in bytes.
fn sign(rest: &str) -> Option<(SyntaxKind, usize)> {
    let own =
        SIGNS.iter().filter(|sign| rest.starts_with(**sign)).map(|sign| (SyntaxKind::Sign(sign), sign.len()));
    let foreign = FOREIGN_SIGNS
        .iter()
        .filter(|foreign| rest.starts_with(foreign.text) && ends_here(rest, foreign.text))
        .map(|foreign| (SyntaxKind::Foreign(foreign), foreign.text.len()));
    own.chain(foreign).max_by_key(|(_, length)| *length)
}

/// True if a spelling that ends in a letter, like `\in`, is a whole word here.
fn ends_here(rest: &str, spelling: &str) -> bool {
    !spelling.ends_with(is_word_char) || !rest[spelling.len()..].starts_with(is_word_char)
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
