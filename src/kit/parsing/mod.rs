//! The parser kit, shared by the parsers of models, process texts, protocols, SMV and formulas. A language provides its
//! [`Grammar`] and a [`Lexicon`], or its own [`AnyToken`]s.
//!
//! The parsers are nom parsers over a cursor into a slice of tokens. Failures carry no message, because `alt` and `opt`
//! discard errors: the shared [`ParserState`] keeps the expected items at the furthest token reached, and [`ParserState::report`]
//! turns them into a diagnostic where reading continues.

mod brackets;
mod combinators;
mod lexer;
mod state;

pub use brackets::{block, enclosed, list, optional_semicolon, semicolon, skip_in_brackets};
pub use combinators::{MAX_HEIGHT, MAX_NESTING, higher, nested, with_large_stack};
pub use combinators::{Name, labelled, name, separated, spanned, token};
pub use lexer::{Lexed, Lexicon, Token, TokenKind};
pub use state::{AnyToken, Expected, Grammar, Parsed, ParserError, ParserState, Tokens};
pub use state::{alternatives, prefix, printable, shortened, unexpected};

/// The parts of a text between separators that are in no brackets.
pub fn outside_brackets(text: &str, separator: char) -> Vec<&str> {
    let mut depth = 0usize;
    text.split(|c| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == separator && depth == 0
    })
    .collect()
}
