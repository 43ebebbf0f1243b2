//! `lts counterexample`: `docs/schema/lts-counterexample-1.json`.

use super::documents::{tag_word, verdict};
use super::property_text::{PropertyDocument, PropertyText};
use super::system::{AnalysedDocument, System};
use super::words::{Action, actions, count, step};
use crate::shared::document::{VERSION, diagnostic_document};
use crate::writing::paint::Paint;
use explicit::lts::safety::{Keep, Tag};
use explicit::lts::strategy::{Counterexample, NoCounterexample, Strategy};
use explicit::lts::{LabelId, Lts, StateId};
use kit::diagnostics::{Diagnostic, SourceMap, escaped};
use serde::Serialize;
use std::fmt::Write;
use verify::document::StoredFinding;

/// The remark on a counterexample that is perhaps not optimal.
pub(super) const CUT_SHORT: &str = "  the search was stopped early: there may be a better one\n";

/// What is analysed.
#[derive(Debug, Clone, Copy)]
pub enum Asked<'a> {
    /// A safety property.
    Property(PropertyText<'a>),
    /// Actions that every run should contain in this order.
    Actions(&'a [String]),
}

impl Asked<'_> {
    /// The first line of the text.
    pub(super) fn text(self) -> String {
        match self {
            Asked::Property(property) => property.headline(),
            Asked::Actions(actions) => format!("every run contains {}", escaped(&actions.join(", later "))),
        }
    }
}

/// What came out.
pub enum Outcome {
    /// The property holds.
    Holds,
    /// The property is violated, but no counterexample contains the pattern.
    NotThrough,
    /// The property is violated, but no counterexample has what the strategy requires.
    Nothing(NoCounterexample),
    /// A counterexample.
    Found(Counterexample),
}

/// The result to report.
pub struct CounterexampleRequest<'a> {
    /// The system.
    pub system: System<'a>,
    /// What should hold.
    pub asked: Asked<'a>,
    /// The strategy that was given.
    pub strategy: Strategy,
    /// The pattern that it should have.
    pub through: Option<&'a str>,
    /// What an abstraction keeps.
    pub keep: Keep,
    /// What came out.
    pub outcome: &'a Outcome,
    /// Warnings about the property.
    pub warnings: &'a [Diagnostic],
    /// The sources that the warnings refer to.
    pub sources: &'a SourceMap,
}

/// The JSON document.
#[derive(Debug, Serialize)]
pub struct CounterexampleDocument<'a> {
    schema: &'static str,
    version: &'static str,
    verdict: &'static str,
    holds: bool,
    file: &'a str,
    #[serde(flatten)]
    property: PropertyDocument<'a>,
    actions: Option<&'a [String]>,
    strategy: &'static str,
    seed: Option<u64>,
    through: Option<&'a str>,
    lts: AnalysedDocument,
    counterexample: Option<RunDocument>,
    reason: Option<String>,
    warnings: Vec<StoredFinding>,
}

/// A counterexample in a document.
#[derive(Debug, Serialize)]
pub(super) struct RunDocument {
    length: usize,
    shape: &'static str,
    actions: Vec<String>,
    kept: Vec<usize>,
    loop_start: Option<usize>,
    states: Vec<StateId>,
    tags: Vec<&'static str>,
    right: Vec<Vec<String>>,
    faulty: usize,
    neighbourhoods: usize,
    probability: f64,
    certain: bool,
}

impl RunDocument {
    /// A counterexample; with `path`, it stops at a neighbourhood.
    pub(super) fn new(run: &Counterexample, lts: &Lts, path: bool) -> Self {
        let labels = lts.labels();
        let names = |numbers: &[LabelId]| numbers.iter().map(|&n| labels.text(n).into_owned()).collect();
        Self {
            length: actions(lts, run.labels.len()),
            shape: shape(run, path),
            actions: names(&run.labels),
            kept: run.kept.clone(),
            loop_start: run.loop_from,
            states: run.states.clone(),
            tags: run.tags.iter().map(|&tag| tag_word(tag)).collect(),
            right: run.right.iter().map(|right| names(right)).collect(),
            faulty: run.faulty,
            neighbourhoods: run.neighbourhoods,
            probability: run.probability,
            certain: run.certain,
        }
    }
}

fn shape(run: &Counterexample, path: bool) -> &'static str {
    match run.loop_from {
        Some(_) => "lasso",
        None if path => "path",
        None => "finite",
    }
}

/// The name of a strategy on the command line.
pub(super) fn name(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Readable => "readable",
        Strategy::Random { .. } => "random",
        Strategy::Shortest => "shortest",
        Strategy::Longest => "longest",
        Strategy::FaultyFirst => "faulty-first",
        Strategy::FewestFaulty => "fewest-faulty",
        Strategy::MostFaulty => "most-faulty",
        Strategy::ShortestFewestFaulty => "shortest-fewest-faulty",
        Strategy::MostProbable => "most-probable",
        Strategy::LeastProbable => "least-probable",
        Strategy::ClosestFaulty => "closest-faulty",
        Strategy::ClosestFewestFaulty => "closest-fewest-faulty",
        Strategy::Neighbourhood => "neighbourhood",
    }
}

fn reason(outcome: &Outcome, through: Option<&str>) -> Option<String> {
    match outcome {
        Outcome::Holds | Outcome::Found(_) => None,
        Outcome::NotThrough => {
            Some(format!("no counterexample goes through {}", through.unwrap_or("the actions")))
        }
        Outcome::Nothing(NoCounterexample::NoFaultyState) => Some(
            "no counterexample contains a faulty state: no choice before the violation decides anything"
                .to_owned(),
        ),
        Outcome::Nothing(NoCounterexample::NoNeighbourhood) => {
            Some("no counterexample contains a neighbourhood".to_owned())
        }
    }
}

/// The document for a counterexample.
pub fn counterexample_document<'a>(request: &CounterexampleRequest<'a>) -> CounterexampleDocument<'a> {
    let holds = matches!(request.outcome, Outcome::Holds);
    let path = request.strategy == Strategy::Neighbourhood;
    CounterexampleDocument {
        schema: "cladist/lts-counterexample-1",
        version: VERSION,
        verdict: verdict(holds),
        holds,
        file: request.system.file,
        property: match request.asked {
            Asked::Property(property) => property.document(),
            Asked::Actions(_) => PropertyDocument::none(),
        },
        actions: match request.asked {
            Asked::Property(_) => None,
            Asked::Actions(actions) => Some(actions),
        },
        strategy: name(request.strategy),
        seed: match request.strategy {
            Strategy::Random { seed } => Some(seed),
            _ => None,
        },
        through: request.through,
        lts: request.system.document(),
        counterexample: match request.outcome {
            Outcome::Found(run) => Some(RunDocument::new(run, request.system.lts, path)),
            _ => None,
        },
        reason: reason(request.outcome, request.through),
        warnings: request.warnings.iter().map(|w| diagnostic_document(w, request.sources)).collect(),
    }
}

/// The counterexample that the strategy chose, as text.
pub fn counterexample_text(request: &CounterexampleRequest<'_>, paint: Paint) -> String {
    let holds = matches!(request.outcome, Outcome::Holds);
    let verdict = if holds { paint.good("holds") } else { paint.bad("violated") };
    let mut out = format!("{verdict}: {}\n", request.asked.text());
    out.push_str(&request.system.lines());
    if let Asked::Property(property) = request.asked {
        out.push_str(&property.lines());
    }
    if holds {
        return out;
    }
    let _ = writeln!(out, "  {:<15} {}", "strategy", name(request.strategy));
    if let Some(through) = request.through {
        let _ = writeln!(out, "  {:<15} {}", "through", through);
    }
    match (request.outcome, reason(request.outcome, request.through)) {
        (Outcome::Found(run), _) => {
            let path = request.strategy == Strategy::Neighbourhood;
            let mut line = |name: &str, text: String| _ = writeln!(out, "  {name:<15} {text}");
            match run.states.last().filter(|_| path) {
                Some(state) => line("neighbourhood", format!("at state {state}")),
                None => {
                    line("faulty states", run.faulty.to_string());
                    line("neighbourhoods", run.neighbourhoods.to_string());
                }
            }
            line("probability", probability(run));
            if !run.certain {
                out.push_str(CUT_SHORT);
            }
            out.push('\n');
            let kind = match request.strategy {
                Strategy::Neighbourhood => "the shortest path to a neighbourhood",
                Strategy::Readable | Strategy::Shortest => "a shortest counterexample",
                _ => "a counterexample",
            };
            run_text(run, kind, path, request.keep, request.system.lts, paint, &mut out);
        }
        (_, Some(reason)) => {
            let _ = writeln!(out, "\n{reason}");
        }
        (_, None) => {}
    }
    out
}

fn probability(run: &Counterexample) -> String {
    let what = match run.loop_from {
        None => "begins like this",
        Some(_) => "enters the cycle like this (not that it stays there)",
    };
    let probability = percent(run.probability);
    format!("{probability} that a run {what}, if all transitions of a state are equally probable")
}

/// `12.5 %`; `3.2e-9` for small probabilities; a bound for those that a float cannot represent.
fn percent(probability: f64) -> String {
    if probability >= 0.0005 {
        format!("{:.1} %", 100.0 * probability)
    } else if probability > 0.0 {
        format!("{probability:.1e}")
    } else {
        "less than 1e-300".to_owned()
    }
}

/// The actions; next to the wrong ones, the right ones.
pub(super) fn run_text(
    run: &Counterexample,
    kind: &str,
    path: bool,
    keep: Keep,
    lts: &Lts,
    paint: Paint,
    out: &mut String,
) {
    if run.labels.is_empty() {
        let why = if path { "the initial state has one" } else { "it is the initial state alone" };
        let _ = writeln!(out, "{kind} has no actions: {why}");
        return;
    }
    let (what, met) = match keep {
        Keep::Neighbourhoods => ("neighbourhood", run.neighbourhoods),
        Keep::FaultyStates => ("faulty state", run.faulty),
    };
    let ending = match (run.loop_from, path) {
        (Some(start), _) => format!(", and stays in the cycle from action {}", actions(lts, start + 1)),
        (None, true) => String::new(),
        (None, false) => ", and ends".to_owned(),
    };
    let marked = match run.kept.len() {
        0 => format!("; it contains no {what}"),
        // The state at the end is not counted.
        kept => format!("; * marks the {kept} around {}", count(met.max(1), what)),
    };
    let length = actions(lts, run.labels.len());
    let _ = writeln!(out, "{kind} has {}{ending}{marked}", count(length, "action"));
    for (at, &label) in run.labels.iter().enumerate() {
        if run.loop_from == Some(at) {
            out.push_str("        forever:\n");
        }
        let right: &[LabelId] = if run.tags[at] == Tag::Correct { &[] } else { &run.right[at] };
        let action = Action { at, label, kept: run.kept.contains(&at) };
        out.push_str(&step(lts, &action, right.iter().copied(), paint));
    }
}
