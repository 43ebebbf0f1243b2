//! Circuits in AIGER: translates a file to the specification language.
//!
//! The format is that of A. Biere, K. Heljanko and S. Wieringa, *AIGER 1.9 and beyond* (2011): latches with
//! initial values, bad states, invariant constraints, justice and fairness, in ASCII or binary. No other
//! module depends on circuits: the text is read like any other.

mod circuit;
mod read;
mod write;

pub use circuit::{AigerCircuit, AigerSource, Latch, Literal};
pub use read::{Malformed, read};
pub use write::model_text;

use kit::diagnostics::{Diagnostic, TEXT_LIMIT, read_bytes, unreadable};
use std::path::Path;

/// Reads a circuit and writes it as a model in the specification language.
///
/// # Errors
/// If the file is unreadable, no circuit, or too large for a text.
pub fn import_file(path: &Path) -> Result<String, Diagnostic> {
    let shown = path.display().to_string();
    let bytes = read_bytes(path, TEXT_LIMIT).map_err(|error| unreadable(path, &error))?;
    let circuit = read(&bytes).map_err(|malformed| {
        Diagnostic::error_without_place(format!("{shown}: {malformed}"))
            .with_help("the format is that of AIGER 1.9, `aag` or `aig`")
    })?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    model_text(&name, &shown, &circuit).map_err(|why| {
        Diagnostic::error_without_place(format!("{shown}: {why}"))
            .with_help("leave one property with what it depends on, in ABC: `cone -s -O 0; scleanup; scorr`")
    })
}
