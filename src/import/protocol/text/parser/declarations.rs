//! Declarations and terms.

use super::input::{ProtocolParsed, ProtocolTokens, TERM, name, token};
use super::recovery::semicolon;
use crate::protocol::text::tree::{DeclarationKind, Name, ProtocolDeclaration, TermKind, TermSyntax};
use kit::parsing::{Expected, TokenKind, nested, separated};
use nom::Parser;
use nom::combinator::opt;
use nom::sequence::{delimited, preceded};

/// Parses a declaration in a file, a protocol or a role; `thing` names what else could stand here.
pub fn declaration<'a>(
    thing: &'static str,
) -> impl Fn(ProtocolTokens<'a>) -> ProtocolParsed<'a, ProtocolDeclaration> {
    move |input| {
        let (rest, kind) = match input.first().kind {
            TokenKind::Word("secret") if matches!(input.peek(1).kind, TokenKind::Word(_)) => {
                declared(thing, input.skip(), true)?
            }
            TokenKind::Word("secret") => {
                let (rest, (names, of)) = constants(input.skip())?;
                (rest, DeclarationKind::Constant { names, of, secret: true })
            }
            _ => declared(thing, input, false)?,
        };
        let (rest, ()) = semicolon(rest)?;
        Ok((rest, ProtocolDeclaration { kind, span: input.span_to(rest) }))
    }
}

/// Parses a declaration after an optional `secret`.
fn declared<'a>(
    thing: &'static str,
    input: ProtocolTokens<'a>,
    secret: bool,
) -> ProtocolParsed<'a, DeclarationKind> {
    let after = input.skip();
    match input.first().kind {
        TokenKind::Word("const") => {
            let (rest, (names, of)) = constants(after)?;
            Ok((rest, DeclarationKind::Constant { names, of, secret }))
        }
        TokenKind::Word("var") => {
            let (rest, names) = names(after)?;
            let (rest, types) = opt(preceded(token(":"), self::names)).parse(rest)?;
            Ok((rest, DeclarationKind::Variable { names, types: types.unwrap_or_default() }))
        }
        TokenKind::Word("function" | "hashfunction") => {
            let (rest, names) = names(after)?;
            Ok((rest, DeclarationKind::Function { names, secret }))
        }
        _ if secret => input.unexpected(Expected::Token("const")),
        TokenKind::Word("fresh") => {
            let (rest, (names, of)) = constants(after)?;
            Ok((rest, DeclarationKind::Fresh { names, of }))
        }
        TokenKind::Word("equation") => {
            let (rest, left) = term(after)?;
            let (rest, right) = preceded(token("="), term).parse(rest)?;
            Ok((rest, DeclarationKind::Equation { left, right }))
        }
        TokenKind::Word("exclusiveor") => names.map(DeclarationKind::ExclusiveOr).parse(after),
        TokenKind::Word("exponentiation") => names.map(DeclarationKind::Exponentiation).parse(after),
        TokenKind::Word("inversekeys" | "inversekeyfunctions") => {
            bracketed.map(DeclarationKind::Inverse).parse(after)
        }
        TokenKind::Word("compromised") => terms.map(DeclarationKind::Compromised).parse(after),
        TokenKind::Word("macro") => {
            let (rest, name) = name(after)?;
            let (rest, body) = preceded(token("="), terms).parse(rest)?;
            Ok((rest, DeclarationKind::Macro { name, body }))
        }
        _ => input.unexpected(Expected::Thing(thing)),
    }
}

/// Parses `a, b: T`.
fn constants(input: ProtocolTokens<'_>) -> ProtocolParsed<'_, (Vec<Name>, Option<Name>)> {
    let (rest, names) = names(input)?;
    let (rest, of) = opt(preceded(token(":"), name)).parse(rest)?;
    if of.is_some() && rest.at(",") {
        return Err(rest.mistake("more than one type", "only variables can have one of several types"));
    }
    Ok((rest, (names, of)))
}

/// Parses `a, b`.
pub fn names(input: ProtocolTokens<'_>) -> ProtocolParsed<'_, Vec<Name>> {
    separated(",", name)(input)
}

/// Parses `x`, `f(x, y)`, `{x, y}k` or `(x, y)`.
pub fn term(input: ProtocolTokens<'_>) -> ProtocolParsed<'_, TermSyntax> {
    nested(input, |input| {
        let (rest, kind) = match input.first().kind {
            TokenKind::Name => {
                let (rest, function) = name(input)?;
                if rest.at("(") {
                    let (rest, arguments) = bracketed(rest)?;
                    (rest, TermKind::Apply { function, arguments })
                } else {
                    (rest, TermKind::Name(function.text))
                }
            }
            TokenKind::Sign("{") => {
                let (rest, body) = delimited(token("{"), terms, token("}")).parse(input)?;
                let (rest, key) = term(rest)?;
                (rest, TermKind::Encrypted { body, key: Box::new(key) })
            }
            TokenKind::Sign("(") => {
                let (rest, all) = bracketed(input)?;
                (rest, TermKind::Tuple(all))
            }
            _ => return input.unexpected(Expected::Thing(TERM)),
        };
        Ok((rest, TermSyntax { kind, span: input.span_to(rest) }))
    })
}

/// Parses `x, y`: at least one.
pub fn terms(input: ProtocolTokens<'_>) -> ProtocolParsed<'_, Vec<TermSyntax>> {
    separated(",", term)(input)
}

/// Parses `(x, y)`: at least one.
pub fn bracketed(input: ProtocolTokens<'_>) -> ProtocolParsed<'_, Vec<TermSyntax>> {
    delimited(token("("), terms, token(")")).parse(input)
}
