//! Protocols in Alice–Bob notation (`.anb`), as OFMC reads it, turned into the tree of a protocol file: a message list becomes roles that
//! check of each message what their agents can.
//!
//! S. Mödersheim, *Algebraic properties in Alice and Bob notation* (2009).

mod declared;
mod knowledge;
mod parser;
mod roles;
mod tree;

use super::text::tree::ProtocolFile;
use kit::diagnostics::{Diagnostic, SourceId};
use kit::parsing::{Lexicon, TokenKind, prefix};

/// The tokens of Alice–Bob notation.
const ANB: Lexicon = Lexicon {
    piece: name,
    words: &[],
    any_case: false,
    signs: &["*->*", "*->", "->*", "->", "{|", "|}", "{", "}", "(", ")", "[", "]", ",", ";", ":", "!="],
    synonyms: &[],
    quotes: &[],
    line_comments: &["#"],
    block_comment: ("/*", "*/"),
    refused_line: None,
    help: "names are made of letters, digits and `_`",
};

fn name(text: &str) -> Option<(TokenKind, usize)> {
    let length = prefix(text, |c| c.is_ascii_alphanumeric() || c == '_');
    (length > 0).then_some((TokenKind::Name, length))
}

/// Reads a text. Without mistakes, the tree is complete.
pub(super) fn parse(source: SourceId, text: &str) -> (ProtocolFile, Vec<Diagnostic>) {
    match parser::parse(ANB.lex(source, text)).and_then(|described| roles::file(&described)) {
        Ok((file, warnings)) => (file, warnings),
        Err(mistakes) => (ProtocolFile { items: Vec::new(), lost: true }, mistakes),
    }
}
