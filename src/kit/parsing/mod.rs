//! The parser kit, shared by the parsers of models, process texts, protocols, SMV and formulas. A language provides its
//! [`Grammar`] and a [`Lexicon`], or its own [`AnyToken`]s.
//!
//! The parsers are nom parsers over a cursor into a slice of tokens. Failures carry no message, because `alt` and `opt`
//! discard errors: the shared [`State`] keeps the expected items at the furthest token reached, and [`State::report`]
//! turns them into a diagnostic where reading continues.

mod brackets;
mod combinators;
mod lexer;
mod state;

pub use brackets::{block, enclosed, list, optional_semicolon, semicolon, skip_in_brackets};
pub use combinators::{MAX_HEIGHT, MAX_NESTING, higher, nested, with_large_stack};
pub use combinators::{Name, labelled, name, separated, spanned, token};
pub use lexer::{Kind, Lexed, Lexicon, Token};
pub use state::{AnyToken, Expected, Failed, Grammar, Parsed, State, Tokens};
pub use state::{alternatives, prefix, printable, shortened, unexpected};
