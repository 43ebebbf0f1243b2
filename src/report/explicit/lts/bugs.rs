//! `lts bugs`: `docs/schema/lts-bugs-1.json`.

use super::counterexample::{RunDocument, name};
use super::documents::{SystemDocument, verdict};
use super::property_text::{PropertyDocument, PropertyText};
use crate::shared::document::{VERSION, diagnostic_document};
use explicit::lts::bugs::{Bugs, Occurrence, OriginalSize, Verdict};
use explicit::lts::strategy::{Counterexample, NoCounterexample, Strategy};
use kit::diagnostics::{Diagnostic, SourceMap, Span};
use serde::Serialize;
use verify::document::StoredFinding;

/// The result to report.
pub struct BugsRequest<'a> {
    /// The file of the text or model.
    pub file: &'a str,
    /// The property.
    pub property: PropertyText<'a>,
    /// What was analysed: `text` or `model`.
    pub of: &'static str,
    /// The result.
    pub bugs: &'a Bugs,
    /// The text and its modules.
    pub sources: &'a SourceMap,
    /// Whether to show the verdicts of the paper's algorithm, too.
    pub paper: bool,
    /// The counterexamples that were requested, with their strategies.
    pub counterexamples: &'a [(Strategy, Result<Counterexample, NoCounterexample>)],
    /// Warnings about the text.
    pub doubts: &'a [Diagnostic],
    /// Warnings about the property.
    pub warnings: &'a [Diagnostic],
    /// The sources that the warnings about the property refer to.
    pub warning_sources: &'a SourceMap,
    /// The running time in seconds.
    pub seconds: f64,
}

/// The JSON document.
#[derive(Debug, Serialize)]
pub struct BugsDocument<'a> {
    schema: &'static str,
    version: &'static str,
    verdict: &'static str,
    holds: bool,
    complete: bool,
    by_parts: bool,
    file: &'a str,
    #[serde(flatten)]
    property: PropertyDocument<'a>,
    inevitable: usize,
    avoidable: usize,
    undecided: usize,
    paper: CountDocument,
    occurrences: Vec<OccurrenceDocument>,
    lts: SystemDocument,
    #[serde(rename = "final")]
    final_lts: FinalDocument,
    counterexamples: Vec<ChosenDocument>,
    warnings: Vec<StoredFinding>,
    seconds: f64,
}

#[derive(Debug, Serialize)]
struct CountDocument {
    inevitable: usize,
    avoidable: usize,
}

#[derive(Debug, Serialize)]
struct OccurrenceDocument {
    file: String,
    line: usize,
    column: usize,
    action: String,
    labels: Vec<String>,
    verdict: &'static str,
    paper_verdict: &'static str,
    difference: Option<&'static str>,
    trace: Vec<String>,
    leaves_out: bool,
    avoided_by: Option<ChoiceDocument>,
    avoided_without: Option<Vec<PlaceDocument>>,
    traces: Option<String>,
    traces_up_to: Option<usize>,
    probability: Option<f64>,
}

#[derive(Debug, Serialize)]
struct ChoiceDocument {
    step: usize,
    labels: Vec<String>,
}

#[derive(Debug, Serialize)]
struct PlaceDocument {
    file: String,
    line: usize,
    column: usize,
}

#[derive(Debug, Serialize)]
struct FinalDocument {
    states: usize,
    transitions: usize,
    faulty: usize,
}

#[derive(Debug, Serialize)]
struct ChosenDocument {
    strategy: &'static str,
    counterexample: Option<RunDocument>,
}

pub(super) fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::None => "none",
        Verdict::Unknown => "unknown",
        Verdict::Undecided => "undecided",
        Verdict::Avoidable => "avoidable",
        Verdict::Inevitable => "inevitable",
    }
}

/// Why the paper's algorithm finds something else.
pub(super) fn difference(occurrence: &Occurrence) -> Option<&'static str> {
    match (occurrence.verdict, occurrence.paper) {
        (own, paper) if own == paper => None,
        (Verdict::Undecided | Verdict::Unknown, _) => None,
        (Verdict::None, _) => Some(
            "its dummy leaves a state that is faulty for another reason: the occurrence causes no first violation",
        ),
        (_, Verdict::None) => {
            Some("its dummy leaves no faulty state: leaving it out once does not exclude a later violation")
        }
        (Verdict::Avoidable, _) => {
            Some("some run stays in a loop forever without a violation, but never excludes one")
        }
        _ => Some("in the paper, dummies are visible to the property"),
    }
}

/// The document for the bugs of a text.
pub fn bugs_document<'a>(request: &BugsRequest<'a>) -> BugsDocument<'a> {
    let bugs = request.bugs;
    let by_paper = |verdict| bugs.occurrences.iter().filter(|o| o.paper == verdict).count();
    let OriginalSize { states, transitions, labels } = bugs.original;
    let size = bugs.final_lts.size;
    let counterexamples = request.counterexamples.iter().map(|(strategy, found)| {
        let path = *strategy == Strategy::Neighbourhood;
        let run = found.as_ref().ok().map(|run| RunDocument::new(run, &bugs.final_lts.lts, path));
        ChosenDocument { strategy: name(*strategy), counterexample: run }
    });
    let doubts = request.doubts.iter().map(|doubt| diagnostic_document(doubt, request.sources));
    let warnings = request.warnings.iter().map(|w| diagnostic_document(w, request.warning_sources));
    BugsDocument {
        schema: "cladist/lts-bugs-1",
        version: VERSION,
        verdict: if !bugs.holds && bugs.partial { "partial" } else { verdict(bugs.holds) },
        holds: bugs.holds,
        complete: !bugs.partial,
        by_parts: bugs.by_parts,
        file: request.file,
        property: request.property.document(),
        inevitable: bugs.number(Verdict::Inevitable),
        avoidable: bugs.number(Verdict::Avoidable),
        undecided: bugs.number(Verdict::Undecided),
        paper: CountDocument {
            inevitable: by_paper(Verdict::Inevitable),
            avoidable: by_paper(Verdict::Avoidable),
        },
        occurrences: bugs.occurrences.iter().map(|o| occurrence(o, request.sources)).collect(),
        lts: SystemDocument { states, transitions, labels },
        final_lts: FinalDocument { states: size.states, transitions: size.transitions, faulty: size.faulty },
        counterexamples: counterexamples.collect(),
        warnings: doubts.chain(warnings).collect(),
        seconds: request.seconds,
    }
}

fn place(span: Span, sources: &SourceMap) -> PlaceDocument {
    let (line, column) = sources.line_column(span);
    PlaceDocument { file: sources.name(span.source).to_owned(), line, column }
}

fn occurrence(occurrence: &Occurrence, sources: &SourceMap) -> OccurrenceDocument {
    let (line, column) = sources.line_column(occurrence.span);
    let way = occurrence.way.as_ref();
    let rank = occurrence.rank.as_ref();
    OccurrenceDocument {
        file: sources.name(occurrence.span.source).to_owned(),
        line,
        column,
        action: sources.snippet(occurrence.span).to_owned(),
        labels: occurrence.actions.clone(),
        verdict: word(occurrence.verdict),
        paper_verdict: word(occurrence.paper),
        difference: difference(occurrence).filter(|_| occurrence.paper != Verdict::Undecided),
        trace: way.map(|way| way.labels.clone()).unwrap_or_default(),
        leaves_out: way.is_some_and(|way| way.leaves_out),
        avoided_by: way.and_then(|way| {
            way.avoided_by
                .as_ref()
                .map(|(at, labels)| ChoiceDocument { step: at + 1, labels: labels.clone() })
        }),
        avoided_without: occurrence
            .avoided_without
            .as_ref()
            .map(|others| others.iter().map(|span| place(*span, sources)).collect()),
        traces: rank.map(|rank| rank.traces.to_string()),
        traces_up_to: rank.map(|rank| rank.up_to),
        probability: rank.map(|rank| rank.probability),
    }
}
