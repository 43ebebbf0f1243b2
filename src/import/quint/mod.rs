//! Models in Quint: translates documents of its compiler to the specification language.
//!
//! No other module depends on Quint: the text is read like any other.

pub(crate) mod actions;
pub(crate) mod alternative;
pub(crate) mod collections;
mod defined;
pub(crate) mod elaborate;
mod import;
pub(crate) mod ir;
pub(crate) mod limited;
pub(crate) mod names;
mod operators;
pub(crate) mod print_model;
mod print_terms;
mod print_types;
pub(crate) mod term;
pub(crate) mod types;
mod unions;
pub(crate) mod value;

pub use import::{QuintOptions, import_file, import_text};
