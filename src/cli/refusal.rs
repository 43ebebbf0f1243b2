//! Refusals of commands: the input, or the command line, cannot be used.

use cladist::diagnostics::{Diagnostic, SourceMap};
use std::sync::Arc;

/// The reason why a command was not carried out.
#[derive(Debug)]
pub struct UsageError {
    /// The diagnostics, at least one of which is an error.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts that the places of the diagnostics refer to.
    pub sources: Arc<SourceMap>,
}

impl UsageError {
    /// Returns one error without a place.
    pub fn message(message: impl Into<String>) -> Self {
        Diagnostic::error_without_place(message).into()
    }
}

impl From<Diagnostic> for UsageError {
    fn from(diagnostic: Diagnostic) -> Self {
        Self { diagnostics: vec![diagnostic], sources: Arc::default() }
    }
}
