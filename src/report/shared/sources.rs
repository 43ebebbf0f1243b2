//! The texts that a result is about, so that a changed one is noticed.

use kit::diagnostics::SourceMap;
use serde_json::{Map, Value as Json};
use verify::document::StoredSource;
use verify::{set_names, sha256, source_files};

/// The model and what it imports.
pub fn source_documents(sources: &SourceMap) -> Vec<StoredSource> {
    source_files(sources)
        .map(|(file, text)| StoredSource { file: file.to_owned(), sha256: sha256(text.as_bytes()) })
        .collect()
}

/// The values that constants were given on the command line, as text.
pub fn set_texts(sources: &SourceMap) -> Map<String, Json> {
    set_names(sources).map(|(name, text)| (name.to_owned(), Json::from(text))).collect()
}
