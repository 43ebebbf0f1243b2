//! The parser: [`kit::parsing`] with the tokens of protocol files, and recovery after every mistake.

mod declarations;
mod input;
mod items;
mod recovery;

use super::SPDL;
use super::tree::ProtocolFile;
use input::{ProtocolParserState, Spdl};
use kit::diagnostics::{Diagnostic, SourceId};
use kit::parsing::Lexed;

/// Reads a file. Never fails: malformed parts are missing from the tree, and every mistake has a diagnostic,
/// in the order of the text.
pub fn parse(source: SourceId, text: &str) -> (ProtocolFile, Vec<Diagnostic>) {
    let Lexed { tokens, mistakes, .. } = SPDL.lex(source, text);
    let state = ProtocolParserState::new(&tokens, Spdl, mistakes);
    let items = items::file(state.tokens_from(0));
    let diagnostics = state.into_diagnostics();
    (ProtocolFile { items, lost: !diagnostics.is_empty() }, diagnostics)
}
