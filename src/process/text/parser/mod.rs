//! The parser: nom over tokens, with recovery after every mistake.
//!
//! One or two tokens decide what comes, so a text is read in linear time. Failures carry no message: the shared
//! [`input::State`] keeps what was expected at the furthest token, and makes the diagnostic where reading goes on.

mod behaviours;
mod expressions;
mod input;
mod items;
mod recovery;

use super::lexer::lex;
use super::tree::{Action, BehaviourKind, File};
use crate::diagnostics::{Diagnostic, SourceId};
use input::State;

/// More mistakes than this are not reported in one run.
pub const MOST_MISTAKES: usize = 20;

/// Reads a file. Never fails: what could not be read is left out or marked in the tree, and every mistake has a
/// diagnostic, in the order of the text.
pub fn parse(source: SourceId, text: &str) -> (File, Vec<Diagnostic>) {
    let (tokens, mistakes) = lex(source, text);
    let state = State::new(&tokens, mistakes);
    let file = items::file(state.from(0));
    (file, state.into_mistakes())
}

/// Reads the call of a process, which must be the whole text: `P [G, H] (1)`. `None` goes with a diagnostic.
pub fn parse_call(source: SourceId, text: &str) -> (Option<Action>, Vec<Diagnostic>) {
    let (tokens, mistakes) = lex(source, text);
    let state = State::new(&tokens, mistakes);
    let call = match behaviours::action(state.from(0)) {
        Ok((rest, BehaviourKind::Action(action))) if rest.at_end() => Some(action),
        Ok((rest, _)) => {
            let _ = rest.unexpected::<()>("the end of the call").map_err(|failure| state.report(failure));
            None
        }
        Err(failure) => {
            state.report(failure);
            None
        }
    };
    (call, state.into_mistakes())
}
