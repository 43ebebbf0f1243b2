//! Models in Quint: from what its compiler writes to a text in the specification language.
//!
//! Nothing below knows them: the text is read like any other.

mod actions;
mod collections;
mod defined;
mod elaborate;
mod import;
pub mod ir;
mod load;
mod names;
mod operators;
mod print_model;
mod print_terms;
mod print_types;
mod term;
mod types;
mod value;

pub use import::{Options, import_file, import_text};
pub use load::{is_quint, load};
