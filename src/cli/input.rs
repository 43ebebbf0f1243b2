//! Reading models and expressions; what is wrong with them becomes a refusal.

use super::console::Console;
use super::engines;
use super::refusal::Refusal;
use crate::diagnostics::Diagnostic;
use crate::model::{Model, Observable};
use std::path::Path;

/// Loads a model. Its warnings are printed and handed back for the result.
pub fn load(
    path: &Path,
    overrides: &[(String, String)],
    console: &Console,
) -> Result<(Model, Vec<Diagnostic>), Refusal> {
    let loaded = engines::load(path, overrides);
    match loaded.model {
        Some(model) if !loaded.diagnostics.iter().any(Diagnostic::is_error) => {
            console.diagnose(&loaded.diagnostics, &loaded.sources);
            Ok((model, loaded.diagnostics))
        }
        _ => Err(Refusal { diagnostics: loaded.diagnostics, sources: loaded.sources }),
    }
}

/// Reads an expression of `--show`.
pub fn show_expression(model: &Model, text: &str) -> Result<Observable, Refusal> {
    engines::show_expression(model, text)
        .map_err(|diagnostics| Refusal { diagnostics, sources: model.sources.clone() })
}

/// Reads a text file.
pub fn read(path: &Path) -> Result<String, Refusal> {
    std::fs::read_to_string(path)
        .map_err(|error| Refusal::message(format!("cannot read {}: {error}", path.display())))
}
