//! Circuits of words in BTOR2: translates a file to SMV, which is read like any other.
//!
//! The format is that of A. Niemetz, M. Preiner, C. Wolf and A. Biere, *BTOR2, BtorMC and Boolector 3.0* (2018), without arrays.

mod operators;
mod read;

pub use crate::written::Refused;
pub use read::{Malformed, smv_text};

use crate::smv;
use kit::diagnostics::{Diagnostic, TEXT_LIMIT, read_text, unreadable};
use std::path::Path;

/// Reads a circuit and writes it as a model in the specification language.
///
/// # Errors
/// An unreadable file, one that is no circuit, or unsupported constructs.
pub fn import_file(path: &Path) -> Result<String, Refused> {
    let text = read_text(path, TEXT_LIMIT).map_err(|error| vec![unreadable(path, &error)])?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    import_text(&name, &path.display().to_string(), &text)
}

/// Like [`import_file`], from a text; `shown` is the path of its file for messages, and `name` that of the model.
///
/// # Errors
/// A text that is no circuit, or unsupported constructs.
pub fn import_text(name: &str, shown: &str, text: &str) -> Result<String, Refused> {
    let written = smv_text(text).map_err(|all| {
        let error = |one: Malformed| Diagnostic::error_without_place(format!("{shown}:{one}"));
        all.into_iter().map(error).collect::<Vec<_>>()
    })?;
    smv::import_text(name, shown, &written).map_err(|refused| {
        // Places and advice are those of the text in between.
        let path = format!("{shown}: ");
        let error = |one: Diagnostic| {
            let fault = one.message.strip_prefix(&path).unwrap_or(&one.message);
            Diagnostic::error_without_place(format!("{path}as a model in SMV: {fault}"))
        };
        Refused::from(refused.diagnostics.into_iter().map(error).collect::<Vec<_>>())
    })
}
