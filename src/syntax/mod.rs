//! Text to tree: lexer, parser over the token slice, printer.

pub mod ast;
