//! The common part of results about `[R] false`.

use super::documents::verdict;
use super::property_text::{PropertyDocument, PropertyText};
use super::system::{AnalysedDocument, System};
use crate::shared::document::diagnostic_document;
use crate::writing::paint::Paint;
use explicit::lts::safety::Analysis;
use kit::diagnostics::{Diagnostic, SourceMap};
use serde::Serialize;
use verify::document::StoredFinding;

/// The question and the analysis.
pub struct SafetyRequest<'a> {
    /// The system.
    pub system: System<'a>,
    /// The property.
    pub property: PropertyText<'a>,
    /// Whether a violation counts as avoidable if a run can stay in a cycle forever.
    pub strict: bool,
    /// Whether only traces in L(R) themselves are bad.
    pub literal: bool,
    /// The analysis.
    pub analysis: &'a Analysis<'a>,
    /// Warnings about the property.
    pub warnings: &'a [Diagnostic],
    /// The sources that the warnings refer to.
    pub sources: &'a SourceMap,
}

/// The part of the documents that is the same.
#[derive(Debug, Serialize)]
pub(super) struct SafetyDocument<'a> {
    verdict: &'static str,
    holds: bool,
    file: &'a str,
    #[serde(flatten)]
    property: PropertyDocument<'a>,
    strict: bool,
    literal: bool,
    lts: AnalysedDocument,
    warnings: Vec<StoredFinding>,
}

impl<'a> SafetyDocument<'a> {
    pub(super) fn new(request: &SafetyRequest<'a>) -> Self {
        Self {
            verdict: verdict(request.analysis.holds()),
            holds: request.analysis.holds(),
            file: request.system.file,
            property: request.property.document(),
            strict: request.strict,
            literal: request.literal,
            lts: request.system.document(),
            warnings: request.warnings.iter().map(|w| diagnostic_document(w, request.sources)).collect(),
        }
    }
}

impl SafetyRequest<'_> {
    /// The verdict, the property, and the system, each in a line.
    pub(super) fn headline(&self, paint: Paint) -> String {
        let word = if self.analysis.holds() { paint.good("holds") } else { paint.bad("violated") };
        format!("{word}: {}\n{}{}", self.property.headline(), self.system.lines(), self.property.lines())
    }
}
