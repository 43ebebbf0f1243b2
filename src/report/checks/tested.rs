//! Examples that were tested, as text and JSON (`docs/schema/test-1.json`), and warnings about predicates that tell nothing.

use crate::shared::document::{VERSION, seconds, trace_document};
use crate::shared::request::DisplayOptions;
use crate::shared::verdict::{ended, steps};
use crate::traces::trace_text::labels_line;
use crate::writing::paint::Paint;
use classify::predicates::example::{ExampleFinding, Miss, Sighting};
use classify::predicates::readings::PartReading;
use classify::predicates::step::{FalsePart, NoStep, NoStepReason};
use classify::predicates::trivial::{Trivial, Triviality};
use itertools::Itertools;
use kit::diagnostics::{Diagnostic, SourceMap};
use lang::model::{ActionSteps, ExampleTraces, Model, Position, TraceExample};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use verify::document::{StoredFinding, StoredPlace, StoredTrace};

/// How a test of an example ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ExampleVerdict {
    /// It is as the example says.
    Passed,
    /// It is not.
    Failed,
    /// A limit was reached first.
    Undecided,
}

/// An example that was tested, for JSON.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ExampleDocument {
    /// `example` or `counterexample`.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["example", "counterexample"])))]
    pub kind: &'static str,
    /// The predicate with what is passed to it, as written.
    pub predicate: String,
    /// The doc comment, on one line.
    pub title: Option<String>,
    /// Its place.
    pub place: StoredPlace,
    /// The file of the model.
    pub model: String,
    /// Constants with the values that they have in it, as written.
    pub set: BTreeMap<String, String>,
    /// The steps that it names, as text; absent if it is about traces within a bound.
    pub steps: Option<Vec<String>>,
    /// The greatest number of steps of its traces; absent if it names steps.
    pub within: Option<usize>,
    /// The result.
    pub result: ExampleVerdict,
    /// The finding, as text that follows the predicate.
    pub reason: String,
    /// More about it, a sentence each.
    pub notes: Vec<String>,
    /// The positions at which the predicate holds, or nearly does, in the order of its parameters.
    pub positions: Vec<ParameterPosition>,
    /// The trace that shows it.
    pub trace: Option<StoredTrace>,
    /// The labels of that trace.
    #[serde(skip)]
    pub labels: Option<String>,
}

/// A position for a parameter of a predicate, for JSON.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ParameterPosition {
    /// The parameter, or the observable that is passed to the predicate.
    pub name: String,
    /// The position.
    pub position: usize,
}

/// The examples of a file, for JSON.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct TestedFileDocument {
    /// The file as the user wrote it.
    pub file: String,
    /// Its examples.
    pub examples: Vec<ExampleDocument>,
    /// Findings about the file.
    pub warnings: Vec<StoredFinding>,
}

/// The result of `cladist test`, for JSON.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct TestDocument {
    /// `cladist/test-1`.
    pub schema: &'static str,
    /// Version of the program.
    pub version: &'static str,
    /// `failed` if an example did, else `undecided` if one was not decided, else `passed`.
    pub verdict: ExampleVerdict,
    /// The files.
    pub files: Vec<TestedFileDocument>,
    /// Seconds from start to end.
    pub seconds: f64,
}

impl TestDocument {
    /// True if nothing is known of any example.
    pub fn is_empty(&self) -> bool {
        let mut all = self.files.iter().flat_map(|file| &file.examples);
        all.all(|example| example.result == ExampleVerdict::Undecided)
    }
}

/// An example with what was found about it. `sources` has the text that it is written in.
pub fn example_document(
    (model, file): (&Model, &str),
    (example, sources): (&TraceExample, &SourceMap),
    finding: &ExampleFinding,
) -> ExampleDocument {
    let (line, column) = sources.line_column(example.span);
    let place = StoredPlace { file: sources.name(example.span.source).to_owned(), line, column };
    let title = example.doc.as_ref().map(|doc| doc.split_whitespace().join(" "));
    let (steps, within) = match &example.traces {
        ExampleTraces::Within(bound) => (None, Some(*bound)),
        ExampleTraces::Steps(steps) => {
            (Some(steps.iter().map(|(steps, _)| steps_text(model, steps)).collect()), None)
        }
    };
    let result = match finding.agrees(example) {
        Some(true) => ExampleVerdict::Passed,
        Some(false) => ExampleVerdict::Failed,
        None => ExampleVerdict::Undecided,
    };
    let ExampleText { reason, notes, positions, trace } = ExampleText::of(model, finding);
    ExampleDocument {
        kind: if example.counter { "counterexample" } else { "example" },
        predicate: example.text.clone(),
        title,
        place,
        model: file.to_owned(),
        set: example.with.iter().cloned().collect(),
        steps,
        within,
        result,
        reason,
        notes,
        positions,
        labels: trace.map(|trace| labels_line(model, trace)).filter(|labels| !labels.is_empty()),
        trace: trace.map(|trace| trace_document(model, trace, &[], &DisplayOptions::plain(100))),
    }
}

/// A finding about an example, in words.
struct ExampleText<'a> {
    reason: String,
    notes: Vec<String>,
    positions: Vec<ParameterPosition>,
    trace: Option<&'a lang::trace::Trace>,
}

impl<'a> ExampleText<'a> {
    fn of(model: &Model, finding: &'a ExampleFinding) -> Self {
        match finding {
            ExampleFinding::Somewhere(Sighting { trace, positions, names, readings }) => Self {
                reason: format!("holds {}", places_words(names, positions)),
                notes: readings_words(model, readings).into_iter().collect(),
                positions: named(names, positions),
                trace: Some(trace),
            },
            ExampleFinding::NowhereWithin(bound) => Self::without_trace(match bound {
                0 => "holds in no initial state".to_owned(),
                bound => format!("holds in no trace of up to {}", steps(*bound)),
            }),
            ExampleFinding::Nowhere(Miss { trace, positions, names, missing }) => {
                let near = places_words(names, positions);
                let notes = missing.iter().enumerate().map(|(number, part)| {
                    let of = if number == 0 { format!("nearest {near}:") } else { "and".to_owned() };
                    format!("{of} {}", false_words(model, part))
                });
                Self {
                    reason: "holds in no trace of these steps".to_owned(),
                    notes: notes.collect(),
                    positions: named(names, positions),
                    trace: Some(trace),
                }
            }
            ExampleFinding::Impossible(no_step) => Self {
                trace: no_step.before.as_ref(),
                ..Self::without_trace(impossible_words(model, no_step))
            },
            ExampleFinding::Undecided(why) => Self::without_trace(format!("is undecided: {}", ended(*why))),
        }
    }

    fn without_trace(reason: String) -> Self {
        Self { reason, notes: Vec::new(), positions: Vec::new(), trace: None }
    }
}

fn named(names: &[String], positions: &[Position]) -> Vec<ParameterPosition> {
    let named = names.iter().zip(positions);
    named.map(|(name, at)| ParameterPosition { name: name.clone(), position: at.index() }).collect()
}

/// `at step 2`, `with t1 at the initial state and t2 at step 3`
fn places_words(names: &[String], positions: &[Position]) -> String {
    match (names, positions) {
        (_, [only]) => at(*only),
        _ => format!(
            "with {}",
            names.iter().zip(positions).map(|(name, p)| format!("{name} {}", at(*p))).join(", ")
        ),
    }
}

fn at(position: Position) -> String {
    match position {
        Position::FIRST => "in the initial state".to_owned(),
        position => format!("at step {position}"),
    }
}

/// `at step 2, bal = 3`; what is read in one state together.
fn readings_words(model: &Model, readings: &[PartReading]) -> Vec<String> {
    let chunks = readings.iter().sorted_by_key(|reading| reading.at).chunk_by(|reading| reading.at);
    let mut words = Vec::new();
    for (position, readings) in &chunks {
        let values =
            readings.map(|of| format!("{} = {}", of.text, model.types.show_value(&of.value))).join(", ");
        words.push(match position {
            Some(position) => format!("{}, {values}", at(position)),
            None => values,
        });
    }
    words
}

fn false_words(model: &Model, part: &FalsePart) -> String {
    let text = model.sources.snippet(part.span).split_whitespace().join(" ");
    let readings = readings_words(model, &part.readings).join("; ");
    let because = if readings.is_empty() { String::new() } else { format!(": {readings}") };
    format!("`{text}` does not hold{because}")
}

fn impossible_words(model: &Model, no_step: &NoStep) -> String {
    if no_step.before.is_none() {
        return "is about no trace: the model has no initial state".to_owned();
    }
    let label = no_step.label.as_ref().map(|label| format!(", {},", model.show_label(label)));
    let label = label.unwrap_or_default();
    let why = match &no_step.why {
        NoStepReason::Guards(parts) => parts.iter().map(|part| false_words(model, part)).join("; "),
        NoStepReason::Outside { variable, value, ty } => format!(
            "it would assign {} to `{variable}`, which is not in {}",
            model.types.show_value(value),
            model.types.show(ty)
        ),
        NoStepReason::Other => "the model has no such step there".to_owned(),
    };
    format!("is about no trace: step {}{label} is impossible: {why}", no_step.step)
}

/// `visit(u=Mallory)`
fn steps_text(model: &Model, steps: &ActionSteps) -> String {
    let action = &model.actions[steps.action];
    let with = steps.with.iter();
    let with = with
        .map(|a| format!("{}={}", action.params[a.param].name, model.types.show_value(&a.value)))
        .join(",");
    if with.is_empty() { action.name.clone() } else { format!("{}({with})", action.name) }
}

/// The document of a run.
pub fn test_document(files: Vec<TestedFileDocument>, taken: f64) -> TestDocument {
    let any = |result: ExampleVerdict| {
        files.iter().flat_map(|file| &file.examples).any(|example| example.result == result)
    };
    let verdict = match () {
        () if any(ExampleVerdict::Failed) => ExampleVerdict::Failed,
        () if any(ExampleVerdict::Undecided) => ExampleVerdict::Undecided,
        () => ExampleVerdict::Passed,
    };
    TestDocument { schema: "cladist/test-1", version: VERSION, verdict, files, seconds: seconds(taken) }
}

/// A run as text: a line for each example, what was found where it fails, and how many there are.
pub fn test_text(document: &TestDocument, paint: Paint) -> String {
    let mut text = String::new();
    for file in &document.files {
        if file.examples.is_empty() {
            let _ = writeln!(text, "{}: no examples", file.file);
        }
        for example in &file.examples {
            example_text(&mut text, example, paint);
        }
    }
    let count = |result: ExampleVerdict| {
        document.files.iter().flat_map(|file| &file.examples).filter(|one| one.result == result).count()
    };
    let words = [
        (ExampleVerdict::Passed, "passed"),
        (ExampleVerdict::Failed, "failed"),
        (ExampleVerdict::Undecided, "undecided"),
    ];
    let counts = words.iter().map(|(result, word)| (count(*result), word)).filter(|(count, _)| *count > 0);
    let counts = counts.map(|(count, word)| format!("{count} {word}")).join(", ");
    if !counts.is_empty() {
        let _ = writeln!(text, "{counts}");
    }
    text
}

fn example_text(text: &mut String, example: &ExampleDocument, paint: Paint) {
    let ExampleDocument { kind, predicate, place, reason, set, .. } = example;
    let result = match example.result {
        ExampleVerdict::Passed => paint.good("passed"),
        ExampleVerdict::Failed => paint.bad("failed"),
        ExampleVerdict::Undecided => paint.doubtful("undecided"),
    };
    let given = match set.is_empty() {
        true => String::new(),
        false => format!(" with {}", set.iter().map(|(name, value)| format!("{name} = {value}")).join(", ")),
    };
    let file = match example.model == place.file {
        true => String::new(),
        false => format!(" in {}", example.model),
    };
    let _ = writeln!(
        text,
        "{}:{}: {result}: {kind} of {predicate}{file}{given} {reason}",
        place.file, place.line
    );
    if example.result == ExampleVerdict::Passed {
        return;
    }
    if let Some(labels) = &example.labels {
        let _ = writeln!(text, "    {labels}");
    }
    for note in &example.notes {
        let _ = writeln!(text, "    {note}");
    }
}

/// Warnings about predicates of the vocabularies that tell no trace from another.
pub fn trivial_notices(model: &Model, trivial: &Trivial) -> Vec<Diagnostic> {
    let within = steps(trivial.bound);
    let warn = |(id, how): &(lang::model::PredicateId, Triviality)| {
        let predicate = &model.predicates[id.0 as usize];
        let name = &predicate.name;
        let (message, help) = match how {
            Triviality::Never => (
                format!("predicate `{name}` holds in no trace of up to {within}"),
                "try longer traces with -k; otherwise correct it, or leave it out",
            ),
            Triviality::Always => (
                format!("predicate `{name}` holds everywhere in every trace of up to {within}"),
                "it distinguishes no traces; correct it, or leave it out",
            ),
            Triviality::AtFirst => (
                format!("predicate `{name}` holds in every initial state"),
                "every trace satisfies it, so it explains nothing by itself; add a change: `t1 < t2 and …`",
            ),
        };
        Diagnostic::warning(predicate.span, message).with_help(help)
    };
    trivial.found.iter().map(warn).collect()
}
