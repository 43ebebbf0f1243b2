//! The texts that a result is about, so that a changed one is noticed.

use kit::diagnostics::SourceMap;
use serde::Serialize;
use serde_json::{Map, Value as Json};
use verify::{set_names, sha256, source_files};

/// A text of the model.
#[derive(Debug, Serialize)]
pub struct SourceDocument {
    /// Its path as it was read.
    pub file: String,
    /// SHA-256 of its bytes, as 64 hexadecimal digits.
    pub sha256: String,
}

/// The model and what it imports.
pub fn source_documents(sources: &SourceMap) -> Vec<SourceDocument> {
    source_files(sources)
        .map(|(file, text)| SourceDocument { file: file.to_owned(), sha256: sha256(text.as_bytes()) })
        .collect()
}

/// The values that constants were given on the command line, as text.
pub fn set_texts(sources: &SourceMap) -> Map<String, Json> {
    set_names(sources).map(|(name, text)| (name.to_owned(), Json::from(text))).collect()
}
