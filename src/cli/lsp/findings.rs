//! The findings of `check` about a text, for editors.

use super::messages::{
    DiagnosticRelatedInformation, DiagnosticSeverity, Location, PublishedDiagnostic, Range, Uri,
};
use super::places::range_of;
use crate::cli::{settings, symmetric};
use cladist::budget::Budget;
use cladist::diagnostics::{Diagnostic, Severity, SourceMap, Span, SpanLabel};
use cladist::model::{self, LoadOptions, Loaded, Property};
use cladist::protocol::{self, is_protocol};
use cladist::sat::Backend;
use cladist::syntax::ast::FileKind;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The time limit for a text while it is being written.
pub const WHILE_TYPING: Duration = Duration::from_secs(5);

/// The time limit for a text when it is opened or saved.
const WHEN_STORED: Duration = Duration::from_secs(20);

/// The extent of the checks of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckExtent {
    /// The findings of reading and checking.
    Typing,
    /// The findings of `cladist check`, including symmetry declarations and actions that never happen.
    Full,
}

/// Returns the findings about a text, with the texts that their places refer to; the text itself is the first. `edited`
/// gives the texts of other open files.
pub fn findings(
    path: &Path,
    text: &str,
    effort: CheckExtent,
    edited: &dyn Fn(&Path) -> Option<String>,
) -> (Vec<Diagnostic>, Arc<SourceMap>) {
    let time = if effort == CheckExtent::Full { WHEN_STORED } else { WHILE_TYPING };
    let budget = Budget::unlimited().with_timeout(time);
    if is_protocol(path) {
        let loaded = protocol::load_text(&path.to_string_lossy(), text, &budget);
        return (loaded.diagnostics, loaded.sources);
    }
    let options = LoadOptions { budget: budget.clone(), ..LoadOptions::default() };
    if model::file_kind(text) == Some(FileKind::Library) {
        let library = model::check_library_edited(path, text, &options, edited);
        return (library.diagnostics, library.sources);
    }
    let Loaded { model, mut diagnostics, sources } = model::load_edited(path, text, &options, edited);
    if let (Some(model), CheckExtent::Full) = (&model, effort) {
        let properties: Vec<&Property> = model.properties.iter().collect();
        diagnostics.extend(symmetric::notices(model, &properties, &budget));
        if !diagnostics.iter().any(Diagnostic::is_error) {
            diagnostics.extend(settings::vacuity(model, None, Backend::Cadical, &budget));
        }
    }
    (diagnostics, sources)
}

/// Converts a finding for editors. A finding in another file is shown at the beginning of this one, with a reference to
/// its place.
pub fn shown(found: &Diagnostic, sources: &SourceMap, uri: &Uri) -> PublishedDiagnostic {
    let own = |span: &Span| span.source.0 == 0;
    let mut message = found.message.clone();
    for note in &found.notes {
        message.push_str(&format!("\nnote: {note}"));
    }
    if let Some(help) = &found.help {
        message.push_str(&format!("\nhelp: {help}"));
    }
    let elsewhere =
        found.span.filter(|span| !own(span)).map(|span| SpanLabel { span, message: "here".to_owned() });
    let related = elsewhere.iter().chain(&found.related).filter_map(|label| {
        let uri = match own(&label.span) {
            true => uri.clone(),
            false => super::uri_of(Path::new(sources.name(label.span.source)))?,
        };
        let location = Location { uri, range: range_of(label.span, sources) };
        Some(DiagnosticRelatedInformation { location, message: label.message.clone() })
    });
    PublishedDiagnostic {
        range: found.span.filter(own).map_or_else(Range::default, |span| range_of(span, sources)),
        severity: match found.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Note => DiagnosticSeverity::INFORMATION,
        },
        source: "cladist",
        message,
        related_information: related.collect(),
    }
}
