//! The parser: [`kit::parsing`] with the tokens of SMV, and recovery after every mistake.

mod expressions;
mod input;
mod items;

use super::SMV;
use super::tree::File;
use input::{Smv, State};
use kit::diagnostics::{Diagnostic, SourceId};
use kit::parsing::Lexed;

/// Reads a text. Never fails: malformed parts are missing from the tree, and every mistake has a diagnostic,
/// in the order of the text.
pub fn parse(source: SourceId, text: &str) -> (File, Vec<Diagnostic>) {
    let Lexed { tokens, mistakes, .. } = SMV.lex(source, text);
    let state = State::new(&tokens, Smv::default(), mistakes);
    let file = items::file(state.tokens_from(0));
    (file, state.into_diagnostics())
}
