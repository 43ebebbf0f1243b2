//! From a process text to a tree: lexer, parser.

mod lexer;
mod parser;
mod token;
pub mod tree;

pub use parser::{parse, parse_call};
