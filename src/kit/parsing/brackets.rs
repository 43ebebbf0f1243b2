//! Brackets, lists, blocks and semicolons that report the mistakes inside them or before them, so that reading goes on.

use super::combinators::token;
use super::state::{AnyToken, Expected, Grammar, Parsed, ParserError, Tokens};
use nom::branch::alt;
use nom::{Err, Parser};

/// Parses `open inner close`; a mistake inside is reported and gives `None` if the closing bracket is found.
pub fn enclosed<'a, T: AnyToken + 'a, G: Grammar<T> + 'a, O>(
    open: &'static str,
    mut inner: impl Parser<Tokens<'a, T, G>, Output = O, Error = ParserError>,
    close: &'static str,
) -> impl FnMut(Tokens<'a, T, G>) -> Parsed<'a, T, G, Option<O>> {
    move |input: Tokens<'a, T, G>| {
        let (rest, opening) = token(open).parse(input)?;
        let result = inner.parse(rest).and_then(|(rest, output)| Ok((token(close).parse(rest)?.0, output)));
        match result {
            Ok((rest, output)) => Ok((rest, Some(output))),
            Err(failure) => {
                let mistake = input.state.report(failure, Some(opening));
                Ok((skip_in_brackets(mistake, close, false)?.skip(), None))
            }
        }
    }
}

/// Parses `open item, item, … close`, possibly empty, possibly with a trailing comma. Mistakes are reported item by
/// item; unreadable items are omitted. If `resumes` holds for the token of a mistake, the next item begins after it;
/// otherwise, after the next comma.
pub fn list<'a, T: AnyToken + 'a, G: Grammar<T> + 'a, O>(
    open: &'static str,
    mut item: impl Parser<Tokens<'a, T, G>, Output = O, Error = ParserError>,
    close: &'static str,
    resumes: fn(&Tokens<'a, T, G>) -> bool,
) -> impl FnMut(Tokens<'a, T, G>) -> Parsed<'a, T, G, Vec<O>> {
    move |input: Tokens<'a, T, G>| {
        let (mut rest, opening) = token(open).parse(input)?;
        let mut items = Vec::new();
        while !rest.at(close) {
            let separated = item.parse(rest).and_then(|(after, item)| {
                items.push(item);
                separator(after, close)
            });
            rest = match separated {
                Ok((after, ())) => after,
                Err(failure) => {
                    let mistake = input.state.report(failure, Some(opening));
                    if resumes(&mistake) { mistake.skip() } else { skip_in_brackets(mistake, close, true)? }
                }
            };
        }
        Ok((rest.skip(), items))
    }
}

/// Parses a comma, or nothing before the closing bracket.
fn separator<'a, T: AnyToken + 'a, G: Grammar<T> + 'a>(
    input: Tokens<'a, T, G>,
    close: &'static str,
) -> Parsed<'a, T, G, ()> {
    if input.at(close) {
        return Ok((input, ()));
    }
    alt((token(","), token(close))).map(|_| ()).parse(input)
}

/// Skips from a mistake in brackets to the closing one, or behind the next comma of them if `commas`.
///
/// # Errors
/// If the closing bracket is missing.
pub fn skip_in_brackets<'a, T: AnyToken + 'a, G: Grammar<T> + 'a>(
    mistake: Tokens<'a, T, G>,
    close: &str,
    commas: bool,
) -> Result<Tokens<'a, T, G>, Err<ParserError>> {
    let (mut rest, mut depth) = (mistake, 0_usize);
    while !rest.at_end() && !G::ends_brackets(rest) {
        if depth == 0 && rest.at(close) {
            return Ok(rest);
        }
        if depth == 0 && commas && rest.at(",") {
            return Ok(rest.skip());
        }
        if ["(", "[", "{"].into_iter().any(|open| rest.at(open)) {
            depth += 1;
        } else if [")", "]", "}"].into_iter().any(|close| rest.at(close)) {
            let Some(outer) = depth.checked_sub(1) else { break };
            depth = outer;
        }
        rest = rest.skip();
    }
    Err(Err::Failure(ParserError::Reported))
}

/// `{ entry entry … }`. Mistakes are reported entry by entry; `None` stands for an entry that could not be read, after which reading
/// goes on where `after_mistake` says for its beginning and the mistake. Where `ends` holds, the closing brace is missing, and reading
/// goes on as if it were there. An entry is called `thing` in messages.
pub fn block<'a, T: AnyToken + 'a, G: Grammar<T> + 'a, O>(
    thing: &'static str,
    mut entry: impl Parser<Tokens<'a, T, G>, Output = O, Error = ParserError>,
    ends: impl Fn(&Tokens<'a, T, G>) -> bool,
    after_mistake: impl Fn(Tokens<'a, T, G>, Tokens<'a, T, G>) -> Tokens<'a, T, G>,
) -> impl FnMut(Tokens<'a, T, G>) -> Parsed<'a, T, G, Vec<Option<O>>> {
    move |input: Tokens<'a, T, G>| {
        let (mut rest, opening) = token("{").parse(input)?;
        let mut entries = Vec::new();
        loop {
            if rest.at("}") {
                return Ok((rest.skip(), entries));
            }
            if rest.at_end() || ends(&rest) {
                rest.fail(Expected::Thing(thing));
                rest.state.report(rest.fail(Expected::Token("}")), Some(opening));
                return Ok((rest, entries));
            }
            let read = match entry.parse(rest) {
                Ok((after, entry)) => (after, Some(entry)),
                Err(failure) => (after_mistake(rest, rest.state.report(failure, None)), None),
            };
            rest = read.0;
            entries.push(read.1);
        }
    }
}

/// `;`. Where it is missing and `follows` holds, so that something else begins, or a block or the text ends, that is reported and
/// reading goes on.
pub fn semicolon<'a, T: AnyToken + 'a, G: Grammar<T> + 'a>(
    follows: fn(&Tokens<'a, T, G>) -> bool,
) -> impl FnMut(Tokens<'a, T, G>) -> Parsed<'a, T, G, ()> {
    move |input: Tokens<'a, T, G>| match token(";").parse(input) {
        Ok((rest, _)) => Ok((rest, ())),
        Err(failure) if input.at_end() || input.at("}") || follows(&input) => {
            input.state.report(failure, None);
            Ok((input, ()))
        }
        Err(failure) => Err(failure),
    }
}

/// The tokens behind a `;`, which may be left out.
pub fn optional_semicolon<'a, T: AnyToken, G>(input: Tokens<'a, T, G>) -> Tokens<'a, T, G> {
    if input.at(";") { input.skip() } else { input }
}
