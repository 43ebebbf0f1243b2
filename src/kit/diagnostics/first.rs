//! A limit on the number of diagnostics shown for a file.

use super::{Diagnostic, Severity, SourceId, SourceMap};

/// The number of diagnostics shown for each file.
pub const MISTAKES_SHOWN: usize = 20;

/// The numbers of diagnostics for a file.
struct FileDiagnostics {
    source: SourceId,
    errors: usize,
    others: usize,
}

/// Keeps the first [`MISTAKES_SHOWN`] diagnostics for each file, preferring errors to warnings, in their order, and
/// adds a note with the number of the others. All diagnostics without a place are kept.
pub fn first_mistakes(diagnostics: Vec<Diagnostic>, sources: &SourceMap) -> Vec<Diagnostic> {
    let of = |source: SourceId| {
        diagnostics.iter().filter(move |d| d.span.is_some_and(|span| span.source == source))
    };
    let mut full: Vec<FileDiagnostics> = Vec::new();
    for source in diagnostics.iter().filter_map(|d| Some(d.span?.source)) {
        if full.iter().all(|found| found.source != source) {
            let errors = of(source).filter(|d| d.is_error()).count();
            full.push(FileDiagnostics { source, errors, others: of(source).count() - errors });
        }
    }
    full.retain(|found| found.errors + found.others > MISTAKES_SHOWN);
    if full.is_empty() {
        return diagnostics;
    }
    let mut kept: Vec<Diagnostic> = Vec::new();
    let mut room: Vec<(usize, usize)> = full
        .iter()
        .map(|found| (found.errors.min(MISTAKES_SHOWN), MISTAKES_SHOWN.saturating_sub(found.errors)))
        .collect();
    for diagnostic in diagnostics {
        let source = diagnostic.span.map(|span| span.source);
        let Some(index) = full.iter().position(|found| Some(found.source) == source) else {
            kept.push(diagnostic);
            continue;
        };
        let left = if diagnostic.is_error() { &mut room[index].0 } else { &mut room[index].1 };
        if *left > 0 {
            *left -= 1;
            kept.push(diagnostic);
        }
    }
    kept.extend(full.iter().map(|FileDiagnostics { source, errors, others }| {
        let more = errors + others - MISTAKES_SHOWN;
        let errors = *errors > MISTAKES_SHOWN;
        let what = match (errors, more) {
            (true, 1) => "error",
            (true, _) => "errors",
            (false, 1) => "warning",
            (false, _) => "warnings",
        };
        let message = format!("{more} more {what} in {}", sources.name(*source));
        Diagnostic::new(Severity::Note, None, message)
    }));
    kept
}
