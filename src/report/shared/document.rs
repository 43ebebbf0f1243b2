//! Parts of JSON documents: traces, values, findings.

use crate::shared::evaluate::{visible_changes, visible_state};
use crate::shared::request::DisplayOptions;
use import::protocol::{Chart, ChartEvent, ChartRun, Happening, SentPart};
use kit::budget::{Budget, Exhausted, Limited, Stage};
use kit::diagnostics::{Diagnostic, Severity, SourceMap, printable};
use lang::model::eval::eval_state;
use lang::model::value::Label;
use lang::model::{Model, Position};
use lang::trace::{Lasso, Trace, value_json};
use serde::Serialize;
use serde_json::{Map, Value as Json};
use std::io;
use std::io::Write;
use verify::document::{
    ChartedBinding, ChartedEvent, ChartedRun, EventWord, SeverityWord, StoredChange, StoredChart,
    StoredFinding, StoredLabel, StoredMoment, StoredPlace, StoredRelated, StoredSource, StoredTrace,
};
use verify::{set_names, sha256, source_files};

/// A document as text with a line end.
pub fn to_json<T: Serialize>(document: &T) -> String {
    // Maps have string keys and floats are finite, so that writing to memory cannot fail.
    let mut text = serde_json::to_string_pretty(document).unwrap_or_default();
    text.push('\n');
    printable(&text).into_owned()
}

/// A document that may be long as JSON; nothing if the budget ends first.
///
/// # Errors
/// If the budget ends, which short texts do not notice.
pub fn to_json_within<T: Serialize>(document: &T, budget: &Budget) -> Limited<String> {
    let mut out = BudgetedText { bytes: Vec::new(), budget, looked_at: 0, ended: None };
    let written = serde_json::to_writer_pretty(&mut out, document);
    if let Some(why) = out.ended.filter(|_| written.is_err()) {
        return Err(why);
    }
    out.bytes.push(b'\n');
    let text = String::from_utf8_lossy(&out.bytes);
    Ok(printable(&text).into_owned())
}

/// A text that grows no longer than the budget lasts.
struct BudgetedText<'a> {
    bytes: Vec<u8>,
    budget: &'a Budget,
    /// How long it was when the budget was looked at.
    looked_at: usize,
    ended: Option<Exhausted>,
}

impl Write for BudgetedText<'_> {
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

/// The document of a trace with names of position variables and where they lie.
pub fn trace_document(
    model: &Model,
    trace: &Trace,
    positions: &[(String, Position)],
    display: &DisplayOptions,
) -> StoredTrace {
    let states = trace.positions().map(|at| moment(model, trace, at, positions, display)).collect();
    let chart = display.chart(model, trace).map(chart_document);
    StoredTrace { steps: trace.len(), states, back_to: None, chart }
}

pub(crate) fn infinite_trace_document(
    model: &Model,
    lasso: &Lasso,
    positions: &[(String, Position)],
    display: &DisplayOptions,
) -> StoredTrace {
    StoredTrace {
        back_to: Some(lasso.start.index()),
        ..trace_document(model, &lasso.trace, positions, display)
    }
}

fn moment(
    model: &Model,
    trace: &Trace,
    at: Position,
    positions: &[(String, Position)],
    display: &DisplayOptions,
) -> StoredMoment {
    let here = trace.moment(at);
    let shown = display.shown.iter().map(|observable| {
        let value = eval_state(model, &observable.expr, here);
        (observable.text.clone(), value_json(&model.types, &value))
    });
    StoredMoment {
        label: here.label.as_ref().map(|label| label_document(model, label)),
        state: visible_state(model, trace, at, display)
            .map(|(name, value)| (name.to_owned(), value_json(&model.types, value)))
            .collect(),
        changes: visible_changes(model, trace, at, display).into_iter().map(StoredChange::from).collect(),
        positions: positions.iter().filter(|(_, p)| *p == at).map(|(name, _)| name.clone()).collect(),
        shown: shown.collect(),
    }
}

fn label_document(model: &Model, label: &Label) -> StoredLabel {
    let action = &model.actions[label.action];
    let arguments = action.params.iter().zip(&label.args);
    StoredLabel {
        text: model.show_label(label),
        action: action.name.clone(),
        arguments: arguments.map(|(p, v)| (p.name.clone(), value_json(&model.types, v))).collect(),
    }
}

/// A finding with its places resolved.
pub fn diagnostic_document(diagnostic: &Diagnostic, sources: &SourceMap) -> StoredFinding {
    let place = |span| {
        let (line, column) = sources.line_column(span);
        StoredPlace { file: sources.name(span.source).to_owned(), line, column }
    };
    StoredFinding {
        severity: match diagnostic.severity {
            Severity::Error => SeverityWord::Error,
            Severity::Warning => SeverityWord::Warning,
            Severity::Note => SeverityWord::Note,
        },
        message: diagnostic.message.clone(),
        place: diagnostic.span.map(place),
        notes: diagnostic.notes.clone(),
        related: diagnostic
            .related
            .iter()
            .map(|l| StoredRelated { place: place(l.span), message: l.message.clone() })
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

/// The document of a chart.
pub fn chart_document(chart: Chart) -> StoredChart {
    let Chart { runs, events } = chart;
    let events = events.into_iter().map(|event| event_document(&runs, event)).collect();
    StoredChart { runs: runs.into_iter().map(run_document).collect(), events }
}

fn run_document(run: ChartRun) -> ChartedRun {
    let ChartRun { name, role, agent, partners } = run;
    ChartedRun { run: name, role, agent, partners: partners.into_iter().collect() }
}

fn binding_document(binding: SentPart) -> ChartedBinding {
    let SentPart { part, event, keys } = binding;
    ChartedBinding { part, event, opened_with: keys }
}

fn event_document(runs: &[ChartRun], event: ChartEvent) -> ChartedEvent {
    let mut document = ChartedEvent {
        step: event.at.index(),
        event: EventWord::Lost,
        run: None,
        label: None,
        content: None,
        unchanged: None,
        bindings: Vec::new(),
        claims: Vec::new(),
    };
    let name = |run: usize| Some(runs[run].name.clone());
    match event.what {
        Happening::Sent { run, label, content } => {
            document.event = EventWord::Sent;
            (document.run, document.label, document.content) = (name(run), Some(label), Some(content));
        }
        Happening::Received { run, label, content, unchanged, bindings } => {
            document.event = EventWord::Received;
            (document.run, document.label, document.content) = (name(run), Some(label), Some(content));
            document.unchanged = Some(unchanged);
            document.bindings = bindings.into_iter().map(binding_document).collect();
        }
        Happening::Claimed { run, labels } => {
            document.event = EventWord::Claimed;
            (document.run, document.claims) = (name(run), labels);
        }
        Happening::Lost(what) => document.content = Some(what),
    }
    document
}

/// The document.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ErrorDocument {
    /// `cladist/error-1`.
    pub schema: &'static str,
    /// The first error in one line.
    pub error: String,
    /// All findings.
    #[cfg_attr(feature = "schemas", schemars(length(min = 1)))]
    pub diagnostics: Vec<StoredFinding>,
    /// Version of this program.
    pub version: &'static str,
}

/// The document for findings of which at least one is an error.
pub fn error_document(diagnostics: &[Diagnostic], sources: &SourceMap) -> ErrorDocument {
    let first = diagnostics.iter().find(|d| d.is_error()).or(diagnostics.first());
    ErrorDocument {
        schema: "cladist/error-1",
        error: first.map_or_else(|| "the input cannot be used".to_owned(), |d| d.message.clone()),
        diagnostics: diagnostics.iter().map(|d| diagnostic_document(d, sources)).collect(),
        version: VERSION,
    }
}

/// The model and what it imports.
pub fn source_documents(sources: &SourceMap) -> Vec<StoredSource> {
    source_files(sources)
        .map(|(file, text)| StoredSource { file: file.to_owned(), sha256: sha256(text.as_bytes()) })
        .collect()
}

/// The values that constants were given on the command line, as text.
pub fn set_texts(sources: &SourceMap) -> Map<String, Json> {
    set_names(sources).map(|(name, text)| (name.to_owned(), Json::from(text))).collect()
}
