//! From the text of a model in SMV to a tree: lexer, parser.

mod lexer;
mod parser;
mod token;
pub mod tree;

pub use parser::parse;
