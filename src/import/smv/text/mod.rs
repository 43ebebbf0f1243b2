//! The lexer, the parser and the tree of SMV.

mod parser;
pub mod tree;

pub use parser::parse;

use kit::parsing::{Lexicon, TokenKind, prefix};

pub(super) const SMV: Lexicon = Lexicon {
    piece,
    words: &[SECTION_WORDS, WORDS],
    any_case: false,
    signs: &[
        "<->", "->", ":=", "::", "..", "!=", "<=", ">=", "<<", ">>", "(", ")", "[", "]", "{", "}", ",", ";",
        ":", ".", "=", "<", ">", "+", "-", "*", "/", "!", "&", "|", "?",
    ],
    synonyms: &[],
    quotes: &[('"', TokenKind::Name, "end the name with `\"`")],
    line_comments: &["--"],
    block_comment: ("/--", "--/"),
    refused_line: Some((
        "#",
        "lines of the C preprocessor are not read",
        "run the preprocessor first: `cpp -P model.smv > expanded.smv`",
    )),
    help: "names are made of letters, digits, `_`, `$`, `#` and `-`",
};

/// The most bits of a word.
pub(crate) const WIDEST: u32 = 42;

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
const WORDS: &[&str] = &[
    "A", "ABF", "ABG", "AF", "AG", "AX", "BU", "E", "EBF", "EBG", "EF", "EG", "EX", "F", "FALSE", "G", "H",
    "IN", "MAX", "MIN", "NAME", "O", "S", "T", "TRUE", "U", "V", "X", "Y", "Z", "abs", "array", "bool",
    "boolean", "case", "count", "esac", "extend", "in", "init", "integer", "max", "min", "mod", "next", "of",
    "process", "real", "resize", "self", "signed", "sizeof", "swconst", "toint", "union", "unsigned",
    "uwconst", "word", "word1", "xnor", "xor",
];

/// True for keywords.
pub(crate) fn is_reserved(name: &str) -> bool {
    SECTION_WORDS.contains(&name) || WORDS.contains(&name)
}

fn piece(text: &str) -> Option<(TokenKind, usize)> {
    match name(text) {
        Some(length) => Some((TokenKind::Name, length)),
        None => text.starts_with(|c: char| c.is_ascii_digit()).then(|| number(text)),
    }
}

/// Returns the length of the name or keyword at the beginning of a text: `x`, `x.0`. A comment ends it: `x--`.
fn name(text: &str) -> Option<usize> {
    if !text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        return None;
    }
    let length = prefix(text, |c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '#' | '-'));
    let whole = &text[..length];
    // `f'1/2` is a fraction.
    if whole.eq_ignore_ascii_case("f") && text[length..].starts_with('\'') {
        return None;
    }
    if let Some(commented) = whole.find("--") {
        return Some(commented);
    }
    let mut length = length;
    while let Some(number) = text[length..].strip_prefix('.').map(|rest| prefix(rest, |c| c.is_ascii_digit()))
        && number > 0
    {
        length += 1 + number;
    }
    Some(length)
}

/// Matches a number at the beginning of a text, with its length; attached letters and digits belong to it.
fn number(text: &str) -> (TokenKind, usize) {
    let digits = prefix(text, |c| c.is_ascii_digit());
    let all = prefix(text, |c| c.is_ascii_alphanumeric() || c == '_');
    if all > digits {
        return (TokenKind::Foreign, all);
    }
    let rest = &text[digits..];
    if rest.starts_with('.') && rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
        return (TokenKind::Foreign, digits + 1 + prefix(&rest[1..], |c| c.is_ascii_digit()));
    }
    (TokenKind::Number(text[..digits].parse().ok()), digits)
}
