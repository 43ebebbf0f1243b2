//! Models in Quint: from what its compiler writes to a text in the specification language.
//!
//! Nothing below knows them: the text is read like any other.

mod actions;
mod collections;
mod defined;
mod elaborate;
mod import;
mod ir;
mod names;
mod operators;
mod print_model;
mod print_terms;
mod print_types;
mod term;
mod types;
mod value;

pub use import::{Options, import_file, import_text};

use crate::written;
use lang::model::{LoadOptions, Loaded};
use std::path::Path;

/// True if a file is one of Quint's compiler, by its name.
pub fn is_quint(path: &Path) -> bool {
    path.to_str().is_some_and(|name| name.to_ascii_lowercase().ends_with(".qnt.json"))
}

/// Reads a document of Quint's compiler as a model. What is set are constants of the specification; what has no bound in it is refused,
/// and can be limited by an import of its own.
pub fn load(path: &Path, options: &LoadOptions<'_>) -> Loaded {
    let imported = Options { constants: options.overrides.to_vec(), ..Options::default() };
    let options = LoadOptions { overrides: &[], ..options.clone() };
    written::load(path, import_file(path, &imported), &options)
}
