//! Input that cannot be used: what is said, and where.

use super::console::Console;
use super::exit::Exit;
use cladist::diagnostics::{Diagnostic, SourceMap, Unfinished, first_mistakes};
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
        if json { self.report_on_stdout(console) } else { self.exit() }
    }

    /// Prints it as a JSON document only.
    pub fn report_on_stdout(&self, console: &Console) -> Exit {
        // When standard output cannot be written to, standard error has it all.
        let shown = first_mistakes(self.diagnostics.clone(), &self.sources);
        let _ = console.print(&to_json(&error_document(&shown, &self.sources)));
        self.exit()
    }

    /// Input that was not read to its end may be right.
    fn exit(&self) -> Exit {
        match self.diagnostics.iter().find_map(|d| d.unfinished) {
            None => Exit::BadInput,
            Some(Unfinished::Limit) => Exit::Undecided,
            Some(Unfinished::Interrupted) => Exit::Interrupted,
        }
    }
}

impl From<Diagnostic> for Refusal {
    fn from(diagnostic: Diagnostic) -> Self {
        Self { diagnostics: vec![diagnostic], sources: Arc::default() }
    }
}
