//! Tokens, languages, and the state shared by the parsers of one text.

use crate::diagnostics::{Diagnostic, Span};
use nom::error::{ErrorKind, ParseError};
use nom::{Err, IResult};
use std::cell::{Cell, RefCell};
use std::fmt;
use std::fmt::Display;

mod cursor;

pub use cursor::Tokens;

/// How many diagnostics of a text are kept.
pub(super) const MOST_DIAGNOSTICS: usize = 10_000;

/// A token of some language.
pub trait AnyToken {
    /// Returns its place; empty at the end of the text.
    fn span(&self) -> Span;

    /// Returns its text as written; empty at the end of the text.
    fn text(&self) -> &str;

    /// True if it is the mark at the end of the text.
    fn is_end(&self) -> bool;

    /// True if it is, or stands for, this keyword or sign.
    fn is(&self, spelling: &str) -> bool;

    /// True if a diagnostic about it exists already.
    fn is_reported(&self) -> bool {
        false
    }
}

/// A language with tokens of type `T`. The value holds what its parsers need beside the tokens, like counters.
pub trait Grammar<T: AnyToken>: Sized {
    /// The word for a whole text, in messages about its end.
    const WHOLE: &'static str = "text";

    /// The help for a text that is nested too deeply.
    const TOO_DEEP: &'static str;

    /// The help for an expression with too many operations.
    const TOO_LONG: &'static str;

    /// Returns the diagnostic for the token `at`, where one of `expected` was wanted; `opening` is the bracket around
    /// it. `None` if that would only repeat an earlier one.
    fn unexpected(
        state: &ParserState<'_, T, Self>,
        at: usize,
        expected: &[Expected],
        opening: Option<&T>,
    ) -> Option<Diagnostic> {
        let token = &state.tokens[at];
        if token.is_reported() {
            return None;
        }
        let found = (!token.is_end()).then(|| token.text());
        let message = match found {
            None if at == 0 => format!("the {} is empty", Self::WHOLE),
            _ => unexpected(expected, found, Self::WHOLE),
        };
        let help = Self::help(token, expected, opening);
        let mistake = Diagnostic { help, ..Diagnostic::error(token.span(), message) };
        Some(match opening {
            Some(opening) => mistake.with_related(opening.span(), "opened here"),
            None => mistake,
        })
    }

    /// Help about a token where one of `expected` was wanted, inside the bracket `opening`.
    fn help(_: &T, _: &[Expected], _: Option<&T>) -> Option<String> {
        None
    }

    /// Inspects an accepted keyword or sign for spellings that are understood but wrong.
    fn accepted(_: &ParserState<'_, T, Self>, _: &T) {}

    /// True if no bracket that was opened before can be closed at or after this token.
    fn ends_brackets(input: Tokens<'_, T, Self>) -> bool;
}

/// An expected item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// A sign or keyword; shown between backticks.
    Token(&'static str),
    /// A named item, like "a type".
    Thing(&'static str),
}

impl Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expected::Token(spelling) => write!(f, "`{spelling}`"),
            Expected::Thing(name) => f.write_str(name),
        }
    }
}

/// The error of a parser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParserError {
    /// An unexpected token; the shared state keeps the token and the expected items.
    Unexpected,
    /// A diagnostic exists already.
    Reported,
}

/// The result of a parser over the tokens `T` of the language `G`.
pub type Parsed<'a, T, G, O> = IResult<Tokens<'a, T, G>, O, ParserError>;

impl<I> ParseError<I> for ParserError {
    fn from_error_kind(_: I, _: ErrorKind) -> Self {
        ParserError::Unexpected
    }

    fn append(_: I, _: ErrorKind, other: Self) -> Self {
        other
    }
}

/// The state shared by the parsers of one text.
#[derive(Debug)]
pub struct ParserState<'a, T, G> {
    /// All tokens; the last one is the end of the text.
    pub tokens: &'a [T],
    /// The language.
    pub grammar: G,
    /// The furthest token that some parser could not use, and the items expected in its place.
    pub(super) furthest: RefCell<(usize, Vec<Expected>)>,
    diagnostics: RefCell<Vec<Diagnostic>>,
    /// The token that the last reported mistake is about.
    mistake_at: Cell<usize>,
    pub(super) depth: Cell<usize>,
    /// The height of the highest tree since [`super::nested`] last began.
    pub(super) height: Cell<usize>,
}

impl<'a, T, G> ParserState<'a, T, G> {
    /// Creates the state before reading; `diagnostics` are those of the lexer. `tokens` must end with the end of the
    /// text.
    pub fn new(tokens: &'a [T], grammar: G, diagnostics: Vec<Diagnostic>) -> Self {
        Self {
            tokens,
            grammar,
            furthest: RefCell::default(),
            diagnostics: RefCell::new(diagnostics),
            mistake_at: Cell::new(0),
            depth: Cell::new(0),
            height: Cell::new(0),
        }
    }

    /// Returns the tokens from an index on, at least the end of the text.
    pub fn tokens_from(&'a self, index: usize) -> Tokens<'a, T, G> {
        Tokens::new(self, index.min(self.tokens.len() - 1))
    }

    /// Adds a diagnostic, unless there are too many already.
    pub fn add(&self, diagnostic: Diagnostic) {
        let mut diagnostics = self.diagnostics.borrow_mut();
        if diagnostics.len() < MOST_DIAGNOSTICS {
            diagnostics.push(diagnostic);
        }
    }

    /// Records that `expected` would have been right in place of the token `at`.
    pub(super) fn expect(&self, at: usize, expected: Expected) {
        let mut furthest = self.furthest.borrow_mut();
        if at > furthest.0 {
            *furthest = (at, vec![expected]);
        } else if at == furthest.0 && !furthest.1.contains(&expected) {
            furthest.1.push(expected);
        }
    }

    /// Adds a diagnostic about the token `at`; returns the corresponding failure.
    pub(super) fn refuse(&self, at: usize, diagnostic: Diagnostic) -> Err<ParserError> {
        self.add(diagnostic);
        self.mistake_at.set(at);
        Err::Failure(ParserError::Reported)
    }

    /// All diagnostics in the order of the text.
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        let mut diagnostics = self.diagnostics.into_inner();
        diagnostics.sort_by_key(|diagnostic| diagnostic.span.map(|span| span.start));
        diagnostics
    }
}

impl<'a, T: AnyToken, G: Grammar<T>> ParserState<'a, T, G> {
    /// Turns a failure into a diagnostic, unless there is one, and returns the tokens from the mistake on. `opening` is
    /// the bracket around the failed parser.
    pub fn report(&'a self, failure: Err<ParserError>, opening: Option<&T>) -> Tokens<'a, T, G> {
        if !matches!(failure, Err::Error(ParserError::Reported) | Err::Failure(ParserError::Reported)) {
            let (at, expected) = self.furthest.take();
            if let Some(diagnostic) = G::unexpected(self, at, &expected, opening) {
                self.add(diagnostic);
            }
            self.mistake_at.set(at);
        }
        self.tokens_from(self.mistake_at.get())
    }
}

/// Returns `a`, `a or b`, `a, b or c`; "something else" if there are none.
pub fn alternatives<T: Display>(all: &[T]) -> String {
    match all {
        [] => "something else".to_owned(),
        [one] => one.to_string(),
        [others @ .., last] => {
            let others: Vec<String> = others.iter().map(T::to_string).collect();
            format!("{} or {last}", others.join(", "))
        }
    }
}

/// Returns the number of bytes at the beginning of a text that are characters of a kind.
pub fn prefix(text: &str, is: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is(c)).unwrap_or(text.len())
}

/// Returns a character for messages: `U+001B` if printing would not show it.
pub fn printable(c: char) -> String {
    if c.is_control() || c.is_whitespace() { format!("U+{:04X}", u32::from(c)) } else { c.to_string() }
}

/// Returns a message with the expected items and the actual token; `None` at the end of a `text`, the word for the
/// ended text.
pub fn unexpected<T: Display>(expected: &[T], found: Option<&str>, text: &str) -> String {
    let wanted = alternatives(expected);
    match found {
        Some(token) => format!("expected {wanted}, but found `{}`", shortened(token)),
        None => format!("expected {wanted}, but the {text} ends here"),
    }
}

/// Returns a token for messages: its first 30 characters.
pub fn shortened(text: &str) -> String {
    let mut shown: String = text.chars().take(30).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}
