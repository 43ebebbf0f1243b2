//! Error recovery: lists, blocks and semicolons that report the errors inside them.

use super::input::{Lookahead, ModelParseResult, ModelTokens};
use crate::syntax::token::{SyntaxKind, SyntaxToken};
use kit::diagnostics::Diagnostic;
use kit::parsing::{self, ParserError, optional_semicolon};
use nom::Parser;

/// `open item, item, … close`, possibly empty, possibly with a trailing comma. Errors are reported
/// item by item; unreadable items are left out.
pub(super) fn list<'a, O>(
    open: &'static str,
    item: impl Parser<ModelTokens<'a>, Output = O, Error = ParserError>,
    close: &'static str,
) -> impl FnMut(ModelTokens<'a>) -> ModelParseResult<'a, Vec<O>> {
    parsing::list(open, item, close, |_| false)
}

/// A [`list`] in the braces of a declaration, with help if its items are separated by `;`.
pub(super) fn declared_list<'a, O>(
    item: impl Parser<ModelTokens<'a>, Output = O, Error = ParserError>,
) -> impl FnMut(ModelTokens<'a>) -> ModelParseResult<'a, Vec<O>> {
    parsing::list("{", item, "}", |mistake| {
        mistake.at(";") && matches!(mistake.peek(1).kind, SyntaxKind::Name | SyntaxKind::Sign("}"))
    })
}

/// A list that must not be empty; `thing` names one item.
pub(super) fn not_empty<'a, O>(
    thing: &'static str,
    mut parser: impl Parser<ModelTokens<'a>, Output = Vec<O>, Error = ParserError>,
) -> impl FnMut(ModelTokens<'a>) -> ModelParseResult<'a, Vec<O>> {
    move |input: ModelTokens<'a>| {
        let (rest, items) = parser.parse(input)?;
        // Two tokens are the brackets alone; in a longer list the error was reported.
        if items.is_empty() && rest.position() == input.position() + 2 {
            let article = if thing.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
            let message = format!("at least one {thing} is needed here");
            let help = format!("put {article} {thing} between the brackets");
            input.state.add(Diagnostic::error(input.span_to(rest), message).with_help(help));
        }
        Ok((rest, items))
    }
}

/// A [`parsing::block`] without the entries that cannot be read.
pub(super) fn block<'a, O>(
    thing: &'static str,
    entry: impl Parser<ModelTokens<'a>, Output = O, Error = ParserError>,
    ends: fn(&ModelTokens<'a>) -> bool,
) -> impl FnMut(ModelTokens<'a>) -> ModelParseResult<'a, Vec<O>> {
    // A brace that is missed before a declaration may follow after it.
    let ends = move |rest: &ModelTokens<'a>| {
        let is_left_open = ends(rest);
        rest.state.grammar.left_open.update(|open| open + usize::from(is_left_open));
        is_left_open
    };
    let mut block = parsing::block(thing, entry, ends, |_, mistake| skip_entry(mistake));
    move |input| block(input).map(|(rest, entries)| (rest, entries.into_iter().flatten().collect()))
}

/// A [`parsing::semicolon`] of models.
pub(super) fn semicolon<'a>(
    follows: fn(&ModelTokens<'a>) -> bool,
) -> impl FnMut(ModelTokens<'a>) -> ModelParseResult<'a, ()> {
    parsing::semicolon(follows)
}

/// Skips from an error in a declaration to the next declaration.
pub(super) fn skip_item(mistake: ModelTokens<'_>) -> ModelTokens<'_> {
    let (mut rest, mut depth) = (mistake, 0_usize);
    // `fair action a(p);` is meant to say something of an action that there is.
    if rest.first().is_name("fair") && rest.peek(1).is("action") {
        rest = rest.skip().skip();
    }
    while !rest.at_end() && !rest.at_item() {
        let first = rest.first();
        rest = rest.skip();
        match first.kind {
            SyntaxKind::Sign("{") => depth += 1,
            SyntaxKind::Sign("}") if depth <= 1 => return optional_semicolon(rest),
            SyntaxKind::Sign("}") => depth -= 1,
            SyntaxKind::Sign(";") if depth == 0 => return rest,
            _ => {}
        }
    }
    rest
}

/// Skips from an error in a block to its next entry or its end.
fn skip_entry(mistake: ModelTokens<'_>) -> ModelTokens<'_> {
    // The open braces, and whether they begin a block or a set; a set ends at `;` even if its brace is
    // missing.
    let (mut rest, mut braces) = (mistake, Vec::new());
    let mut previous = None;
    while !rest.at_end() && !rest.at_item() {
        let first = rest.first();
        if first.is("}") && braces.is_empty() {
            return rest;
        }
        rest = rest.skip();
        match first.kind {
            SyntaxKind::Sign("{") => braces.push(previous.is_none_or(ends_condition)),
            SyntaxKind::Sign("}") => {
                let block = braces.pop() == Some(true);
                if block && braces.is_empty() && !rest.first().is("else") {
                    return optional_semicolon(rest);
                }
            }
            SyntaxKind::Sign(";") => {
                while braces.last() == Some(&false) {
                    braces.pop();
                }
                if braces.is_empty() {
                    return rest;
                }
            }
            _ => {}
        }
        previous = Some(first);
    }
    rest
}

/// True if a condition can end with this token, so that a brace after it begins a block.
fn ends_condition(token: &SyntaxToken<'_>) -> bool {
    matches!(
        token.kind,
        SyntaxKind::Name
            | SyntaxKind::Integer(_)
            | SyntaxKind::Sign(")" | "]" | "}" | "'")
            | SyntaxKind::Word("true" | "false" | "none" | "some" | "bool" | "then" | "else")
    )
}
