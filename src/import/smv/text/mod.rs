//! The lexer, the parser and the tree of SMV.

mod lexicon;
mod parser;
pub mod tree;

pub use parser::parse;
