//! The parser kit: what the parsers of models, process texts, protocols, SMV and formulas have in common. A language brings its
//! [`Grammar`] and a [`Lexicon`], or [`AnyToken`]s of its own.
//!
//! The parsers are nom parsers over a cursor into a slice of tokens. Failures carry no message, because `alt` and `opt` throw
//! errors away: the shared [`State`] keeps what was expected at the furthest token that was reached, and
//! [`State::report`] turns that into a diagnostic where reading goes on.

mod brackets;
mod combinators;
mod lexer;
mod nesting;
mod state;
mod wording;

pub use brackets::{block, enclosed, list, optional_semicolon, semicolon, skip_in_brackets};
pub use combinators::{Name, labelled, name, separated, spanned, token};
pub use lexer::{Kind, Lexed, Lexicon, Token};
pub use nesting::{MAX_HEIGHT, MAX_NESTING, higher, nested, with_large_stack};
pub use state::{AnyToken, Expected, Failed, Grammar, Parsed, State, Tokens};
pub use wording::{alternatives, prefix, printable, shortened, unexpected};
