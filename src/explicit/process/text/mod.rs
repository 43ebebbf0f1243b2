//! From a process text to a tree: lexer, parser.

mod parser;
pub mod tree;

pub use parser::{parse, parse_call};

use kit::parsing::{Lexicon, TokenKind, prefix};

pub const PROCESSES: Lexicon = Lexicon {
    piece,
    words: &[WORDS],
    any_case: true,
    signs: &[
        "...", "->", "=>", ":=", "[]", "||", "==", "!=", "<>", "<=", ">=", "..", "(", ")", "[", "]", "{",
        "}", ",", ";", ":", "!", "?", "|", "<", ">", "+", "-", "*", "/", "^", ".", "=", "#",
    ],
    synonyms: &[],
    quotes: &[('"', TokenKind::Text, "end it with `\"` on the same line")],
    line_comments: &["--"],
    block_comment: ("(*", "*)"),
    refused_line: None,
    help: "remove it; such characters are for comments only",
};

/// The keywords; upper and lower case are the same.
const WORDS: &[&str] = &[
    "alt", "and", "any", "array", "as", "assert", "break", "by", "case", "channel", "disrupt", "else",
    "elsif", "end", "ensure", "eval", "for", "function", "hide", "if", "implies", "in", "inout", "is",
    "list", "loop", "mod", "module", "not", "null", "of", "only", "or", "out", "par", "process", "raise",
    "range", "rem", "require", "return", "select", "set", "sorted", "stop", "then", "trap", "type", "use",
    "var", "where", "while", "with", "xor",
];

/// The keywords that are operators, and may be names of constructors, too.
pub const OPERATOR_WORDS: &[&str] = &["and", "implies", "mod", "not", "or", "rem", "xor"];

/// The keywords that begin a definition.
pub const ITEM_WORDS: &[&str] = &["type", "channel", "function", "process", "module"];

fn piece(rest: &str) -> Option<(TokenKind, usize)> {
    match rest.chars().next()? {
        c if c.is_ascii_digit() => Some(number(rest)),
        c if c.is_ascii_alphabetic() || c == '_' => {
            Some((TokenKind::Name, prefix(rest, |c| c.is_ascii_alphanumeric() || c == '_')))
        }
        '\'' => rest[1..].find('\'').filter(|end| *end <= 4).map(|end| (TokenKind::Foreign, end + 2)),
        _ => None,
    }
}

/// A number: decimal, hexadecimal (`0x1F`), octal (`0o17`), binary (`0b11`); `_` may stand between digits.
fn number(rest: &str) -> (TokenKind, usize) {
    let length = prefix(rest, |c| c.is_ascii_alphanumeric() || c == '_');
    let after = &rest[length..];
    if after.starts_with('.') && after[1..].starts_with(|c: char| c.is_ascii_digit()) {
        return (TokenKind::Foreign, length + 1 + prefix(&after[1..], |c| c.is_ascii_alphanumeric()));
    }
    let digits = rest[..length].replace('_', "").to_ascii_lowercase();
    let value = match (digits.get(..2), digits.get(2..)) {
        (Some("0x"), Some(digits)) => i64::from_str_radix(digits, 16),
        (Some("0o"), Some(digits)) => i64::from_str_radix(digits, 8),
        (Some("0b"), Some(digits)) => i64::from_str_radix(digits, 2),
        _ => digits.parse(),
    };
    (TokenKind::Number(value.ok()), length)
}
