//! Models in Quint: translates documents of its compiler to the specification language.
//!
//! No other module depends on Quint: the text is read like any other.

pub(crate) mod actions;
pub(crate) mod alternative;
mod collections;
mod defined;
pub(crate) mod elaborate;
mod import;
pub(crate) mod ir;
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

use crate::limits::ValueLimits;
use crate::written;
use lang::model::{LoadOptions, Loaded};
use std::path::Path;

/// True if the file is a document of Quint's compiler, by its name.
pub fn is_quint(path: &Path) -> bool {
    path.to_str().is_some_and(|name| name.to_ascii_lowercase().ends_with(".qnt.json"))
}

/// Reads a document of Quint's compiler as a model. Overrides set constants of the specification, and limits of values.
pub fn load(path: &Path, options: &LoadOptions<'_>) -> Loaded {
    let text =
        ValueLimits::among(options.overrides).and_then(|ValueLimits { integers, lists, constants }| {
            import_file(path, &QuintOptions { integers, lists, constants, ..QuintOptions::default() })
        });
    written::load(path, text, &LoadOptions { overrides: &[], ..options.clone() })
}
