//! From the text of a model in SMV to a tree: lexer, parser.

mod lexicon;
mod parser;
pub mod tree;

pub use parser::parse;
