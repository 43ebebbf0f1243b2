//! The tokens of formulas, in the spelling of MCL and of mCRL2.

use crate::mucalc::label::is_of_name;
use kit::parsing::{Kind, Lexicon, prefix};

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
        ('"', Kind::Text, "end it with `\"` on the same line"),
        ('\'', Kind::Pattern, "close it; in a pattern, `.` can stand for a single quote"),
    ],
    line_comments: &["%", "--"],
    block_comment: ("(*", "*)"),
    refused_line: None,
    help: "put labels with other characters between double quotes",
};

fn piece(rest: &str) -> Option<(Kind, usize)> {
    match rest.chars().next()? {
        c if c.is_ascii_digit() => {
            let length = prefix(rest, |c| c.is_ascii_digit());
            Some((Kind::Number(rest[..length].parse().ok()), length))
        }
        c if c.is_alphabetic() || c == '_' => Some((Kind::Name, prefix(rest, is_of_name))),
        _ => None,
    }
}
