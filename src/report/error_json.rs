//! Input that cannot be used, as JSON: `docs/schema/error-1.json`.

use super::document::{DiagnosticDocument, VERSION, diagnostic_document};
use crate::diagnostics::{Diagnostic, SourceMap};
use serde::Serialize;

/// The document.
#[derive(Debug, Serialize)]
pub struct ErrorDocument {
    /// `cladist/error-1`.
    pub schema: &'static str,
    /// The first error in one line.
    pub error: String,
    /// All findings.
    pub diagnostics: Vec<DiagnosticDocument>,
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

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;
    use crate::diagnostics::Span;
    use crate::report::document::to_json;

    #[test]
    fn the_document_satisfies_its_schema() {
        let sources = fixture::model().sources;
        let found = [
            Diagnostic::error_without_place("no such file"),
            Diagnostic::warning(Span::default(), "odd")
                .with_help("h")
                .with_note("n")
                .with_related(Span::default(), "r"),
        ];
        let text = to_json(&error_document(&found, &sources));
        fixture::assert_valid(include_str!("../../docs/schema/error-1.json"), &text);
    }
}
