//! From a process text to a tree: lexer, parser.

mod lexer;
mod parser;
mod token;
pub mod tree;

pub use parser::{MOST_MISTAKES, parse, parse_call};
