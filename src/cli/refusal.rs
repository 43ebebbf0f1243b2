//! Why a command was refused: the input, or the command line, cannot be used.

use cladist::diagnostics::{Diagnostic, SourceMap};
use std::sync::Arc;

/// Why a command was not carried out.
#[derive(Debug)]
pub struct Refusal {
    /// What is wrong; at least one of them is an error.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts that the places of the diagnostics point into.
    pub sources: Arc<SourceMap>,
}

impl Refusal {
    /// One error without a place.
    pub fn message(message: impl Into<String>) -> Self {
        Diagnostic::error_without_place(message).into()
    }
}

impl From<Diagnostic> for Refusal {
    fn from(diagnostic: Diagnostic) -> Self {
        Self { diagnostics: vec![diagnostic], sources: Arc::default() }
    }
}
