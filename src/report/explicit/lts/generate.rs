//! `lts generate`: `docs/schema/lts-generate-1.json`.

use super::documents::SystemDocument;
use super::words::{count, size};
use crate::shared::document::VERSION;
use explicit::lts::Lts;
use serde::Serialize;
use std::borrow::Cow;
use std::fmt::Write;
use std::path::Path;

/// The result to report.
pub struct GenerateRequest<'a> {
    /// The file of the text.
    pub file: &'a str,
    /// The system, as far as it was generated.
    pub generated: &'a Lts,
    /// The number of its states whose transitions were not computed.
    pub unexplored: usize,
    /// Its quotient by strong bisimulation, if requested; only of a complete system.
    pub reduced: Option<&'a Lts>,
    /// Whether the quotient was requested.
    pub reduce: bool,
    /// Why it is incomplete.
    pub reason: Option<&'a str>,
    /// The output file.
    pub written: Option<&'a Path>,
}

/// The JSON document.
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

/// The sizes of the system, as text.
pub fn generate_text(request: &GenerateRequest<'_>) -> String {
    let mut out = format!("{}\n", size(request.file, request.generated));
    if request.unexplored > 0 {
        let _ = writeln!(out, "  incomplete: {} not explored", count(request.unexplored, "state"));
    }
    if let Some(reduced) = request.reduced {
        let _ = writeln!(
            out,
            "  modulo strong bisimulation: {}, {}",
            count(reduced.declared_states(), "state"),
            count(reduced.transitions(), "transition")
        );
    } else if request.reduce {
        out.push_str("  not reduced because it is incomplete\n");
    }
    if let Some(path) = request.written {
        let part = if request.reason.is_some() { "this part is " } else { "" };
        let _ = writeln!(out, "  {part}written to {}", path.display());
    }
    out
}
