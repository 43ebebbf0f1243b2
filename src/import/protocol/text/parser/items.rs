//! Protocols, roles, events.

use super::declarations::{bracketed, terms};
use super::declarations::{declaration, names};
use super::input::{ITEM, MEMBER, ProtocolParsed, ProtocolTokens, STEP, name, token};
use super::recovery::{after_mistake, block, brace_after, semicolon};
use crate::protocol::text::tree::{
    EventSyntax, EventSyntaxKind, Name, ProtocolItem, ProtocolMember, RoleItem, SpdlItem, StepSyntax,
    TermSyntax,
};
use kit::diagnostics::Span;
use kit::parsing::{Expected, ParserError, TokenKind, optional_semicolon};
use nom::Parser;
use nom::combinator::opt;
use nom::sequence::{delimited, pair, preceded};

/// Parses a whole file; never fails.
pub fn file(input: ProtocolTokens<'_>) -> Vec<SpdlItem> {
    let (mut rest, mut items) = (input, Vec::new());
    while !rest.at_end() {
        match item(rest) {
            Ok((after, item)) => {
                items.push(item);
                rest = after;
            }
            Err(failure) => {
                let after = after_mistake(rest, rest.state.report(failure, None));
                // A brace that closes nothing.
                rest = if after.at("}") { optional_semicolon(after.skip()) } else { after };
            }
        }
    }
    items
}

fn item(input: ProtocolTokens<'_>) -> ProtocolParsed<'_, SpdlItem> {
    let after = input.skip();
    let (rest, item) = match input.first().kind {
        TokenKind::Word("protocol") => return protocol.map(SpdlItem::Protocol).parse(input),
        TokenKind::Word("usertype") => names.map(SpdlItem::Usertype).parse(after)?,
        TokenKind::Word("untrusted") => terms.map(SpdlItem::Untrusted).parse(after)?,
        TokenKind::Word("run") => {
            let (rest, _) = preceded((name, token("."), name), bracketed).parse(after)?;
            (rest, SpdlItem::Run(input.span_to(rest)))
        }
        TokenKind::Word("option") => {
            let (rest, span) = text(input)?;
            return Ok((optional_semicolon(rest), SpdlItem::Options(span)));
        }
        TokenKind::Word("include") => {
            let (rest, span) = text(input)?;
            return Ok((optional_semicolon(rest), SpdlItem::Include(span)));
        }
        _ => return declaration(ITEM).map(SpdlItem::Declaration).parse(input),
    };
    let (rest, ()) = semicolon(rest)?;
    Ok((rest, item))
}

/// Parses a keyword with a text; returns the place of both.
fn text(input: ProtocolTokens<'_>) -> ProtocolParsed<'_, Span> {
    let rest = input.skip();
    match rest.first().kind {
        TokenKind::Text => Ok((rest.skip(), input.span_to(rest.skip()))),
        _ => rest.unexpected(Expected::Thing("a text between double quotes")),
    }
}

/// Parses `protocol P(I, R) { … }`.
fn protocol(input: ProtocolTokens<'_>) -> ProtocolParsed<'_, ProtocolItem> {
    let roles = delimited(token("("), names, token(")"));
    let (rest, (name, roles)) = headed(input, preceded(token("protocol"), pair(name, roles)))?;
    let (rest, members) = block(MEMBER, member, |rest| rest.at("protocol"))(rest)?;
    Ok((rest, ProtocolItem { name, roles, members: members.into_iter().flatten().collect() }))
}

/// Parses the head of a block. If it is malformed, the block is parsed nevertheless, for the mistakes in it;
/// the name is then empty.
fn headed<'a, O: Default>(
    input: ProtocolTokens<'a>,
    mut head: impl Parser<ProtocolTokens<'a>, Output = (Name, O), Error = ParserError>,
) -> ProtocolParsed<'a, (Name, O)> {
    let read = head.parse(input).and_then(|(rest, head)| {
        // Otherwise, search for the brace.
        if rest.at("{") { Ok((rest, head)) } else { rest.unexpected(Expected::Token("{")) }
    });
    read.or_else(|failure| {
        let span = input.first().span;
        let mistake = input.state.report(failure, None);
        match brace_after(mistake) {
            Some(brace) => Ok((brace, (Name { text: String::new(), span }, O::default()))),
            None => Err(nom::Err::Failure(ParserError::Reported)),
        }
    })
}

fn member(input: ProtocolTokens<'_>) -> ProtocolParsed<'_, ProtocolMember> {
    match input.first().kind {
        TokenKind::Word("role" | "singular") => role.map(ProtocolMember::Role).parse(input),
        _ => declaration(MEMBER).map(ProtocolMember::Declaration).parse(input),
    }
}

/// Parses `role I { … }`.
fn role(input: ProtocolTokens<'_>) -> ProtocolParsed<'_, RoleItem> {
    let singular = input.at("singular");
    let head = preceded((opt(token("singular")), token("role")), name).map(|name| (name, ()));
    let (rest, (name, ())) = headed(input, head)?;
    let ends = |rest: &ProtocolTokens<'_>| rest.at("role") || rest.at("singular") || rest.at("protocol");
    let (rest, steps) = block(STEP, step, ends)(rest)?;
    let steps = steps.into_iter().map(|step| step.unwrap_or(StepSyntax::Unread)).collect();
    Ok((rest, RoleItem { singular, name, steps }))
}

fn step(input: ProtocolTokens<'_>) -> ProtocolParsed<'_, StepSyntax> {
    let (rest, kind) = match input.first().kind {
        TokenKind::Word("send") => {
            let (rest, LabelledTerms { label, terms }) = labelled(input.skip())?;
            (rest, EventSyntaxKind::Send { label, terms })
        }
        TokenKind::Word("recv" | "read") => {
            let (rest, LabelledTerms { label, terms }) = labelled(input.skip())?;
            (rest, EventSyntaxKind::Receive { label, terms })
        }
        TokenKind::Word("claim") => {
            let (rest, label) = opt(label).parse(input.skip())?;
            let (rest, terms) = bracketed(rest)?;
            (rest, EventSyntaxKind::Claim { label, terms })
        }
        TokenKind::Word("match") => compared(input, true)?,
        TokenKind::Word("not") => compared(input.skip(), false)?,
        TokenKind::Word("knows") => {
            let (rest, _) = terms(input.skip())?;
            let (rest, ()) = semicolon(rest)?;
            return Ok((rest, StepSyntax::Knows(input.span_to(rest))));
        }
        _ => return declaration(STEP).map(StepSyntax::Declaration).parse(input),
    };
    let (rest, ()) = semicolon(rest)?;
    Ok((rest, StepSyntax::Event(EventSyntax { kind, span: input.span_to(rest) })))
}

struct LabelledTerms {
    label: Name,
    terms: Vec<TermSyntax>,
}

/// Parses `_1(I, R, m)`.
fn labelled(input: ProtocolTokens<'_>) -> ProtocolParsed<'_, LabelledTerms> {
    let (rest, label) = label(input)?;
    let (rest, terms) = bracketed(rest)?;
    Ok((rest, LabelledTerms { label, terms }))
}

/// Parses `_1`.
fn label(input: ProtocolTokens<'_>) -> ProtocolParsed<'_, Name> {
    preceded(token("_"), name).parse(input)
}

/// Parses `match(p, t)`.
fn compared(input: ProtocolTokens<'_>, equal: bool) -> ProtocolParsed<'_, EventSyntaxKind> {
    let (rest, _) = token("match").parse(input)?;
    let (rest, mut terms) = bracketed(rest)?;
    match (terms.pop(), terms.pop()) {
        (Some(term), Some(pattern)) if terms.is_empty() => {
            Ok((rest, EventSyntaxKind::Match { pattern, term, equal }))
        }
        _ => {
            Err(input
                .mistake("`match` compares two terms", "write tuples in parentheses: `match((a, b), T)`"))
        }
    }
}
