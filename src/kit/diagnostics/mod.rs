//! Diagnostics about the input: place, cause and help.
//!
//! A [`Diagnostic`] is data; [`render`] turns it into text with the source line and carets. Every
//! stage of the front end collects as many as it can instead of stopping at the first.

mod escape;
mod first;
mod nearest;
mod render;
mod source;
mod text_file;

pub use escape::{escaped, printable};
pub use first::{MISTAKES_SHOWN, first_mistakes};
pub use nearest::{find_name, unknown_name};
pub use nearest::{nearest, nearest_word};
pub use render::render;
pub use source::{SourceId, SourceMap, Span};
pub use text_file::{TEXT_LIMIT, read_bytes, read_text, unreadable, why_unreadable};

/// The severity of a diagnostic, most severe first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The input cannot be used.
    Error,
    /// The input can be used, but its meaning is probably not the intended one.
    Warning,
    /// Something worth knowing.
    Note,
}

/// A place in a source with a remark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpanLabel {
    /// The place.
    pub span: Span,
    /// The remark; may be empty.
    pub message: String,
}

/// One error, warning or note about the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The severity: error, warning or note.
    pub severity: Severity,
    /// One sentence, lower case, without a full stop.
    pub message: String,
    /// The place it refers to; `None` for values from the command line.
    pub span: Option<Span>,
    /// Other places that explain it ("first assigned here").
    pub related: Vec<SpanLabel>,
    /// Causes without a place ("fields are kind, key").
    pub notes: Vec<String>,
    /// Advice on how to correct it.
    pub help: Option<String>,
    /// Set if processing ended early, so that the input may be correct.
    pub unfinished: Option<EarlyEnd>,
}

/// The reason why processing the input ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EarlyEnd {
    /// The time or memory limit was reached.
    Limit,
    /// The user interrupted it.
    Interrupted,
}

impl Diagnostic {
    fn new(severity: Severity, span: Option<Span>, message: impl Into<String>) -> Self {
        Self {
            severity,
            message: message.into(),
            span,
            related: Vec::new(),
            notes: Vec::new(),
            help: None,
            unfinished: None,
        }
    }

    /// An error at a place.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, Some(span), message)
    }

    /// An error without a place in a source.
    pub fn error_without_place(message: impl Into<String>) -> Self {
        Self::new(Severity::Error, None, message)
    }

    /// A warning at a place.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, Some(span), message)
    }

    /// A warning without a place in a source.
    pub fn warning_without_place(message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, None, message)
    }

    /// A note without a place in a source.
    pub fn note_without_place(message: impl Into<String>) -> Self {
        Self::new(Severity::Note, None, message)
    }

    /// A note at a place.
    pub fn note(span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, Some(span), message)
    }

    /// Adds advice on how to correct it.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds another place that explains it.
    #[must_use]
    pub fn with_related(mut self, span: Span, message: impl Into<String>) -> Self {
        self.related.push(SpanLabel { span, message: message.into() });
        self
    }

    /// Adds a cause that has no place.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adjusts the places after its sources were appended to another map; see [`SourceMap::append`].
    #[must_use]
    pub fn moved(mut self, by: u32) -> Self {
        let spans = self.span.iter_mut().chain(self.related.iter_mut().map(|label| &mut label.span));
        spans.for_each(|span| span.source.0 += by);
        self
    }

    /// True if the diagnostic prevents the input from being used.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
