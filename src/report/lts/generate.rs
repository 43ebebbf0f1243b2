//! `lts generate`: `docs/schema/lts-generate-1.json`.

use super::documents::SystemDocument;
use super::words::{count, size};
use crate::lts::Lts;
use crate::report::document::VERSION;
use serde::Serialize;
use std::borrow::Cow;
use std::fmt::Write;
use std::path::Path;

/// What is reported.
pub struct GenerateRequest<'a> {
    /// The file of the text.
    pub file: &'a str,
    /// The system, as far as it was generated.
    pub generated: &'a Lts,
    /// How many of its states were not looked at.
    pub unexplored: usize,
    /// The same modulo strong bisimulation, if that is asked for and it is complete.
    pub reduced: Option<&'a Lts>,
    /// Whether that is asked for.
    pub reduce: bool,
    /// Why it is not complete.
    pub reason: Option<&'a str>,
    /// The file that it was written to, reduced if that is asked for.
    pub written: Option<&'a Path>,
}

/// The document.
#[derive(Debug, Serialize)]
pub struct GenerateDocument<'a> {
    schema: &'static str,
    version: &'static str,
    verdict: &'static str,
    file: &'a str,
    complete: bool,
    reason: Option<&'a str>,
    lts: SystemDocument,
    unexplored: usize,
    reduced: Option<SystemDocument>,
    written: Option<Cow<'a, str>>,
}

/// The document for a system.
pub fn generate_document<'a>(request: &GenerateRequest<'a>) -> GenerateDocument<'a> {
    GenerateDocument {
        schema: "cladist/lts-generate-1",
        version: VERSION,
        verdict: if request.reason.is_none() { "complete" } else { "undecided" },
        file: request.file,
        complete: request.reason.is_none(),
        reason: request.reason,
        lts: request.generated.into(),
        unexplored: request.unexplored,
        reduced: request.reduced.map(Into::into),
        written: request.written.map(Path::to_string_lossy),
    }
}

/// The same as text.
pub fn generate_text(request: &GenerateRequest<'_>) -> String {
    let mut out = format!("{}\n", size(request.file, request.generated));
    if request.unexplored > 0 {
        let _ = writeln!(out, "  not complete: {} not looked at", count(request.unexplored, "state"));
    }
    if let Some(reduced) = request.reduced {
        let _ = writeln!(
            out,
            "  modulo strong bisimulation: {}, {}",
            count(reduced.declared_states(), "state"),
            count(reduced.transitions(), "transition")
        );
    } else if request.reduce {
        out.push_str("  not reduced, because it is not complete\n");
    }
    if let Some(path) = request.written {
        let part = if request.reason.is_some() { "this part is " } else { "" };
        let _ = writeln!(out, "  {part}written to {}", path.display());
    }
    out
}
