//! What the parsers run on: the token slice as nom's input, the furthest failure, and the basic parsers.

use super::mistakes;
use crate::diagnostics::{Diagnostic, Span};
use crate::syntax::ast::Ident;
use crate::syntax::token::{ITEM_WORDS, Kind, STATEMENT_WORDS, Token};
use nom::error::{ErrorKind, ParseError};
use nom::{Err, IResult, Input, Needed, Parser};
use std::cell::{Cell, RefCell};
use std::fmt;

/// How deep brackets, statements and operators may nest in a text.
pub const MAX_NESTING: usize = 200;
/// How high the tree of an expression, statement or type may be; a chain `a + b + …` is as high as it is
/// long.
/// Every pass over the tree may recurse that deep.
pub const MAX_HEIGHT: usize = 500;

/// How many diagnostics of a text are kept.
const MOST_DIAGNOSTICS: usize = 10_000;

/// The tokens not yet read. Copying is free.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tokens<'a> {
    rest: &'a [Token<'a>],
    /// What all parsers of a text share.
    pub state: &'a State<'a>,
}

/// What the parsers of one text share: what was expected where, and what was reported.
#[derive(Debug)]
pub(super) struct State<'a> {
    /// All tokens, the last one is [`Kind::End`].
    pub tokens: &'a [Token<'a>],
    /// The whole text.
    pub text: &'a str,
    /// Whether we are in the body of an `ltl` or `ctl` property, where `next` is an operator.
    pub temporal: Cell<bool>,
    /// Whether the spellings of other languages, `!` for `not`, are taken without a word.
    pub any_spelling: Cell<bool>,
    /// Whether the text has a definition or predicate called `next`.
    pub declares_next: bool,
    /// The furthest token that some parser could not use, and what would have been expected in its place.
    ///
    /// It is kept here and not in the error values, because `many0` and `opt` throw those away.
    furthest: RefCell<(usize, Vec<Expected>)>,
    diagnostics: RefCell<Vec<Diagnostic>>,
    /// The token that the last reported mistake is about; reading goes on after it.
    mistake_at: Cell<usize>,
    depth: Cell<usize>,
    /// The height of the highest tree built since it was last set to zero.
    height: Cell<usize>,
}

/// What a parser wanted to see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expected {
    /// A sign or keyword.
    Token(&'static str),
    /// Something with a name, like "a type".
    Thing(&'static str),
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expected::Token(spelling) => write!(f, "`{spelling}`"),
            Expected::Thing(name) => f.write_str(name),
        }
    }
}

/// Why a parser failed; process texts are read with it, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// It met a token that it cannot use; the shared state knows which and what was expected.
    Unexpected,
    /// A diagnostic says it already.
    Reported,
}

/// The result of a parser.
pub(super) type Parsed<'a, O> = IResult<Tokens<'a>, O, Trouble>;

impl<I> ParseError<I> for Trouble {
    fn from_error_kind(_: I, _: ErrorKind) -> Self {
        Trouble::Unexpected
    }

    fn append(_: I, _: ErrorKind, other: Self) -> Self {
        other
    }
}

impl<'a> State<'a> {
    /// The state at the beginning. `tokens` must end with [`Kind::End`].
    pub fn new(text: &'a str, tokens: &'a [Token<'a>], diagnostics: Vec<Diagnostic>) -> Self {
        Self {
            tokens,
            text,
            temporal: Cell::new(false),
            any_spelling: Cell::new(false),
            declares_next: tokens
                .windows(2)
                .any(|pair| (pair[0].is("def") || pair[0].is("pred")) && pair[1].is_name("next")),
            furthest: RefCell::default(),
            diagnostics: RefCell::new(diagnostics),
            mistake_at: Cell::new(0),
            depth: Cell::new(0),
            height: Cell::new(0),
        }
    }

    /// The tokens from an index on.
    pub fn tokens_from(&'a self, index: usize) -> Tokens<'a> {
        Tokens { rest: &self.tokens[index.min(self.tokens.len() - 1)..], state: self }
    }

    /// Says that `expected` would have fitted instead of the token `at`.
    fn expect(&self, at: usize, expected: Expected) {
        let mut furthest = self.furthest.borrow_mut();
        if at > furthest.0 {
            *furthest = (at, vec![expected]);
        } else if at == furthest.0 && !furthest.1.contains(&expected) {
            furthest.1.push(expected);
        }
    }

    /// Adds a diagnostic, unless there are very many already.
    pub fn add(&self, diagnostic: Diagnostic) {
        let mut diagnostics = self.diagnostics.borrow_mut();
        if diagnostics.len() < MOST_DIAGNOSTICS {
            diagnostics.push(diagnostic);
        }
    }

    /// Turns a failure into a diagnostic, unless there is one already, and gives the tokens from the mistake
    /// on. `opening` is the bracket that the failing parser was inside of.
    pub fn report(&'a self, failure: Err<Trouble>, opening: Option<&Token<'a>>) -> Tokens<'a> {
        if !matches!(failure, Err::Error(Trouble::Reported) | Err::Failure(Trouble::Reported)) {
            let (at, expected) = self.furthest.take();
            // Behind skipped characters nothing can be said that was not said about these.
            if !self.tokens[at].after_unreadable {
                self.add(mistakes::unexpected(self, at, &expected, opening));
            }
            self.mistake_at.set(at);
        }
        self.tokens_from(self.mistake_at.get())
    }

    /// All diagnostics in the order of the text.
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        let mut diagnostics = self.diagnostics.into_inner();
        diagnostics.sort_by_key(|d| d.span.map(|span| span.start));
        diagnostics
    }

    fn too_big(&self, at: usize, message: String, help: &str) -> Err<Trouble> {
        self.add(Diagnostic::error(self.tokens[at].span, message).with_help(help));
        self.mistake_at.set(at);
        Err::Failure(Trouble::Reported)
    }
}

impl<'a> Tokens<'a> {
    /// The next token.
    pub fn first(&self) -> &'a Token<'a> {
        self.peek(0)
    }

    /// The token `ahead` of the next one, at most the end.
    pub fn peek(&self, ahead: usize) -> &'a Token<'a> {
        self.rest.get(ahead).unwrap_or(&self.state.tokens[self.state.tokens.len() - 1])
    }

    /// The index of the next token.
    pub fn position(&self) -> usize {
        (self.state.tokens.len() - self.rest.len()).min(self.state.tokens.len() - 1)
    }

    /// Without the next token, unless that is the end.
    pub fn skip_one(&self) -> Self {
        self.state.tokens_from(self.position() + 1)
    }

    /// Whether everything was read.
    pub fn at_end(&self) -> bool {
        self.first().kind == Kind::End
    }

    /// Whether a declaration begins here.
    pub fn at_item(&self) -> bool {
        // `action` is also the label of a step: `action@t = forge`, `E[action = a U action = b]`.
        let Kind::Word(word) = self.first().kind else { return false };
        let next = self.peek(1);
        ITEM_WORDS.contains(&word)
            && match word {
                "action" => next.kind == Kind::Name && !next.is_name("U"),
                // Without its braces it is a misspelt `require`.
                "requires" => next.is("{"),
                _ => true,
            }
    }

    /// Whether a statement surely begins here.
    pub fn at_statement(&self) -> bool {
        match self.first().kind {
            Kind::Word(word) => STATEMENT_WORDS.contains(&word),
            Kind::Name => self.peek(1).is("'"),
            _ => false,
        }
    }

    /// The place of everything from here up to `end`, which was reached by parsing.
    pub fn span_to(&self, end: Tokens<'a>) -> Span {
        let (from, to) = (self.position(), end.position());
        let first = self.first().span;
        if to > from { first.to(self.state.tokens[to - 1].span) } else { Span { end: first.start, ..first } }
    }

    /// The failure of a parser that wanted something else than the next token.
    pub fn unexpected<O>(&self, expected: Expected) -> Parsed<'a, O> {
        self.state.expect(self.position(), expected);
        Err(Err::Error(Trouble::Unexpected))
    }
}

/// A sign or a keyword. A foreign spelling that stands for it is reported and taken.
pub(super) fn token<'a>(
    spelling: &'static str,
) -> impl Parser<Tokens<'a>, Output = &'a Token<'a>, Error = Trouble> {
    move |input: Tokens<'a>| {
        let first = input.first();
        if !first.is(spelling) {
            return input.unexpected(Expected::Token(spelling));
        }
        if let Kind::Foreign(foreign) = first.kind
            && !input.state.any_spelling.get()
        {
            let message = format!("`{}` is not part of the language", first.text);
            input.state.add(Diagnostic::error(first.span, message).with_help(foreign.help));
        }
        Ok((input.skip_one(), first))
    }
}

/// A name.
pub(super) fn name(input: Tokens<'_>) -> Parsed<'_, Ident> {
    let first = input.first();
    match first.kind {
        Kind::Name => Ok((input.skip_one(), Ident { name: first.text.to_string(), span: first.span })),
        _ => input.unexpected(Expected::Thing("a name")),
    }
}

/// Calls everything that `parser` may begin with by one name.
pub(super) fn labelled<'a, O>(
    thing: &'static str,
    mut parser: impl Parser<Tokens<'a>, Output = O, Error = Trouble>,
) -> impl FnMut(Tokens<'a>) -> Parsed<'a, O> {
    move |input: Tokens<'a>| {
        let start = input.position();
        let known = match &*input.state.furthest.borrow() {
            (at, expected) if *at == start => expected.len(),
            _ => 0,
        };
        let result = parser.parse(input);
        if let Err(Err::Error(Trouble::Unexpected)) = result {
            if let (at, expected) = &mut *input.state.furthest.borrow_mut()
                && *at == start
            {
                expected.truncate(known);
            }
            input.state.expect(start, Expected::Thing(thing));
        }
        result
    }
}

/// The output of a parser with its place.
pub(super) fn spanned<'a, O>(
    mut parser: impl Parser<Tokens<'a>, Output = O, Error = Trouble>,
) -> impl FnMut(Tokens<'a>) -> Parsed<'a, (O, Span)> {
    move |input: Tokens<'a>| {
        let (rest, output) = parser.parse(input)?;
        Ok((rest, (output, input.span_to(rest))))
    }
}

/// Runs a parser one level deeper; too deep is an error, not the end of the stack.
pub(super) fn nested<'a, O>(
    input: Tokens<'a>,
    parser: impl FnOnce(Tokens<'a>) -> Parsed<'a, O>,
) -> Parsed<'a, O> {
    let state = input.state;
    if state.depth.get() >= MAX_NESTING {
        let message = format!("nested more than {MAX_NESTING} levels deep");
        return Err(state.too_big(input.position(), message, "name the inner parts with `def` or `type`"));
    }
    state.depth.set(state.depth.get() + 1);
    let outer = state.height.replace(0);
    let result = parser(input);
    state.depth.set(state.depth.get() - 1);
    let result = result.and_then(|(rest, output)| higher(rest).map(|()| (rest, output)));
    state.height.set(state.height.get().max(outer));
    result
}

/// Notes that a node was put on top of what was built since [`nested`] began.
pub(super) fn higher(rest: Tokens<'_>) -> Result<(), Err<Trouble>> {
    let state = rest.state;
    state.height.set(state.height.get() + 1);
    if state.height.get() > MAX_HEIGHT {
        let message = format!("more than {MAX_HEIGHT} operations in one expression");
        let help = "split it: several `require` or formulas, a `def` for a part, or `forall` and `exists`";
        return Err(state.too_big(rest.position(), message, help));
    }
    Ok(())
}

impl<'a> Input for Tokens<'a> {
    type Item = &'a Token<'a>;
    type Iter = std::slice::Iter<'a, Token<'a>>;
    type IterIndices = std::iter::Enumerate<Self::Iter>;

    fn input_len(&self) -> usize {
        self.rest.len()
    }

    fn take(&self, index: usize) -> Self {
        Tokens { rest: &self.rest[..index], ..*self }
    }

    fn take_from(&self, index: usize) -> Self {
        Tokens { rest: &self.rest[index..], ..*self }
    }

    fn take_split(&self, index: usize) -> (Self, Self) {
        (self.take_from(index), self.take(index))
    }

    fn position<P: Fn(Self::Item) -> bool>(&self, predicate: P) -> Option<usize> {
        self.rest.iter().position(predicate)
    }

    fn iter_elements(&self) -> Self::Iter {
        self.rest.iter()
    }

    fn iter_indices(&self) -> Self::IterIndices {
        self.rest.iter().enumerate()
    }

    fn slice_index(&self, count: usize) -> Result<usize, Needed> {
        if count <= self.rest.len() { Ok(count) } else { Err(Needed::new(count - self.rest.len())) }
    }
}
