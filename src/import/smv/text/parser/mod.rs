//! The parser: [`kit::parsing`] with the tokens of SMV, and recovery after every mistake.

mod expressions;
mod input;
mod items;

use super::SMV;
use super::tree::SmvFile;
use input::{Smv, SmvParserState};
use kit::diagnostics::{Diagnostic, SourceId};
use kit::parsing::Lexed;

/// Reads a text. Never fails: malformed parts are missing from the tree, and every mistake has a diagnostic,
/// in the order of the text.
pub fn parse(source: SourceId, text: &str) -> (SmvFile, Vec<Diagnostic>) {
    let Lexed { tokens, mistakes, .. } = SMV.lex(source, text);
    let state = SmvParserState::new(&tokens, Smv::default(), mistakes);
    let file = items::file(state.tokens_from(0));
    (file, state.into_diagnostics())
}
