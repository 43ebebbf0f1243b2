//! What a text in SMV consists of.

use kit::diagnostics::Span;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A keyword.
    Word(&'static str),
    /// A name: letters, digits, `_`, `$`, `#` and `-`, beginning with a letter or `_`.
    Name,
    /// A number; `None` if it does not fit in 64 bits.
    Number(Option<i64>),
    /// A constant of a type that is not read: `0ud8_255`, `1.5`, `f'1/2`.
    Foreign,
    /// A sign.
    Sign(&'static str),
    /// The end of the text.
    End,
}

/// A piece of a text that has a meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    /// What it is.
    pub kind: Kind,
    /// As it stands there.
    pub text: &'a str,
    /// Where.
    pub span: Span,
}

/// The keywords that begin a part of a module, or a module.
pub(super) const SECTION_WORDS: &[&str] = &[
    "ASSIGN",
    "COMPASSION",
    "COMPUTE",
    "CONSTANTS",
    "CTLSPEC",
    "DEFINE",
    "FAIRNESS",
    "FROZENVAR",
    "INIT",
    "INVAR",
    "INVARSPEC",
    "ISA",
    "IVAR",
    "JUSTICE",
    "LTLSPEC",
    "MIRROR",
    "MODULE",
    "PRED",
    "PSLSPEC",
    "SIMPWFF",
    "SPEC",
    "TRANS",
    "VAR",
];

/// The other keywords.
pub(super) const WORDS: &[&str] = &[
    "A", "ABF", "ABG", "AF", "AG", "AX", "BU", "E", "EBF", "EBG", "EF", "EG", "EX", "F", "FALSE", "G", "H",
    "IN", "MAX", "MIN", "NAME", "O", "S", "T", "TRUE", "U", "V", "X", "Y", "Z", "abs", "array", "bool",
    "boolean", "case", "count", "esac", "extend", "in", "init", "integer", "max", "min", "mod", "next", "of",
    "process", "real", "resize", "self", "signed", "sizeof", "swconst", "toint", "union", "unsigned",
    "uwconst", "word", "word1", "xnor", "xor",
];

/// The signs; of two that begin alike, the longer one comes first.
pub(super) const SIGNS: &[&str] = &[
    "<->", "->", ":=", "::", "..", "!=", "<=", ">=", "<<", ">>", "(", ")", "[", "]", "{", "}", ",", ";", ":",
    ".", "=", "<", ">", "+", "-", "*", "/", "!", "&", "|", "?",
];
