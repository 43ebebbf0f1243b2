//! Lists of names with their types or channels.

use super::input::{Parsed, Tokens, name, token};
use crate::diagnostics::Span;
use crate::parsing::separated;
use crate::process::text::tree::{Name, Parameter};
use nom::Parser;

/// `x, y : T, z : U`; `in` may stand before a name.
pub fn parameters(input: Tokens<'_>) -> Parsed<'_, Vec<Parameter>> {
    with_types(input, name, false)
}

/// `G, H : any, I : C`; a gate may have no channel.
pub fn gates_with_channels(input: Tokens<'_>) -> Parsed<'_, Vec<Parameter>> {
    with_types(input, channel_name, true)
}

/// The channel that carries everything.
fn any(span: Span) -> Name {
    Name { key: "ANY".to_owned(), shown: "any".to_owned(), span }
}

/// The name of a channel; `any` is one.
fn channel_name(input: Tokens<'_>) -> Parsed<'_, Name> {
    if input.at("any") {
        let span = input.first().span;
        return Ok((input.skip(), any(span)));
    }
    name(input)
}

fn with_types<'a>(
    input: Tokens<'a>,
    of: impl Fn(Tokens<'a>) -> Parsed<'a, Name>,
    optional: bool,
) -> Parsed<'a, Vec<Parameter>> {
    let (mut rest, mut all) = (input, Vec::new());
    loop {
        for mode in ["out", "inout"] {
            if rest.at(mode) {
                let help = "only `in` parameters are: send the result on a gate or return it from a function";
                return Err(rest.mistake(format!("parameters with `{mode}` are not supported"), help));
            }
        }
        rest = if rest.at("in") { rest.skip() } else { rest };
        rest = if rest.at("var") { rest.skip() } else { rest };
        let (after, names) = separated(",", name)(rest)?;
        let (after, of) = if optional && !after.at(":") {
            let span = after.first().span;
            (after, any(span))
        } else {
            let (after, _) = token(":").parse(after)?;
            of(after)?
        };
        all.extend(names.into_iter().map(|name| Parameter { name, of: of.clone() }));
        rest = after;
        if !rest.at(",") {
            return Ok((rest, all));
        }
        rest = rest.skip();
    }
}
