//! The lexer, the parser and the tree of protocol files.

mod parser;
pub mod tree;

pub use parser::parse;

use kit::parsing::{Lexicon, TokenKind, prefix};

/// The tokens of protocol files.
pub const SPDL: Lexicon = Lexicon {
    piece: name,
    words: &[WORDS],
    any_case: false,
    signs: &["(", ")", "{", "}", ",", ";", ":", "=", ".", "_"],
    synonyms: &[],
    quotes: &[('"', TokenKind::Text, "end it with `\"` on the same line")],
    line_comments: &["//", "#"],
    block_comment: ("/*", "*/"),
    refused_line: None,
    help: "names are made of letters, digits, `-`, `^`, `!` and `'`",
};

/// The keywords, which are not allowed as names.
pub const WORDS: &[&str] = &[
    "claim",
    "compromised",
    "const",
    "equation",
    "exclusiveor",
    "exponentiation",
    "fresh",
    "function",
    "hashfunction",
    "include",
    "inversekeyfunctions",
    "inversekeys",
    "knows",
    "macro",
    "match",
    "not",
    "option",
    "protocol",
    "read",
    "recv",
    "role",
    "run",
    "secret",
    "send",
    "singular",
    "trusted",
    "untrusted",
    "usertype",
    "var",
];

/// Matches a name: letters, digits, `^`, `-`, `!` and `'`, optionally after `@`.
fn name(text: &str) -> Option<(TokenKind, usize)> {
    let at = usize::from(text.starts_with('@'));
    let length = prefix(&text[at..], |c| c.is_ascii_alphanumeric() || matches!(c, '^' | '-' | '!' | '\''));
    (length > 0).then_some((TokenKind::Name, at + length))
}
