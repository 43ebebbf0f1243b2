//! From the text of a protocol file to a tree: lexer, parser.

mod lexicon;
mod parser;
pub mod tree;

pub use lexicon::SPDL;
pub use parser::parse;
