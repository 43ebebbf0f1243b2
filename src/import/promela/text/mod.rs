//! From the text of a program in Promela to a tree: preprocessor, lexer, parser.

mod lexicon;
mod parser;
mod preprocessor;
pub(super) mod tree;

pub(super) use parser::parse;
pub(super) use preprocessor::{PromelaFiles, read_texts};
