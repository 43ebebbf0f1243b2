//! Results for continuous integration: JUnit for test reports, SARIF for code review. Both are made of the same cases, one for each
//! property that was asked for.

mod junit;
mod of_classification;
mod sarif;

pub use junit::junit;
pub use sarif::{sarif, uri};

use crate::checks::check_json::claim_documents;
use crate::checks::check_text::{claim_verdict, outcome, trace_section};
use crate::shared::request::{CheckRequest, CheckedProperty, PropertyOutcome};
use crate::traces::trace_text::label_text;
use itertools::Itertools;
use kit::diagnostics::{Diagnostic, Span};
use lang::model::{Model, Position, Property};
use lang::trace::Trace;
use verify::document::NoveltyWord;

/// A run and what it says of each property.
#[derive(Debug, Clone, PartialEq)]
pub struct Suite {
    /// The model's name.
    pub model: String,
    /// The command line that gives the result again.
    pub rerun: String,
    /// How long it took.
    pub seconds: f64,
    /// The properties.
    pub cases: Vec<Case>,
    /// The warnings that are not about a place, each with its help.
    pub warnings: Vec<String>,
}

/// The texts of warnings that are not about a place.
fn unplaced(warnings: &[Diagnostic]) -> Vec<String> {
    let text = |warning: &Diagnostic| {
        let mut parts = [&warning.message].into_iter().chain(&warning.notes).chain(&warning.help);
        parts.join("; ")
    };
    warnings.iter().filter(|warning| warning.span.is_none()).map(text).collect()
}

/// A property and what is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// Its name.
    pub property: String,
    /// Its doc comment.
    pub doc: Option<String>,
    /// Where it is declared.
    pub place: SourcePlace,
    /// Its status.
    pub status: CaseStatus,
    /// The status in one sentence.
    pub summary: String,
    /// The violations.
    pub findings: Vec<CiFinding>,
}

/// The status of a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaseStatus {
    /// It was decided, and it is not violated; or nothing violates it that a stored result does not have.
    Passed,
    /// It is violated.
    Failed,
    /// The budget ended before, or nothing here decides such properties.
    Undecided,
    /// Nothing was asked but its types.
    Skipped,
}

/// A way in which a property is violated: a class, or the only counterexample that was looked for.
#[derive(Debug, Clone, PartialEq)]
pub struct CiFinding {
    /// The message, in a line or a few.
    pub message: String,
    /// The trace as text.
    pub trace: String,
    /// The trace step by step.
    pub steps: Vec<FindingStep>,
    /// An identity that is stable from run to run.
    pub identity: String,
    /// Novelty beside a stored result; `None` if that was not asked, or not decided.
    pub known: Option<NoveltyWord>,
}

/// A step of a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FindingStep {
    /// The label; `initial state` before the first step.
    pub label: String,
    /// Where its action is declared; of the initial state, the property.
    pub place: SourcePlace,
}

/// A place in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourcePlace {
    /// The file, as the user wrote it.
    pub file: String,
    /// Line and column, from 1, columns in characters; `None` for a file as a whole.
    pub position: Option<(usize, usize)>,
}

/// Where the parts of a model are declared. If the program has written the model, of a protocol or a specification in Quint, there is only
/// the file.
struct DeclarationPlaces<'a> {
    model: &'a Model,
    file: &'a str,
    is_written: bool,
}

impl DeclarationPlaces<'_> {
    fn of(&self, span: Span) -> SourcePlace {
        if self.is_written {
            return SourcePlace { file: self.file.to_owned(), position: None };
        }
        let sources = &self.model.sources;
        SourcePlace { file: sources.name(span.source).to_owned(), position: Some(sources.line_column(span)) }
    }

    fn steps(&self, property: &Property, trace: &Trace) -> Vec<FindingStep> {
        let step = |at: Position| {
            let action = trace.moment(at).label.as_ref().map(|label| self.model.actions[label.action].span);
            FindingStep {
                label: label_text(self.model, trace, at),
                place: self.of(action.unwrap_or(property.span)),
            }
        };
        trace.positions().map(step).collect()
    }
}

impl Suite {
    /// The cases of a check. `is_written` tells that the program wrote the model, of the file that was given.
    pub fn of_check(request: &CheckRequest<'_>, is_written: bool) -> Self {
        let model = request.model;
        let places = DeclarationPlaces { model, file: request.file, is_written };
        let claims = claim_documents(request);
        let case = |checked: &CheckedProperty<'_>| {
            let name = &checked.property.name;
            let claim = claims.iter().find(|claim| claim.property == *name && claim.patterns.is_some());
            let summary =
                claim.map_or_else(|| outcome(request, checked), |claim| claim_verdict(request, claim));
            let status = status(request, checked);
            let finding =
                (status == CaseStatus::Failed).then(|| finding(request, checked, &summary, &places));
            Case {
                property: name.clone(),
                doc: checked.property.doc.clone(),
                place: places.of(checked.property.span),
                status,
                summary,
                findings: finding.into_iter().collect(),
            }
        };
        Self {
            model: model.name.clone(),
            rerun: request.rerun.to_owned(),
            warnings: unplaced(request.warnings),
            seconds: request.seconds,
            cases: request.properties.iter().map(case).collect(),
        }
    }
}

/// The status of a property, for a claim of a protocol by its attack patterns, too.
fn status(request: &CheckRequest<'_>, checked: &CheckedProperty<'_>) -> CaseStatus {
    match (&checked.outcome, request.answer(checked)) {
        (PropertyOutcome::TypesOnly, _) => CaseStatus::Skipped,
        (_, Some(true)) => CaseStatus::Passed,
        (_, Some(false)) => CaseStatus::Failed,
        (_, None) => CaseStatus::Undecided,
    }
}

fn finding(
    request: &CheckRequest<'_>,
    checked: &CheckedProperty<'_>,
    summary: &str,
    places: &DeclarationPlaces<'_>,
) -> CiFinding {
    let trace = match &checked.outcome {
        PropertyOutcome::Violated(trace) => Some(trace),
        PropertyOutcome::ViolatedForever(lasso) => Some(&lasso.trace),
        _ => None,
    };
    let name = &checked.property.name;
    CiFinding {
        message: format!("{name}: {summary}"),
        trace: trace_section(request, checked).unwrap_or_default().trim_start().to_owned(),
        steps: trace.map(|trace| places.steps(checked.property, trace)).unwrap_or_default(),
        identity: name.clone(),
        known: None,
    }
}
