//! Specifications in TLA+: from modules and the configuration of TLC to a text in the specification language.
//!
//! Modules are read (`lexer`, `parser`) and joined (`modules`) as expressions of Quint's intermediate representation, whose types,
//! names and writer are shared; `operators` and `actions` add the meaning of TLA+: Quint's elaborator leaves operators that begin with `tla:` or `::` to them.

mod actions;
mod config;
mod lexer;
mod load;
mod modules;
mod operators;
mod parser;
mod specification;

pub use crate::quint::print_model::NO_DEADLOCK;
pub use crate::written::Refused;
pub use load::{Imported, import_file, import_text};
