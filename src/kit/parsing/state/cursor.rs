//! The input of the parsers: a cursor into the tokens.

use super::{AnyToken, Expected, Parsed, ParserError, ParserState};
use crate::diagnostics::{Diagnostic, Span};
use nom::Err;
use std::fmt;

/// The tokens not yet read. Copying is free.
pub struct Tokens<'a, T, G> {
    /// The index of the next token.
    at: usize,
    /// The shared state.
    pub state: &'a ParserState<'a, T, G>,
}

impl<T, G> Clone for Tokens<'_, T, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, G> Copy for Tokens<'_, T, G> {}

impl<T, G> fmt::Debug for Tokens<'_, T, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "token {} of {}", self.at, self.state.tokens.len())
    }
}

impl<'a, T, G> Tokens<'a, T, G> {
    pub(super) fn new(state: &'a ParserState<'a, T, G>, at: usize) -> Self {
        Self { at, state }
    }

    /// The next token.
    pub fn first(&self) -> &'a T {
        &self.state.tokens[self.at]
    }

    /// The token `ahead` of the next one, at most the end of the text.
    pub fn peek(&self, ahead: usize) -> &'a T {
        &self.state.tokens[(self.at + ahead).min(self.state.tokens.len() - 1)]
    }

    /// The index of the next token.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Returns the tokens without the next one, unless that is the end of the text.
    pub fn skip(&self) -> Self {
        self.state.tokens_from(self.at + 1)
    }

    /// Returns the failure of a parser that expected another token.
    pub fn fail(&self, expected: Expected) -> Err<ParserError> {
        self.state.expect(self.at, expected);
        Err::Error(ParserError::Unexpected)
    }

    /// Like [`Tokens::fail`], as the result of a parser.
    pub fn unexpected<O>(&self, expected: Expected) -> Parsed<'a, T, G, O> {
        Err(self.fail(expected))
    }
}

impl<'a, T: AnyToken, G> Tokens<'a, T, G> {
    /// True if all tokens were read.
    pub fn at_end(&self) -> bool {
        self.first().is_end()
    }

    /// True if the next token is, or stands for, this keyword or sign.
    pub fn at(&self, spelling: &str) -> bool {
        self.first().is(spelling)
    }

    /// True if the token after the next one is, or stands for, this keyword or sign.
    pub fn second_at(&self, spelling: &str) -> bool {
        self.peek(1).is(spelling)
    }

    /// Returns the place from here up to `end`, which was reached by parsing; empty if nothing was read.
    pub fn span_to(&self, end: Self) -> Span {
        let first = self.first().span();
        match end.at.checked_sub(1) {
            Some(last) if last >= self.at => first.to(self.state.tokens[last].span()),
            _ => Span { end: first.start, ..first },
        }
    }

    /// Returns the failure of a parser with its own diagnostic about the next token.
    pub fn mistake(&self, message: impl Into<String>, help: &str) -> Err<ParserError> {
        self.state.refuse(self.at, Diagnostic::error(self.first().span(), message).with_help(help))
    }
}
