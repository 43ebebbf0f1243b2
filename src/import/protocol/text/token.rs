//! What a protocol file consists of.

use kit::diagnostics::Span;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A keyword.
    Word(&'static str),
    /// A name: letters, digits, `^`, `-`, `!` and `'`, perhaps with `@` before them.
    Name,
    /// A text between double quotes.
    Text,
    /// A sign.
    Sign(&'static str),
    /// The end of the file.
    End,
}

/// A piece of a file that has a meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    /// What it is.
    pub kind: Kind,
    /// As it stands there.
    pub text: &'a str,
    /// Where.
    pub span: Span,
}

/// The keywords. No name can be one of them.
pub const WORDS: &[&str] = &[
    "claim",
    "compromised",
    "const",
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

/// The signs.
pub const SIGNS: &[&str] = &["(", ")", "{", "}", ",", ";", ":", "=", ".", "_"];
