//! From the text of a protocol file to a tree: lexer, parser.

mod lexer;
mod parser;
mod token;
pub mod tree;

pub use lexer::{Comment, Lexed, lex};
pub use parser::parse;
pub use token::{Kind, Token};
