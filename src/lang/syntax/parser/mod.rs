//! The parser: [`kit::parsing`] with the tokens of models, and recovery after every error.
//!
//! One token of lookahead decides, two in a few places, so there is no backtracking and parsing takes
//! linear time. After the deciding token everything is `cut`. [`input::mistakes`] turns failures into
//! diagnostics; [`recovery`] finds the place to continue.

mod completion;
mod expressions;
mod input;
mod items;
mod keywords;
mod matching;
mod recovery;
mod statements;
mod types;
mod words;

pub use completion::{Completion, completion};

use self::input::{ModelParserState, ModelTokens, Models};
use super::ast::{AstExpr, File};
use super::lexer::{LexedModel, lex};
use kit::diagnostics::{Diagnostic, SourceId};
use kit::parsing::Expected;

/// Parses a model or a library. Never fails: unreadable parts are left out of the tree or marked in
/// it, and every error has a diagnostic, in the order of the text.
pub fn parse(source: SourceId, text: &str) -> (File, Vec<Diagnostic>) {
    let LexedModel { mut tokens, mut diagnostics, is_cut, .. } = lex(source, text);
    // Other mistakes may only come of the end that is missing.
    let limit = is_cut.then(|| diagnostics.clone());
    diagnostics.extend(keywords::taken_as_names(&mut tokens));
    let state = ModelParserState::new(&tokens, Models::new(text, &tokens, false), diagnostics);
    let file = items::file(state.tokens_from(0));
    (file, limit.unwrap_or_else(|| state.into_diagnostics()))
}

/// Parses one expression, which must be the whole text, as in `--set N=…`. `None` comes with a diagnostic.
pub fn parse_expression(source: SourceId, text: &str) -> (Option<AstExpr>, Vec<Diagnostic>) {
    read_whole(source, text, false)
}

/// [`parse_expression`] for a formula from the command line, where the operators of other tools, as in
/// `!p && q -> r`, are accepted as well.
pub fn parse_formula(source: SourceId, text: &str) -> (Option<AstExpr>, Vec<Diagnostic>) {
    read_whole(source, text, true)
}

fn read_whole(source: SourceId, text: &str, any_spelling: bool) -> (Option<AstExpr>, Vec<Diagnostic>) {
    let LexedModel { tokens, diagnostics, .. } = lex(source, text);
    let state = ModelParserState::new(&tokens, Models::new(text, &tokens, any_spelling), diagnostics);
    let expr = match whole_expression(state.tokens_from(0)) {
        Ok((_, expr)) => Some(expr),
        Err(failure) => {
            state.report(failure, None);
            None
        }
    };
    (expr, state.into_diagnostics())
}

fn whole_expression(input: ModelTokens<'_>) -> input::ModelParseResult<'_, AstExpr> {
    let (rest, expr) = expressions::expression(input)?;
    if rest.at_end() {
        Ok((rest, expr))
    } else {
        rest.unexpected(Expected::Thing("the end of the expression"))
    }
}
