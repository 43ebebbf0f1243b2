//! Lists of names with their types or channels.

use super::input::{ProcessParseResult, ProcessTokens, name, token};
use crate::process::text::tree::{Parameter, ParameterMode, ProcessName};
use kit::diagnostics::Span;
use kit::parsing::separated;
use nom::Parser;

/// `x, y : T, z : U`
pub fn parameters(input: ProcessTokens<'_>) -> ProcessParseResult<'_, Vec<Parameter>> {
    with_types(input, name, false, false)
}

/// `x, y : T, out z : U, in out v : T`
pub fn routine_parameters(input: ProcessTokens<'_>) -> ProcessParseResult<'_, Vec<Parameter>> {
    with_types(input, name, false, true)
}

/// `G, H : any, I : C`; a gate may have no channel.
pub fn gates_with_channels(input: ProcessTokens<'_>) -> ProcessParseResult<'_, Vec<Parameter>> {
    with_types(input, channel_name, true, false)
}

/// The channel that carries everything.
fn any(span: Span) -> ProcessName {
    ProcessName { key: "ANY".to_owned(), shown: "any".to_owned(), span }
}

/// The name of a channel; `any` is one.
fn channel_name(input: ProcessTokens<'_>) -> ProcessParseResult<'_, ProcessName> {
    if input.at("any") {
        let span = input.first().span;
        return Ok((input.skip(), any(span)));
    }
    name(input)
}

/// `in`, `out`, `in out` or nothing.
fn mode(input: ProcessTokens<'_>) -> (ProcessTokens<'_>, ParameterMode) {
    if input.at("in") && input.second_at("out") {
        (input.skip().skip(), ParameterMode::InOut)
    } else if input.at("inout") {
        (input.skip(), ParameterMode::InOut)
    } else if input.at("out") {
        (input.skip(), ParameterMode::Out)
    } else if input.at("in") {
        (input.skip(), ParameterMode::In)
    } else {
        (input, ParameterMode::In)
    }
}

fn with_types<'a>(
    input: ProcessTokens<'a>,
    of: impl Fn(ProcessTokens<'a>) -> ProcessParseResult<'a, ProcessName>,
    optional: bool,
    modes: bool,
) -> ProcessParseResult<'a, Vec<Parameter>> {
    let (mut rest, mut all) = (input, Vec::new());
    loop {
        let (after, mode) = if modes { mode(rest) } else { (rest, ParameterMode::In) };
        rest = after;
        rest = if rest.at("var") { rest.skip() } else { rest };
        let (after, names) = separated(",", name)(rest)?;
        let (after, of) = if optional && !after.at(":") {
            let span = after.first().span;
            (after, any(span))
        } else {
            let (after, _) = token(":").parse(after)?;
            of(after)?
        };
        all.extend(names.into_iter().map(|name| Parameter { name, of: of.clone(), mode }));
        rest = after;
        if !rest.at(",") {
            return Ok((rest, all));
        }
        rest = rest.skip();
    }
}
