//! Texts of formulas: tokens, macros, grammar, tree.

mod library;
mod macros;
mod parser;
mod property;
pub mod tree;

pub use property::{parse_property, pattern};

use crate::mucalc::label::is_of_name;
use kit::diagnostics::{Diagnostic, SourceId, SourceMap};
use kit::parsing::{AnyToken, Lexed, Lexicon, Token, TokenKind, prefix};
use library::Library;
use std::io;
use tree::StateSyntax;

/// The spelling of a formula. Everything is understood in both, but for `a|b`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// MCL, the language of CADP: `a|b` is a or b.
    Mcl,
    /// The language of mCRL2: `a|b` is the multi-action of a and b.
    Mcrl2,
}

/// Reads a formula with its macros; `language` is that of its file, if known. `load` reads a library by its name, as it is
/// written after `library`.
///
/// # Errors
/// All mistakes that were found, at least one.
pub fn parse(
    sources: &mut SourceMap,
    (source, text): (SourceId, &str),
    language: Option<Language>,
    load: &dyn Fn(&str) -> io::Result<String>,
) -> Result<StateSyntax, Vec<Diagnostic>> {
    let libraries = Library::all(sources, (source, text), load)?;
    with_libraries((source, text), language, &libraries)
}

fn with_libraries(
    (source, text): (SourceId, &str),
    language: Option<Language>,
    libraries: &[Library],
) -> Result<StateSyntax, Vec<Diagnostic>> {
    let Lexed { tokens, mut mistakes, .. } = FORMULAS.lex(source, text);
    let (main, definitions) = macros::definitions(&tokens, &mut mistakes);
    let mut known = macros::Macros::default();
    for library in libraries {
        let Lexed { tokens, mistakes: found, .. } = FORMULAS.lex(library.source, &library.text);
        mistakes.extend(found);
        let (rest, definitions) = macros::definitions(&tokens, &mut mistakes);
        if let Some(token) = rest.first().filter(|token| !token.is_end()) {
            let message = "a library has only macros, but this is none";
            let help = "put the formula into the file that uses the library";
            mistakes.push(Diagnostic::error(token.span, message).with_help(help));
        }
        known.add(definitions);
    }
    known.add(definitions);
    let language = language.unwrap_or_else(|| guess(&main));
    let main = match known.expand(&main) {
        Ok(main) => main,
        Err(found) => {
            mistakes.push(found);
            return Err(mistakes);
        }
    };
    parser::parse(&main, language, mistakes)
}

/// The spelling of a text: mCRL2 if it uses signs or `val` and no words for them.
fn guess(tokens: &[Token<'_>]) -> Language {
    let is_sign = |token: &Token<'_>| ["!", "&&", "||", "=>", "val"].contains(&token.text);
    let is_word = |token: &Token<'_>| match token.kind {
        TokenKind::Word(_) => ["and", "or", "not", "implies", "equ"].contains(&token.text),
        kind => matches!(kind, TokenKind::Text | TokenKind::Pattern),
    };
    if tokens.iter().any(is_sign) && !tokens.iter().any(is_word) { Language::Mcrl2 } else { Language::Mcl }
}

/// The text of a formula on one line, without its comments.
pub fn in_one_line(text: &str) -> String {
    let mut line = String::new();
    let mut end = 0;
    for token in FORMULAS.lex(SourceId::default(), text).tokens {
        if token.span.start > end && !line.is_empty() && !token.is_end() {
            line.push(' ');
        }
        line.push_str(token.text);
        end = token.span.end;
    }
    line
}

pub const FORMULAS: Lexicon = Lexicon {
    piece,
    words: &[&[
        "true", "false", "and", "or", "not", "implies", "equ", "mu", "nu", "forall", "exists", "val", "in",
        "nil",
    ]],
    any_case: false,
    signs: &[
        "(", ")", "[", "]", "{", "}", "<", ">", ",", ".", ":", ";", "=", "+", "-", "*", "/", "?", "|", "&",
        "#", "@", "==", "!=", "<=", ">=", "|>", "<|", "++", ":=", "-|", "->",
    ],
    synonyms: &[("!", "not"), ("&&", "and"), ("||", "or"), ("=>", "implies"), ("<=>", "equ")],
    quotes: &[
        ('"', TokenKind::Text, "end it with `\"` on the same line"),
        ('\'', TokenKind::Pattern, "close it; in a pattern, `.` can stand for a single quote"),
    ],
    line_comments: &["%", "--"],
    block_comment: ("(*", "*)"),
    refused_line: None,
    help: "put labels with other characters between double quotes",
};

fn piece(rest: &str) -> Option<(TokenKind, usize)> {
    match rest.chars().next()? {
        c if c.is_ascii_digit() => {
            let length = prefix(rest, |c| c.is_ascii_digit());
            Some((TokenKind::Number(rest[..length].parse().ok()), length))
        }
        c if c.is_alphabetic() || c == '_' => Some((TokenKind::Name, prefix(rest, is_of_name))),
        _ => None,
    }
}
