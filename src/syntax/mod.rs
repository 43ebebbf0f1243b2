//! Syntax: lexer, parser, syntax tree and printer.

pub mod ast;
mod lexer;
mod operators;
mod parser;
mod printer;
#[cfg(test)]
mod tests;
mod token;

pub use parser::{parse, parse_expression, parse_formula};
pub use printer::{print, print_expression};
pub use token::{as_name, is_reserved};
