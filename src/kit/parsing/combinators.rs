//! The basic parsers.

use super::lexer::{Token, TokenKind};
use super::state::{AnyToken, Expected, Grammar, Parsed, ParserError, Tokens};
use crate::diagnostics::Span;
use nom::combinator::cut;
use nom::{Err, Parser};

/// Parses a sign or a keyword.
pub fn token<'a, T: AnyToken + 'a, G: Grammar<T> + 'a>(
    spelling: &'static str,
) -> impl Parser<Tokens<'a, T, G>, Output = &'a T, Error = ParserError> {
    move |input: Tokens<'a, T, G>| {
        let first = input.first();
        if !first.is(spelling) {
            return input.unexpected(Expected::Token(spelling));
        }
        G::accepted(input.state, first);
        Ok((input.skip(), first))
    }
}

/// A name and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The text as written.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// Parses a name, which messages call `thing`.
pub fn name<'a, G: 'a>(
    input: Tokens<'a, Token<'a>, G>,
    thing: &'static str,
) -> Parsed<'a, Token<'a>, G, Name> {
    let first = input.first();
    match first.kind {
        TokenKind::Name => Ok((input.skip(), Name { text: first.text.to_owned(), span: first.span })),
        _ => input.unexpected(Expected::Thing(thing)),
    }
}

/// Describes all possible beginnings of `parser` by one name in messages.
pub fn labelled<'a, T: 'a, G: 'a, O>(
    thing: &'static str,
    mut parser: impl Parser<Tokens<'a, T, G>, Output = O, Error = ParserError>,
) -> impl FnMut(Tokens<'a, T, G>) -> Parsed<'a, T, G, O> {
    move |input: Tokens<'a, T, G>| {
        let start = input.position();
        let known = match &*input.state.furthest.borrow() {
            (at, expected) if *at == start => expected.len(),
            _ => 0,
        };
        let result = parser.parse(input);
        if let Err(Err::Error(ParserError::Unexpected)) = result {
            {
                let (at, expected) = &mut *input.state.furthest.borrow_mut();
                if *at == start {
                    expected.truncate(known);
                }
            }
            input.state.expect(start, Expected::Thing(thing));
        }
        result
    }
}

/// Adds the place to the output of a parser.
pub fn spanned<'a, T: AnyToken + 'a, G: 'a, O>(
    mut parser: impl Parser<Tokens<'a, T, G>, Output = O, Error = ParserError>,
) -> impl FnMut(Tokens<'a, T, G>) -> Parsed<'a, T, G, (O, Span)> {
    move |input: Tokens<'a, T, G>| {
        let (rest, output) = parser.parse(input)?;
        Ok((rest, (output, input.span_to(rest))))
    }
}

/// Parses one or more items with a separator between them; after a separator another item is required.
pub fn separated<'a, T: AnyToken + 'a, G: Grammar<T> + 'a, O>(
    separator: &'static str,
    mut parser: impl Parser<Tokens<'a, T, G>, Output = O, Error = ParserError>,
) -> impl FnMut(Tokens<'a, T, G>) -> Parsed<'a, T, G, Vec<O>> {
    move |input| {
        let (mut rest, first) = parser.parse(input)?;
        let mut all = vec![first];
        while let Ok((after, _)) = token(separator).parse(rest) {
            let (after, next) = cut(|input| parser.parse(input)).parse(after)?;
            all.push(next);
            rest = after;
        }
        Ok((rest, all))
    }
}

/// The greatest nesting of brackets, statements and operators in a text.
pub const MAX_NESTING: usize = 200;

/// The greatest height of the tree of an expression, statement or type; a chain `a + b + …` is as high as it is long.
/// Every pass over the tree may recurse that deep.
pub const MAX_HEIGHT: usize = 500;

/// Runs a parser one level deeper; reports a text that is nested too deeply.
pub fn nested<'a, T: AnyToken + 'a, G: Grammar<T> + 'a, O>(
    input: Tokens<'a, T, G>,
    parser: impl FnOnce(Tokens<'a, T, G>) -> Parsed<'a, T, G, O>,
) -> Parsed<'a, T, G, O> {
    let state = input.state;
    if state.depth.get() >= MAX_NESTING {
        return Err(input.mistake(format!("nested more than {MAX_NESTING} levels deep"), G::TOO_DEEP));
    }
    state.depth.set(state.depth.get() + 1);
    let outer = state.height.replace(0);
    let result = parser(input);
    state.depth.set(state.depth.get() - 1);
    let result = result.and_then(|(rest, output)| higher(rest).map(|()| (rest, output)));
    state.height.set(state.height.get().max(outer));
    result
}

/// Records a new node on top of the tree built since [`nested`] began; `rest` is the input after it.
pub fn higher<T: AnyToken, G: Grammar<T>>(rest: Tokens<'_, T, G>) -> Result<(), Err<ParserError>> {
    let height = rest.state.height.get() + 1;
    rest.state.height.set(height);
    if height > MAX_HEIGHT {
        return Err(rest.mistake(format!("more than {MAX_HEIGHT} operations in one expression"), G::TOO_LONG));
    }
    Ok(())
}

/// Stack size in bytes, sufficient for trees as high as expanded definitions can become.
const STACK: usize = 64 << 20;

/// Runs a function on a thread with a large stack, or on this one if no thread can be started.
pub fn with_large_stack<R: Send>(run: impl Fn() -> R + Sync) -> R {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, &run);
        match thread {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => run(),
        }
    })
}
