//! What a process text consists of.

use kit::diagnostics::Span;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A keyword, in lower case.
    Word(&'static str),
    /// A name.
    Name,
    /// A natural number; `None` if it is too large.
    Number(Option<i64>),
    /// A text between double quotes.
    Text,
    /// A number with a fraction or a character: the language has them, but not the part that is understood here.
    Foreign,
    /// A sign.
    Sign(&'static str),
    /// The end of the text.
    End,
}

/// A piece of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    /// What it is.
    pub kind: Kind,
    /// As it stands there.
    pub text: &'a str,
    /// Where.
    pub span: Span,
}

/// The keywords; upper and lower case are the same.
pub const WORDS: &[&str] = &[
    "alt", "and", "any", "array", "as", "assert", "break", "by", "case", "channel", "disrupt", "else",
    "elsif", "end", "ensure", "eval", "for", "function", "hide", "if", "implies", "in", "inout", "is",
    "list", "loop", "mod", "module", "not", "null", "of", "only", "or", "out", "par", "process", "raise",
    "range", "rem", "require", "return", "select", "set", "sorted", "stop", "then", "trap", "type", "use",
    "var", "where", "while", "with", "xor",
];

/// The signs, longer ones before those that they begin with.
pub const SIGNS: &[&str] = &[
    "...", "->", "=>", ":=", "[]", "||", "==", "!=", "<>", "<=", ">=", "..", "(", ")", "[", "]", "{", "}",
    ",", ";", ":", "!", "?", "|", "<", ">", "+", "-", "*", "/", "^", ".", "=", "#",
];

/// The keywords that are operators, and may be names of constructors, too.
pub const OPERATOR_WORDS: &[&str] = &["and", "implies", "mod", "not", "or", "rem", "xor"];

/// The keywords that begin a definition.
pub const ITEM_WORDS: &[&str] = &["type", "channel", "function", "process", "module"];
