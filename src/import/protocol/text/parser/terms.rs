//! Terms.

use super::input::{Parsed, TERM, Tokens, name, token};
use crate::protocol::text::tree::{Term, TermKind};
use kit::parsing::{Expected, Kind, nested, separated};
use nom::Parser;
use nom::sequence::delimited;

/// `x`, `f(x, y)`, `{x, y}k`, `(x, y)`.
pub fn term(input: Tokens<'_>) -> Parsed<'_, Term> {
    nested(input, |input| {
        let (rest, kind) = match input.first().kind {
            Kind::Name => {
                let (rest, function) = name(input)?;
                if rest.at("(") {
                    let (rest, arguments) = bracketed(rest)?;
                    (rest, TermKind::Apply { function, arguments })
                } else {
                    (rest, TermKind::Name(function.text))
                }
            }
            Kind::Sign("{") => {
                let (rest, body) = delimited(token("{"), terms, token("}")).parse(input)?;
                let (rest, key) = term(rest)?;
                (rest, TermKind::Encrypted { body, key: Box::new(key) })
            }
            Kind::Sign("(") => {
                let (rest, all) = bracketed(input)?;
                (rest, TermKind::Tuple(all))
            }
            _ => return input.unexpected(Expected::Thing(TERM)),
        };
        Ok((rest, Term { kind, span: input.span_to(rest) }))
    })
}

/// `x, y`: at least one.
pub fn terms(input: Tokens<'_>) -> Parsed<'_, Vec<Term>> {
    separated(",", term)(input)
}

/// `(x, y)`: at least one.
pub fn bracketed(input: Tokens<'_>) -> Parsed<'_, Vec<Term>> {
    delimited(token("("), terms, token(")")).parse(input)
}
