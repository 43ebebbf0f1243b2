//! The parser kit: what the parsers of models, process texts, label properties and formulas have in common. A language brings its
//! [`Token`]s, its [`Grammar`] and a lexer.
//!
//! The parsers are nom parsers over a cursor into a slice of tokens. Failures carry no message, because `alt` and `opt` throw
//! errors away: the shared [`State`] keeps what was expected at the furthest token that was reached, and
//! [`State::report`] turns that into a diagnostic where reading goes on.

mod brackets;
mod combinators;
mod nesting;
mod stack;
mod state;
mod wording;

pub use brackets::{enclosed, list, skip_in_brackets};
pub use combinators::{labelled, separated, spanned, token};
pub use nesting::{MAX_HEIGHT, MAX_NESTING, higher, nested};
pub use stack::with_large_stack;
pub use state::{Expected, Failed, Grammar, Parsed, State, Token, Tokens};
pub use wording::{alternatives, prefix, printable, shortened, unexpected};
