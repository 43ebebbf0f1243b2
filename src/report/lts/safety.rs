//! What the results about `[R] false` have in common.

use super::documents::{SystemDocument, verdict};
use super::words::size;
use crate::diagnostics::{Diagnostic, SourceMap};
use crate::lts::safety::Analysis;
use crate::report::Paint;
use crate::report::document::{DiagnosticDocument, diagnostic_document};
use serde::Serialize;

/// What was asked, and the analysis.
pub struct SafetyRequest<'a> {
    /// The file of the system.
    pub file: &'a str,
    /// The property.
    pub property: &'a str,
    /// Whether loops count as a way to avoid a violation.
    pub strict: bool,
    /// Whether only traces in L(R) themselves are bad.
    pub literal: bool,
    /// The analysis.
    pub analysis: &'a Analysis<'a>,
    /// What was found about the property.
    pub warnings: &'a [Diagnostic],
    /// What they point into.
    pub sources: &'a SourceMap,
}

/// The part of the documents that is the same.
#[derive(Debug, Serialize)]
pub(super) struct SafetyDocument<'a> {
    verdict: &'static str,
    holds: bool,
    file: &'a str,
    property: &'a str,
    strict: bool,
    literal: bool,
    lts: SystemDocument,
    warnings: Vec<DiagnosticDocument>,
}

impl<'a> SafetyDocument<'a> {
    pub(super) fn new(request: &SafetyRequest<'a>) -> Self {
        Self {
            verdict: verdict(request.analysis.holds()),
            holds: request.analysis.holds(),
            file: request.file,
            property: request.property,
            strict: request.strict,
            literal: request.literal,
            lts: request.analysis.product.lts.into(),
            warnings: request.warnings.iter().map(|w| diagnostic_document(w, request.sources)).collect(),
        }
    }
}

impl SafetyRequest<'_> {
    /// The verdict, the property, and the system, each in a line.
    pub(super) fn headline(&self, paint: Paint) -> String {
        let word = if self.analysis.holds() { paint.good("holds") } else { paint.bad("violated") };
        let size = size(self.file, self.analysis.product.lts);
        format!("{word}: {}\n  {:<15} {size}\n", self.property, "system")
    }
}
