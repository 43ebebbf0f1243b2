//! From a process text to a tree: lexer, parser.

mod lexicon;
mod parser;
pub mod tree;

pub use parser::{parse, parse_call};
