//! Input that cannot be used, as JSON: `docs/schema/error-1.json`.

use crate::shared::document::{VERSION, diagnostic_document};
use kit::diagnostics::{Diagnostic, SourceMap};
use serde::Serialize;
use verify::document::StoredFinding;

/// The document.
#[derive(Debug, Serialize)]
pub struct ErrorDocument {
    /// `cladist/error-1`.
    pub schema: &'static str,
    /// The first error in one line.
    pub error: String,
    /// All findings.
    pub diagnostics: Vec<StoredFinding>,
    /// Version of this program.
    pub version: &'static str,
}

/// The document for findings of which at least one is an error.
pub fn error_document(diagnostics: &[Diagnostic], sources: &SourceMap) -> ErrorDocument {
    let first = diagnostics.iter().find(|d| d.is_error()).or(diagnostics.first());
    ErrorDocument {
        schema: "cladist/error-1",
        error: first.map_or_else(|| "the input cannot be used".to_owned(), |d| d.message.clone()),
        diagnostics: diagnostics.iter().map(|d| diagnostic_document(d, sources)).collect(),
        version: VERSION,
    }
}
