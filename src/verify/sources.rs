//! The texts of a result's model.

use super::StoredSource;
use kit::diagnostics::SourceMap;
use lang::model::ADDED;
use sha2::{Digest, Sha256};

/// The prefix of the names in a [`SourceMap`] of values given on the command line.
const SET: &str = "--set ";

/// Returns SHA-256 as 64 hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns a digest of a list of texts: SHA-256 as 64 hexadecimal digits, the same on every machine and in every
/// version.
pub fn digest<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hash = Sha256::new();
    for text in texts {
        // With its length before it, no text can run into the next one.
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the files that a model was read from, with their texts.
pub fn source_files(sources: &SourceMap) -> impl Iterator<Item = (&str, &str)> {
    sources.texts().filter(|(name, _)| !name.starts_with(SET) && *name != ADDED)
}

/// Returns the constants given on the command line, with the texts of their values.
pub fn set_names(sources: &SourceMap) -> impl Iterator<Item = (&str, &str)> {
    sources.texts().filter_map(|(name, text)| Some((name.strip_prefix(SET)?, text)))
}

/// Returns the differences between the files of a model and those of a result, one sentence for each. Files are
/// compared by content, in the order in which they were read, since they may have moved.
pub fn differing(stored: &[StoredSource], sources: &SourceMap) -> Vec<String> {
    let now: Vec<(&str, &str)> = source_files(sources).collect();
    let mut differences = Vec::new();
    for (was, (file, text)) in stored.iter().zip(&now) {
        if was.sha256 != sha256(text.as_bytes()) {
            differences.push(format!("{file} has changed since the result was stored"));
        }
    }
    for was in stored.iter().skip(now.len()) {
        differences.push(format!("{} is no longer part of the model", was.file));
    }
    for (file, _) in now.iter().skip(stored.len()) {
        differences.push(format!("{file} was no part of the model when the result was stored"));
    }
    differences
}

/// Returns the files that are not those of a result, one sentence for each, for a model that was not read completely.
pub fn unknown(stored: &[StoredSource], sources: &SourceMap) -> Vec<String> {
    let is_known = |text: &str| stored.iter().any(|was| was.sha256 == sha256(text.as_bytes()));
    let mut files = source_files(sources).peekable();
    if files.peek().is_none() {
        return vec!["the model that it is about cannot be read".into()];
    }
    files
        .filter(|(_, text)| !is_known(text))
        .map(|(file, _)| format!("{file} is not the file that it is about"))
        .collect()
}
