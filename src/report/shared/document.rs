//! What the JSON documents are made of: traces, values, findings.

use crate::shared::chart_json::ChartDocument;
use crate::shared::evaluate::{visible_changes, visible_state};
use crate::shared::request::View;
use kit::budget::{Budget, Exhausted, Limited, Stage};
use kit::diagnostics::printable;
use kit::diagnostics::{Diagnostic, Severity, SourceMap};
use lang::model::eval::eval_state;
use lang::model::value::Label;
use lang::model::{Model, Position};
use lang::trace::{Change, Difference, Lasso, Trace, value_json};
use serde::Serialize;
use serde_json::{Map, Value as Json};
use std::io::{self, Write};

/// A trace.
#[derive(Debug, Serialize)]
pub struct TraceDocument {
    /// The number of steps.
    pub steps: usize,
    /// The states in order, one more than steps.
    pub states: Vec<MomentDocument>,
    /// Of an infinite trace: the position where its loop begins. The last state is the one there, and what follows it are the steps
    /// from there on, for ever. Missing for a finite trace.
    #[serde(rename = "loop", skip_serializing_if = "Option::is_none")]
    pub back_to: Option<Position>,
    /// Of a protocol: the trace as a message sequence chart; missing for a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chart: Option<ChartDocument>,
}

/// A state with the label of the step that led to it.
#[derive(Debug, Serialize)]
pub struct MomentDocument {
    /// The step that led here; `null` in the first state.
    pub label: Option<LabelDocument>,
    /// All variables with their values.
    pub state: Map<String, Json>,
    /// What changed since the state before, values as text.
    pub changes: Vec<ChangeDocument>,
    /// The position variables of the constraint that lie here.
    pub positions: Vec<String>,
    /// The expressions of `--show` with their values.
    pub shown: Map<String, Json>,
}

/// The label of a step.
#[derive(Debug, Serialize)]
pub struct LabelDocument {
    /// As text: `start(b=Eve)`.
    pub text: String,
    /// The action.
    pub action: String,
    /// The values of its parameters, by name.
    pub arguments: Map<String, Json>,
}

/// A place whose value changed.
#[derive(Debug, Serialize)]
pub struct ChangeDocument {
    /// The place: `phase[Alice]`.
    pub place: String,
    /// `replaced`; `gained` or `lost` for an element of a set.
    pub change: &'static str,
    /// The value before, or the element that is lost, as text.
    pub before: Option<String>,
    /// The value after, or the element that is gained, as text.
    pub after: Option<String>,
}

/// A finding about the input.
#[derive(Debug, Serialize)]
pub struct DiagnosticDocument {
    /// `error`, `warning` or `note`.
    pub severity: &'static str,
    /// One sentence.
    pub message: String,
    /// The place it is about.
    pub place: Option<PlaceDocument>,
    /// Causes without a place.
    pub notes: Vec<String>,
    /// Other places that explain it.
    pub related: Vec<RelatedDocument>,
    /// What to do about it.
    pub help: Option<String>,
}

/// A place in a source.
#[derive(Debug, Serialize)]
pub struct PlaceDocument {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

/// Another place that explains a finding.
#[derive(Debug, Serialize)]
pub struct RelatedDocument {
    /// The place.
    pub place: PlaceDocument,
    /// What to say there.
    pub message: String,
}

/// A document as text with a line end.
pub fn to_json<T: Serialize>(document: &T) -> String {
    // Maps have string keys and floats are finite, so that writing to memory cannot fail.
    let mut text = serde_json::to_string_pretty(document).unwrap_or_default();
    text.push('\n');
    printable(&text).into_owned()
}

/// The same of a document that may be long, as long as the budget lasts.
///
/// # Errors
/// If the budget ends, which short texts do not notice.
pub fn to_json_within<T: Serialize>(document: &T, budget: &Budget) -> Limited<String> {
    let mut out = Within { bytes: Vec::new(), budget, looked_at: 0, ended: None };
    let written = serde_json::to_writer_pretty(&mut out, document);
    if let Some(why) = out.ended.filter(|_| written.is_err()) {
        return Err(why);
    }
    out.bytes.push(b'\n');
    let text = String::from_utf8_lossy(&out.bytes);
    Ok(printable(&text).into_owned())
}

/// A text that grows no longer than the budget lasts.
struct Within<'a> {
    bytes: Vec<u8>,
    budget: &'a Budget,
    /// How long it was when the budget was looked at.
    looked_at: usize,
    ended: Option<Exhausted>,
}

impl Write for Within<'_> {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        /// Bytes between two looks at the budget.
        const PATIENCE: usize = 1 << 17;
        let length = self.bytes.len();
        if length - self.looked_at >= PATIENCE {
            self.looked_at = length;
            let grows = length + PATIENCE > self.bytes.capacity();
            let too_large = || self.budget.exhausted_by(length as u64).filter(|_| grows);
            let stage = Stage { done: length as u64, of: None, what: "bytes written" };
            self.ended = self.budget.at(stage).or_else(too_large);
        }
        if self.ended.is_some() {
            return Err(io::ErrorKind::Other.into());
        }
        self.bytes.extend_from_slice(piece);
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl TraceDocument {
    /// A trace with names of position variables and where they lie.
    pub fn new(model: &Model, trace: &Trace, positions: &[(String, Position)], view: &View) -> Self {
        let states = trace.positions().map(|at| moment(model, trace, at, positions, view)).collect();
        let chart = view.chart(model, trace).map(ChartDocument::from);
        Self { steps: trace.len(), states, back_to: None, chart }
    }

    /// An infinite trace with names of position variables and where they lie.
    pub(crate) fn lasso(model: &Model, lasso: &Lasso, positions: &[(String, Position)], view: &View) -> Self {
        Self { back_to: Some(lasso.start), ..Self::new(model, &lasso.trace, positions, view) }
    }
}

fn moment(
    model: &Model,
    trace: &Trace,
    at: Position,
    positions: &[(String, Position)],
    view: &View,
) -> MomentDocument {
    let here = trace.moment(at);
    let shown = view.shown.iter().map(|observable| {
        let value = eval_state(model, &observable.expr, here);
        (observable.text.clone(), value_json(&model.types, &value))
    });
    MomentDocument {
        label: here.label.as_ref().map(|label| label_document(model, label)),
        state: visible_state(model, trace, at, view)
            .map(|(name, value)| (name.to_owned(), value_json(&model.types, value)))
            .collect(),
        changes: visible_changes(model, trace, at, view).into_iter().map(ChangeDocument::from).collect(),
        positions: positions.iter().filter(|(_, p)| *p == at).map(|(name, _)| name.clone()).collect(),
        shown: shown.collect(),
    }
}

fn label_document(model: &Model, label: &Label) -> LabelDocument {
    let action = &model.actions[label.action];
    let arguments = action.params.iter().zip(&label.args);
    LabelDocument {
        text: model.show_label(label),
        action: action.name.clone(),
        arguments: arguments.map(|(p, v)| (p.name.clone(), value_json(&model.types, v))).collect(),
    }
}

impl From<Difference> for ChangeDocument {
    fn from(difference: Difference) -> Self {
        let Difference { place, before, after, change } = difference;
        let (change, before, after) = match change {
            Change::Replaced => ("replaced", Some(before), Some(after)),
            Change::Gained => ("gained", None, Some(after)),
            Change::Lost => ("lost", Some(before), None),
        };
        Self { place, change, before, after }
    }
}

/// A finding with its places resolved.
pub fn diagnostic_document(diagnostic: &Diagnostic, sources: &SourceMap) -> DiagnosticDocument {
    let place = |span| {
        let (line, column) = sources.line_column(span);
        PlaceDocument { file: sources.name(span.source).to_owned(), line, column }
    };
    DiagnosticDocument {
        severity: match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        },
        message: diagnostic.message.clone(),
        place: diagnostic.span.map(place),
        notes: diagnostic.notes.clone(),
        related: diagnostic
            .related
            .iter()
            .map(|l| RelatedDocument { place: place(l.span), message: l.message.clone() })
            .collect(),
        help: diagnostic.help.clone(),
    }
}

/// The constants of a model with their values for this run.
pub fn constants(model: &Model) -> Map<String, Json> {
    model.constants.iter().map(|c| (c.name.clone(), value_json(&model.types, &c.value))).collect()
}

/// Seconds to three digits: what lies below is noise.
pub fn seconds(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// The version of this program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
