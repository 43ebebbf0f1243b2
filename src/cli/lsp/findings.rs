//! What `check` says of a text, as an editor shows it.

use super::messages::{
    DiagnosticRelatedInformation, DiagnosticSeverity, Location, PublishedDiagnostic, Range, Uri,
};
use super::places::range_of;
use crate::cli::{settings, symmetric};
use cladist::budget::Budget;
use cladist::diagnostics::{Diagnostic, Label, Severity, SourceMap, Span};
use cladist::model::{self, LoadOptions, Loaded, Property};
use cladist::protocol::{self, is_protocol};
use cladist::sat::Backend;
use cladist::syntax::ast::FileKind;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// How long a text is looked at while it is being written.
pub const WHILE_TYPING: Duration = Duration::from_secs(5);

/// How long when it is opened or saved.
const WHEN_STORED: Duration = Duration::from_secs(20);

/// How much is asked about a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// What reading and checking say.
    Typing,
    /// All that `cladist check` says: also whether types are symmetric, and which actions never happen.
    Full,
}

/// What there is to say of a text, with the texts that the places point into; the text itself is the first. `edited` gives the texts
/// of other files that are open.
pub fn findings(
    path: &Path,
    text: &str,
    effort: Effort,
    edited: &dyn Fn(&Path) -> Option<String>,
) -> (Vec<Diagnostic>, Arc<SourceMap>) {
    let time = if effort == Effort::Full { WHEN_STORED } else { WHILE_TYPING };
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
    if let (Some(model), Effort::Full) = (&model, effort) {
        let properties: Vec<&Property> = model.properties.iter().collect();
        diagnostics.extend(symmetric::notices(model, &properties, &budget));
        if !diagnostics.iter().any(Diagnostic::is_error) {
            diagnostics.extend(settings::vacuity(model, None, Backend::Cadical, &budget));
        }
    }
    (diagnostics, sources)
}

/// A finding as editors take it. What lies in another file is shown at the beginning of this one, and points there.
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
        found.span.filter(|span| !own(span)).map(|span| Label { span, message: "here".to_owned() });
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
