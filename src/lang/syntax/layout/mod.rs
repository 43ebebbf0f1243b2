//! The canonical layout of models, libraries and components. Only white space changes: all tokens and comments stay, in their order.
//!
//! The author decides where a line ends within a declaration or statement, unless it is too wide. The layout decides on indentation, on
//! the space between tokens, and that declarations and statements begin lines, except in a block that is written on one line.

mod columns;
mod sheet;
mod spacing;
mod structure;
mod width;

use super::lexer::{LexedModel, lex};
use super::{parse, print};
use kit::diagnostics::{Diagnostic, SourceId};
use sheet::TokenLayout;

/// The number of columns that lines are broken at, where that is possible.
const WIDTH: usize = 120;

/// The columns that a block, or what continues a line, is indented by.
const INDENT: usize = 2;

/// Lays out a model, library or component. Comments stay where they are between the tokens, and so does one blank line wherever there
/// are any. What is laid out stays as it is when it is laid out again.
///
/// # Errors
/// The mistakes that prevent the text from being read, in the order of the text. The text is the source with number 0.
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let source = SourceId::default();
    let (file, mistakes) = parse(source, text);
    if mistakes.iter().any(Diagnostic::is_error) {
        return Err(mistakes);
    }
    let LexedModel { tokens, comments, .. } = lex(source, text);
    let roles = structure::roles(&tokens, &file);
    let mut sheet = TokenLayout::new(text, &tokens, &comments, roles);
    width::fit(&mut sheet);
    let laid_out = columns::write(&sheet);
    let same = says_the_same(text, &laid_out) && print(&parse(source, &laid_out).0) == print(&file);
    if !same {
        let error =
            Diagnostic::error_without_place("this text cannot be laid out without changing its meaning");
        return Err(vec![error.with_help("this is a mistake in the program; the text stays as it is")]);
    }
    Ok(laid_out)
}

/// True if two texts have the same tokens and the same comments, each between the same tokens.
fn says_the_same(text: &str, other: &str) -> bool {
    let source = SourceId::default();
    let (left, right) = (lex(source, text), lex(source, other));
    let tokens = left.tokens.iter().map(|token| (token.kind, token.text, &token.doc));
    let comments_of = |lexed: &LexedModel<'_>| -> Vec<(usize, String)> {
        let place = |start| lexed.tokens.partition_point(|token| (token.span.start as usize) < start);
        lexed.comments.iter().map(|comment| (place(comment.start), comment.text.to_owned())).collect()
    };
    tokens.eq(right.tokens.iter().map(|token| (token.kind, token.text, &token.doc)))
        && comments_of(&left) == comments_of(&right)
}
