//! Input that cannot be used: what is said, and where.

use super::console::Console;
use super::exit::Exit;
use cladist::diagnostics::{Diagnostic, SourceMap};
use cladist::report::{error_document, to_json};
use std::sync::Arc;

/// Why a command was not carried out.
#[derive(Debug)]
pub struct Refusal {
    /// What is wrong, at least one error among it.
    pub diagnostics: Vec<Diagnostic>,
    /// What the places point into.
    pub sources: Arc<SourceMap>,
}

impl Refusal {
    /// One error without a place.
    pub fn message(message: impl Into<String>) -> Self {
        Diagnostic::error_without_place(message).into()
    }

    /// Prints it on standard error, with `json` also as a document on standard output.
    pub fn report(&self, console: &Console, json: bool) -> Exit {
        console.diagnose(&self.diagnostics, &self.sources);
        if json { self.report_on_stdout(console) } else { Exit::BadInput }
    }

    /// Prints it as a JSON document only.
    pub fn report_on_stdout(&self, console: &Console) -> Exit {
        // When standard output cannot be written to, standard error has it all.
        let _ = console.print(&to_json(&error_document(&self.diagnostics, &self.sources)));
        Exit::BadInput
    }
}

impl From<Diagnostic> for Refusal {
    fn from(diagnostic: Diagnostic) -> Self {
        Self { diagnostics: vec![diagnostic], sources: Arc::default() }
    }
}
