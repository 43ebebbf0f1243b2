//! `lts bugs --actions`: `docs/schema/lts-escapes-1.json`.

use super::bugs_text::listing;
use super::documents::{SystemDocument, verdict};
use super::words::size;
use crate::shared::document::{VERSION, diagnostic_document};
use crate::writing::paint::Paint;
use explicit::process::bugs::{Escape, Escapes, Kind};
use kit::diagnostics::{Diagnostic, SourceMap};
use serde::Serialize;
use std::fmt::Write;
use verify::document::StoredFinding;

/// The result to report.
pub struct EscapesRequest<'a> {
    /// The file of the text.
    pub file: &'a str,
    /// The actions that every run should contain.
    pub actions: &'a [String],
    /// The result.
    pub found: &'a Escapes,
    /// The text and its modules.
    pub sources: &'a SourceMap,
    /// Warnings about the actions.
    pub warnings: &'a [Diagnostic],
    /// The sources that the warnings refer to.
    pub warning_sources: &'a SourceMap,
}

/// The JSON document.
#[derive(Debug, Serialize)]
pub struct EscapesDocument<'a> {
    schema: &'static str,
    version: &'static str,
    verdict: &'static str,
    holds: bool,
    possible: bool,
    file: &'a str,
    actions: &'a [String],
    lts: SystemDocument,
    escapes: Vec<EscapeDocument>,
    warnings: Vec<StoredFinding>,
}

#[derive(Debug, Serialize)]
struct EscapeDocument {
    place: Option<PlaceDocument>,
    kind: &'static str,
    labels: Vec<String>,
    trace: Vec<String>,
    instead: Vec<String>,
}

#[derive(Debug, Serialize)]
struct PlaceDocument {
    file: String,
    line: usize,
    column: usize,
}

fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Loses => "loses",
        Kind::Postpones => "postpones",
    }
}

/// The document for a result.
pub fn escapes_document<'a>(request: &EscapesRequest<'a>) -> EscapesDocument<'a> {
    let place = |escape: &Escape| {
        escape.place.map(|span| {
            let (line, column) = request.sources.line_column(span);
            PlaceDocument { file: request.sources.name(span.source).to_owned(), line, column }
        })
    };
    let escapes = request.found.escapes.iter().map(|escape| EscapeDocument {
        place: place(escape),
        kind: word(escape.kind),
        labels: escape.labels.clone(),
        trace: escape.trace.clone(),
        instead: escape.instead.clone(),
    });
    let warnings = request.warnings.iter().map(|w| diagnostic_document(w, request.warning_sources));
    EscapesDocument {
        schema: "cladist/lts-escapes-1",
        version: VERSION,
        verdict: verdict(request.found.holds()),
        holds: request.found.holds(),
        possible: request.found.possible,
        file: request.file,
        actions: request.actions,
        lts: (&request.found.lts).into(),
        escapes: escapes.collect(),
        warnings: warnings.collect(),
    }
}

/// The actions that avoid the sequence, as text.
pub fn escapes_text(request: &EscapesRequest<'_>, paint: Paint) -> String {
    let found = request.found;
    let word = if found.holds() { paint.good("holds") } else { paint.bad("violated") };
    let mut out = format!("{word}: every run contains {}\n", request.actions.join(", later "));
    let _ = writeln!(out, "  {:<15} {}", "system", size(request.file, &found.lts));
    if !found.possible {
        out.push_str("\nno run contains these actions at all\n");
        return out;
    }
    let marks: Vec<_> = found
        .escapes
        .iter()
        .filter_map(|escape| {
            let shown: fn(Paint, &str) -> String = match escape.kind {
                Kind::Loses => |paint, text| paint.bad(&format!("{text} loses")),
                Kind::Postpones => |paint, text| paint.doubtful(&format!("{text} postpones")),
            };
            Some((escape.place?, shown))
        })
        .collect();
    listing(request.sources, &marks, paint, &mut out);
    for (number, escape) in found.escapes.iter().enumerate() {
        let what = match escape.place {
            Some(span) => {
                let action = request.sources.snippet(span).lines().next().unwrap_or_default();
                format!("{action} at {}", request.sources.place(span))
            }
            None => "the end".to_owned(),
        };
        let does = match escape.kind {
            Kind::Loses => "after it the actions are no longer possible",
            Kind::Postpones => "it can be repeated forever without the actions",
        };
        let _ = writeln!(out, "\n{}", paint.bold(&format!("{}. {what}: {does}", number + 1)));
        let _ = writeln!(out, "   shortest trace: {}", escape.trace.join(", "));
        if !escape.instead.is_empty() {
            let shown: Vec<&str> = escape.instead.iter().take(5).map(String::as_str).collect();
            let _ = writeln!(out, "   instead of the last action: {}", paint.good(&shown.join(", ")));
        }
    }
    out
}
