//! The parser: [`kit::parsing`] with the tokens of process texts, and recovery after every mistake.
//!
//! One or two tokens decide what comes, so a text is read in linear time.

mod behaviours;
mod expressions;
mod input;
mod items;
mod parameters;
mod recovery;

use super::PROCESSES;
use super::tree::{ActionSyntax, BehaviourKind, ProcessFile};
use input::{ProcessParserState, Processes};
use kit::diagnostics::{Diagnostic, SourceId};
use kit::parsing::{Expected, Lexed};

/// Reads a file. Never fails: what could not be read is left out or marked in the tree, and every mistake has a
/// diagnostic, in the order of the text.
pub fn parse(source: SourceId, text: &str) -> (ProcessFile, Vec<Diagnostic>) {
    let Lexed { tokens, mistakes, .. } = PROCESSES.lex(source, text);
    let state = ProcessParserState::new(&tokens, Processes::default(), mistakes);
    let file = items::file(state.tokens_from(0));
    (file, state.into_diagnostics())
}

/// Reads the call of a process, which must be the whole text: `P [G, H] (1)`. `None` goes with a diagnostic.
pub fn parse_call(source: SourceId, text: &str) -> (Option<ActionSyntax>, Vec<Diagnostic>) {
    let Lexed { tokens, mistakes, .. } = PROCESSES.lex(source, text);
    let state = ProcessParserState::new(&tokens, Processes::default(), mistakes);
    let call = match behaviours::action(state.tokens_from(0)) {
        Ok((rest, BehaviourKind::Action(action))) if rest.at_end() => Ok(action),
        Ok((rest, _)) => Err(rest.fail(Expected::Thing("the end of the call"))),
        Err(failure) => Err(failure),
    };
    let call = call.map_err(|failure| state.report(failure, None)).ok();
    (call, state.into_diagnostics())
}
