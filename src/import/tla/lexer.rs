//! Words and symbols of modules, with their columns: lists of `/\` and `\/` depend on these.

use kit::diagnostics::{Diagnostic, SourceId, Span};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TlaTokenKind {
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
pub(super) struct TlaToken {
    pub kind: TlaTokenKind,
    pub text: String,
    pub span: Span,
    /// The number of characters before it in its line.
    pub column: usize,
}

/// Symbols of several characters, longer ones first.
const SYMBOLS: &[&str] = &[
    "<=>", "...", "|->", ">>_", "::=", "\\/", "/\\", "==", "=>", "<=", "=<", ">=", "/=", "<<", ">>", "->",
    "<-", "~>", "[]", "<>", "]_", "..", ":>", "@@", "::", "||", "++", "**", "--", "&&", "##", "$$", "??",
    "%%", "^^", "//",
];

/// Splits a text. The text before the first `---- MODULE` is ignored.
pub(super) fn tokens(text: &str, source: SourceId, mistakes: &mut Vec<Diagnostic>) -> Vec<TlaToken> {
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
            let (after, is_ended) = after_comment(&chars, at);
            line = (begin..after).rfind(|&at| chars[at].1 == '\n').map_or(line, |at| at + 1);
            at = after;
            if !is_ended {
                let span = Span::new(source, offset(begin), offset(begin + 2));
                mistakes.push(Diagnostic::error(span, "this comment has no end"));
            }
            continue;
        }
        let column = at.saturating_sub(line);
        let kind = if c == '"' {
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
            TlaTokenKind::Text
        } else {
            let (after, kind) = after_word(&chars, at, rest);
            at = after;
            kind
        };
        let span = Span::new(source, start, offset(at));
        let own = &text[start..offset(at)];
        let text = match kind {
            TlaTokenKind::Text => {
                if own.chars().any(char::is_control) {
                    mistakes.push(Diagnostic::error(span, "a string has a control character"));
                }
                let inner = own.strip_prefix('"').unwrap_or(own);
                inner.strip_suffix('"').unwrap_or(inner).to_owned()
            }
            _ => own.to_owned(),
        };
        found.push(TlaToken { kind, text, span, column });
    }
    found
}

/// Returns the place after a comment, which may contain others, and true if it has an end.
fn after_comment(chars: &[(usize, char)], begin: usize) -> (usize, bool) {
    let mut at = begin;
    let mut depth = 0_usize;
    while at < chars.len() {
        match (chars[at].1, chars.get(at + 1).map(|&(_, c)| c)) {
            ('(', Some('*')) => (depth, at) = (depth + 1, at + 2),
            ('*', Some(')')) => {
                (depth, at) = (depth - 1, at + 2);
                if depth == 0 {
                    return (at, true);
                }
            }
            _ => at += 1,
        }
    }
    (at, false)
}

/// Returns the place after a word, a number or a symbol, and its kind.
fn after_word(chars: &[(usize, char)], begin: usize, rest: &str) -> (usize, TlaTokenKind) {
    let run =
        |from: usize, of: &dyn Fn(char) -> bool| chars[from..].iter().take_while(|&&(_, c)| of(c)).count();
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let c = chars[begin].1;
    let level = run(begin + 1, &|c| c.is_ascii_digit());
    match c {
        '-' if run(begin, &|c| c == '-') >= 4 => (begin + run(begin, &|c| c == '-'), TlaTokenKind::Line),
        '=' if run(begin, &|c| c == '=') >= 4 => (begin + run(begin, &|c| c == '='), TlaTokenKind::End),
        // A step of a proof, `<1>`.
        '<' if matches!(chars.get(begin + 1 + level), Some((_, '>'))) && level > 0 => {
            (begin + level + 2, TlaTokenKind::Symbol)
        }
        c if word(c) => {
            let after = begin + run(begin, &word);
            let is_number = chars[begin..after].iter().all(|&(_, c)| c.is_ascii_digit());
            (after, if is_number { TlaTokenKind::Number } else { TlaTokenKind::Name })
        }
        _ => match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            Some(symbol) => (begin + symbol.len(), TlaTokenKind::Symbol),
            None if c == '\\' => {
                (begin + 1 + run(begin + 1, &|c| c.is_ascii_alphabetic()), TlaTokenKind::Symbol)
            }
            None => (begin + 1, TlaTokenKind::Symbol),
        },
    }
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
