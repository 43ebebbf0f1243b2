//! Syntax: lexer, parser, syntax tree, printer and layout.

pub mod ast;
mod layout;
pub mod lexer;
mod operators;
mod parser;
mod printer;
pub mod token;
mod walk;

pub use layout::format;
pub use lexer::names_in;
pub use parser::{Completion, completion, parse, parse_expression, parse_formula};
pub use printer::{print, print_expression};
pub use token::NameSupply;
pub use token::{as_name, is_reserved};
pub use walk::DeclarationPart;
