//! Documents of Quint's compiler where models are expected.

use super::import::{Options, import_file};
use kit::diagnostics::SourceMap;
use lang::model::{self, LoadOptions, Loaded};
use std::path::Path;
use std::sync::Arc;

/// Whether a file is one of Quint's compiler, by its name.
pub fn is_quint(path: &Path) -> bool {
    path.to_str().is_some_and(|name| name.to_ascii_lowercase().ends_with(".qnt.json"))
}

/// Reads a document of Quint's compiler as a model. What is set are constants of the specification; what has no bound in it is refused,
/// and can be limited by an import of its own.
pub fn load(path: &Path, options: &LoadOptions<'_>) -> Loaded {
    let imported = Options { constants: options.overrides.to_vec(), ..Options::default() };
    let text = match import_file(path, &imported) {
        Ok(text) => text,
        Err(diagnostics) => {
            return Loaded { model: None, diagnostics, sources: Arc::new(SourceMap::new()) };
        }
    };
    let options = LoadOptions { overrides: &[], ..options.clone() };
    model::load_written(&path.display().to_string(), &text, &options)
}
