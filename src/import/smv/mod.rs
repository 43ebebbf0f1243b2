//! Models in SMV, the language of NuSMV and nuXmv: translates a file to the specification language.
//!
//! The language is that of R. Cavada et al., *NuSMV 2.6 User Manual*, without words, reals and processes. No
//! other module depends on SMV: the text is read like any other.

mod build;
mod elaborate;
mod evaluate;
mod print;
mod scopes;
mod step;
mod symbols;
mod system;
mod term;
pub mod text;
mod write;

pub use crate::written::Refused;

use crate::written;
use build::build;
use kit::diagnostics::{Diagnostic, SourceMap, TEXT_LIMIT, first_mistakes, read_text, unreadable};
use kit::parsing::with_large_stack;
use lang::model::{LoadOptions, Loaded};
use std::path::Path;
use std::sync::Arc;
use text::parse;
use write::model_text;

/// True if the file is a model in SMV, by its name.
pub fn is_smv(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("smv"))
}

/// Reads a model and writes it in the specification language.
///
/// # Errors
/// An unreadable file, a model with mistakes, or unsupported constructs.
pub fn import_file(path: &Path) -> Result<String, Refused> {
    let text = read_text(path, TEXT_LIMIT).map_err(|error| vec![unreadable(path, &error)])?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    import_text(&name, &path.display().to_string(), &text)
}

/// Like [`import_file`], from a text; `shown` is the path of its file for messages, and `name` that of the model.
///
/// # Errors
/// A model with mistakes, or unsupported constructs.
pub fn import_text(name: &str, shown: &str, text: &str) -> Result<String, Refused> {
    let mut sources = SourceMap::new();
    let source = sources.add(shown, text);
    let written = with_large_stack(|| {
        let (file, mistakes) = parse(source, text);
        // Undeclared names may be declared in a malformed part.
        if !mistakes.is_empty() {
            return Err(mistakes);
        }
        let system = build(&file)?;
        model_text(name, shown, &system)
            .map_err(|why| vec![Diagnostic::error_without_place(format!("{shown}: {why}"))])
    });
    let mut diagnostics = match written {
        Ok(text) => return Ok(text),
        Err(found) => found,
    };
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.map(|span| span.start));
    Err(Refused { diagnostics: first_mistakes(diagnostics, &sources), sources: Arc::new(sources) })
}

/// Reads a file as a model. The model has no constants, so overrides are errors.
pub fn load(path: &Path, options: &LoadOptions<'_>) -> Loaded {
    written::load(path, import_file(path), options)
}
