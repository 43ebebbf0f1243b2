//! The lexer, the parser and the tree of protocol files.

mod lexicon;
mod parser;
pub mod tree;

pub use lexicon::SPDL;
pub use parser::parse;
