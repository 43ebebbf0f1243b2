//! The tokens of Promela.

use kit::parsing::{Lexicon, TokenKind, prefix};

/// The tokens of Promela.
pub(super) const PROMELA: Lexicon = Lexicon {
    piece,
    words: &[UNIT_WORDS, WORDS],
    any_case: false,
    signs: &[
        "<->", "->", "::", "..", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||", "++", "--", "!!", "??", "(",
        ")", "[", "]", "{", "}", ",", ";", ":", ".", "=", "<", ">", "+", "-", "*", "/", "%", "!", "?", "&",
        "|", "^", "~", "@", "#",
    ],
    synonyms: &[],
    quotes: &[
        ('"', TokenKind::Text, "close it with `\"` before the end of the line"),
        ('\'', TokenKind::Pattern, "a character is between `'` and `'`"),
    ],
    line_comments: &["//"],
    block_comment: ("/*", "*/"),
    refused_line: None,
    help: "names are made of letters, digits and `_`",
};

/// The keywords that begin a part of a program.
pub(super) const UNIT_WORDS: &[&str] = &[
    "active", "c_code", "c_decl", "c_state", "c_track", "init", "inline", "ltl", "never", "notrace",
    "proctype", "trace", "typedef",
];

/// The other keywords.
const WORDS: &[&str] = &[
    "D_proctype",
    "assert",
    "atomic",
    "bit",
    "bool",
    "break",
    "byte",
    "c_expr",
    "chan",
    "d_step",
    "do",
    "else",
    "empty",
    "enabled",
    "eval",
    "false",
    "fi",
    "for",
    "full",
    "goto",
    "hidden",
    "if",
    "int",
    "len",
    "local",
    "mtype",
    "nempty",
    "nfull",
    "np_",
    "od",
    "of",
    "pc_value",
    "pid",
    "printf",
    "printm",
    "priority",
    "provided",
    "return",
    "run",
    "select",
    "short",
    "show",
    "skip",
    "timeout",
    "true",
    "unless",
    "unsigned",
    "xr",
    "xs",
];

fn piece(text: &str) -> Option<(TokenKind, usize)> {
    if text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        return Some((TokenKind::Name, prefix(text, |c| c.is_ascii_alphanumeric() || c == '_')));
    }
    let digits = prefix(text, |c| c.is_ascii_digit());
    (digits > 0).then(|| {
        let all = prefix(text, |c| c.is_ascii_alphanumeric() || c == '_');
        let kind =
            if all > digits { TokenKind::Foreign } else { TokenKind::Number(text[..digits].parse().ok()) };
        (kind, all)
    })
}
