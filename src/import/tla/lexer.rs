//! Words and symbols of modules, with their columns: lists of `/\` and `\/` depend on these.

use kit::diagnostics::{Diagnostic, SourceId, Span};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Name,
    Number,
    /// A text in double quotes, without them.
    Text,
    Symbol,
    /// `----` before the name of a module, and between its parts.
    Line,
    /// `====`.
    End,
}

#[derive(Debug, Clone)]
pub(super) struct Token {
    pub kind: Kind,
    pub text: String,
    pub span: Span,
    /// The number of characters before it in its line.
    pub column: usize,
}

/// Symbols of several characters, longer ones first.
const SYMBOLS: &[&str] = &[
    "<=>", "...", "|->", ">>_", "::=", "\\/", "/\\", "==", "=>", "<=", "=<", ">=", "/=", "<<", ">>", "->",
    "<-", "~>", "[]", "<>", "]_", "..", ":>", "@@", "::", "||", "++", "**",
];

/// Splits a text. The text before the first `---- MODULE` is ignored.
pub(super) fn tokens(text: &str, source: SourceId, mistakes: &mut Vec<Diagnostic>) -> Vec<Token> {
    let mut found = Vec::new();
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let offset = |at: usize| chars.get(at).map_or(text.len(), |&(offset, _)| offset);
    let (mut at, mut line) = (header(&chars), 0);
    while at > line && chars.get(at - 1).is_some_and(|&(_, c)| c != '\n') {
        // The dashes begin in the first column of their line.
        at -= 1;
    }
    line = at;
    while let Some(&(start, c)) = chars.get(at) {
        let rest = &text[start..];
        if c == '\n' {
            line = at + 1;
        }
        if c.is_whitespace() {
            at += 1;
            continue;
        }
        if rest.starts_with("\\*") {
            while chars.get(at).is_some_and(|&(_, c)| c != '\n') {
                at += 1;
            }
            continue;
        }
        if rest.starts_with("(*") {
            let begin = at;
            let mut depth = 0_usize;
            while at < chars.len() {
                let here = &text[offset(at)..];
                if here.starts_with("(*") {
                    depth += 1;
                    at += 2;
                } else if here.starts_with("*)") {
                    depth -= 1;
                    at += 2;
                    if depth == 0 {
                        break;
                    }
                } else {
                    if chars[at].1 == '\n' {
                        line = at + 1;
                    }
                    at += 1;
                }
            }
            if depth > 0 {
                let span = Span::new(source, offset(begin), offset(begin + 2));
                mistakes.push(Diagnostic::error(span, "this comment has no end"));
            }
            continue;
        }
        let column = at.saturating_sub(line);
        let begin = at;
        let run = |from: usize, of: &dyn Fn(char) -> bool| {
            chars[from..].iter().take_while(|&&(_, c)| of(c)).count()
        };
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let kind = if c == '-' && run(at, &|c| c == '-') >= 4 {
            at += run(at, &|c| c == '-');
            Kind::Line
        } else if c == '=' && run(at, &|c| c == '=') >= 4 {
            at += run(at, &|c| c == '=');
            Kind::End
        } else if c == '"' {
            at += 1;
            while chars.get(at).is_some_and(|&(_, c)| c != '"' && c != '\n') {
                at += if chars[at].1 == '\\' { 2 } else { 1 };
            }
            at += 1;
            if at > chars.len() || chars.get(at - 1).is_none_or(|&(_, c)| c != '"') {
                let span = Span::new(source, start, start + 1);
                mistakes.push(Diagnostic::error(span, "this string has no end"));
                at = at.min(chars.len());
            }
            Kind::Text
        } else if word(c) {
            let length = run(at, &word);
            at += length;
            let number = chars[begin..at].iter().all(|&(_, c)| c.is_ascii_digit());
            if number { Kind::Number } else { Kind::Name }
        } else if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            at += symbol.len();
            Kind::Symbol
        } else if c == '\\' {
            at += 1 + run(at + 1, &|c| c.is_ascii_alphabetic());
            Kind::Symbol
        } else {
            at += 1;
            Kind::Symbol
        };
        let span = Span::new(source, start, offset(at));
        let own = &text[start..offset(at)];
        let text = match kind {
            Kind::Text => {
                if own.chars().any(char::is_control) {
                    mistakes.push(Diagnostic::error(span, "a string has a control character"));
                }
                let inner = own.strip_prefix('"').unwrap_or(own);
                inner.strip_suffix('"').unwrap_or(inner).to_owned()
            }
            _ => own.to_owned(),
        };
        found.push(Token { kind, text, span, column });
    }
    found
}

/// Returns the place of the first `---- MODULE`.
fn header(chars: &[(usize, char)]) -> usize {
    let all: Vec<char> = chars.iter().map(|&(_, c)| c).collect();
    let module: Vec<char> = "MODULE".chars().collect();
    let mut at = 0;
    while at < all.len() {
        let dashes = all[at..].iter().take_while(|&&c| c == '-').count();
        if dashes < 4 {
            at += dashes.max(1);
            continue;
        }
        let blanks = all[at + dashes..].iter().take_while(|c| c.is_whitespace()).count();
        if all[at + dashes + blanks..].starts_with(&module) {
            return at;
        }
        at += dashes + blanks;
    }
    0
}
