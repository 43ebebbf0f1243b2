//! `lts inevitable`: `docs/schema/lts-inevitable-1.json`.

use super::counterexample::{Asked, CUT_SHORT, RunDocument, run_text};
use super::documents::{tag_word, verdict};
use super::system::{AnalysedDocument, System};
use super::words::{Choice, choices, way, wrapped};
use crate::diagnostics::{Diagnostic, SourceMap};
use crate::lts::inevitable::{Analysis, Counts, Entered, Neighbourhood, Step};
use crate::lts::safety::{Keep, Tag};
use crate::lts::strategy::Counterexample;
use crate::lts::{LabelId, StateId};
use crate::report::Paint;
use crate::report::document::{DiagnosticDocument, VERSION, diagnostic_document};
use serde::Serialize;
use std::fmt::Write;

/// The result to report.
pub struct InevitableRequest<'a> {
    /// The system.
    pub system: System<'a>,
    /// The actions that every trace should contain.
    pub actions: &'a [String],
    /// The kind of entry that makes a state a neighbourhood.
    pub entered: Entered,
    /// The analysis.
    pub analysis: &'a Analysis<'a>,
    /// The sizes of the tagged system.
    pub counts: Counts,
    /// A shortest counterexample, if there is one.
    pub shortest: Option<Counterexample>,
    /// Warnings about the actions.
    pub warnings: &'a [Diagnostic],
    /// The sources that the warnings refer to.
    pub sources: &'a SourceMap,
    /// Whether every state and every transition is listed.
    pub full: bool,
    /// The neighbourhoods that are listed.
    pub neighbourhoods: &'a [Neighbourhood],
}

/// The JSON document.
#[derive(Debug, Serialize)]
pub struct InevitableDocument<'a> {
    schema: &'static str,
    version: &'static str,
    verdict: &'static str,
    holds: bool,
    file: &'a str,
    actions: &'a [String],
    some: bool,
    lts: AnalysedDocument,
    counts: CountsDocument,
    shortest: Option<RunDocument>,
    neighbourhoods: Vec<NeighbourhoodDocument>,
    warnings: Vec<DiagnosticDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<Vec<StateDocument>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transitions: Option<Vec<TransitionDocument>>,
}

#[derive(Debug, Serialize)]
struct CountsDocument {
    correct: usize,
    incorrect: usize,
    neutral: usize,
    neighbourhoods: usize,
    neighbourhood_kinds: [usize; 4],
}

#[derive(Debug, Serialize)]
struct NeighbourhoodDocument {
    state: StateId,
    kind: usize,
    path: Vec<String>,
    incoming: Vec<StepDocument>,
    outgoing: Vec<StepDocument>,
}

#[derive(Debug, Serialize)]
struct StepDocument {
    label: String,
    state: StateId,
    tag: &'static str,
}

#[derive(Debug, Serialize)]
struct StateDocument {
    state: StateId,
    max_prefix: u16,
    common_prefix: u16,
    max_suffix: u16,
    common_suffix: u16,
    neighbourhood: Option<usize>,
}

#[derive(Debug, Serialize)]
struct TransitionDocument {
    from: StateId,
    label: String,
    to: StateId,
    tag: &'static str,
}

/// The document for an analysis.
pub fn inevitable_document<'a>(request: &InevitableRequest<'a>) -> InevitableDocument<'a> {
    let InevitableRequest { analysis, counts, .. } = request;
    let labels = analysis.lts.labels();
    let affixes = &analysis.affixes;
    let states = request.full.then(|| {
        let states = analysis.reached().map(|state| {
            let at = state.index();
            StateDocument {
                state,
                max_prefix: affixes.max_prefix[at],
                common_prefix: affixes.common_prefix[at],
                max_suffix: affixes.max_suffix[at],
                common_suffix: affixes.common_suffix[at],
                neighbourhood: analysis.neighbourhood(state, request.entered),
            }
        });
        states.collect()
    });
    let transitions = request.full.then(|| {
        let all = analysis.reached().flat_map(|from| {
            analysis.tagged(from).map(move |Step { label, state: to, tag }| TransitionDocument {
                from,
                label: labels.text(label).into_owned(),
                to,
                tag: tag_word(tag),
            })
        });
        all.collect()
    });
    let name = |number: LabelId| labels.text(number).into_owned();
    let steps = |steps: &[Step]| {
        let document = |step: &Step| StepDocument {
            label: name(step.label),
            state: step.state,
            tag: tag_word(step.tag),
        };
        steps.iter().map(document).collect()
    };
    let neighbourhoods = request.neighbourhoods.iter().map(|neighbourhood| NeighbourhoodDocument {
        state: neighbourhood.state,
        kind: neighbourhood.kind,
        path: neighbourhood.path.iter().map(|&label| name(label)).collect(),
        incoming: steps(&neighbourhood.incoming),
        outgoing: steps(&neighbourhood.outgoing),
    });
    InevitableDocument {
        schema: "cladist/lts-inevitable-1",
        version: VERSION,
        verdict: verdict(analysis.holds()),
        holds: analysis.holds(),
        file: request.system.file,
        actions: request.actions,
        some: request.entered == Entered::ByNeutral,
        lts: request.system.document(),
        counts: CountsDocument {
            correct: counts.correct,
            incorrect: counts.incorrect,
            neutral: counts.neutral,
            neighbourhoods: counts.neighbourhoods,
            neighbourhood_kinds: counts.neighbourhood_kinds,
        },
        shortest: request.shortest.as_ref().map(|run| RunDocument::new(run, labels, false)),
        neighbourhoods: neighbourhoods.collect(),
        warnings: request.warnings.iter().map(|w| diagnostic_document(w, request.sources)).collect(),
        states,
        transitions,
    }
}

/// The analysis as text, in lines of this width.
pub fn inevitable_text(request: &InevitableRequest<'_>, paint: Paint, width: usize) -> String {
    let InevitableRequest { analysis, counts, .. } = request;
    let verdict = if analysis.holds() { paint.good("holds") } else { paint.bad("violated") };
    let mut out = format!("{verdict}: {}\n", Asked::Actions(request.actions).text());
    out.push_str(&request.system.lines());
    let Some(run) = &request.shortest else { return out };
    let mut line = |name: &str, text: String| _ = writeln!(out, "  {name:<15} {text}");
    line(
        "transitions",
        format!(
            "{} correct (all runs through them contain the actions), {} incorrect (none does), {} neutral",
            counts.correct, counts.incorrect, counts.neutral
        ),
    );
    let [correct, incorrect, both, all] = counts.neighbourhood_kinds;
    line(
        "neighbourhoods",
        format!(
            "{}: {correct} correct or neutral, {incorrect} incorrect or neutral, {both} correct or incorrect, {all} \
             all three",
            counts.neighbourhoods
        ),
    );
    if !run.certain {
        out.push_str(CUT_SHORT);
    }
    out.push('\n');
    run_text(
        run,
        "a shortest run without them",
        false,
        Keep::Neighbourhoods,
        analysis.lts.labels(),
        paint,
        &mut out,
    );
    neighbourhoods(request, paint, width, &mut out);
    out
}

fn neighbourhoods(request: &InevitableRequest<'_>, paint: Paint, width: usize, out: &mut String) {
    let labels = request.analysis.lts.labels();
    for (at, neighbourhood) in request.neighbourhoods.iter().enumerate() {
        let head = format!("neighbourhood {} of {}", at + 1, request.counts.neighbourhoods);
        let _ = writeln!(out, "\n{} at state {}", paint.bold(&head), neighbourhood.state);
        let steps: Vec<Choice> = neighbourhood
            .outgoing
            .iter()
            .map(|&Step { label, state, tag }| Choice { label, state, tag })
            .collect();
        let with = |tag: Tag| choices(labels, &steps, tag, 20);
        let lines = [
            ("reached", way(labels, &neighbourhood.path)),
            ("right", paint.good(&with(Tag::Correct))),
            ("wrong", paint.bad(&with(Tag::Incorrect))),
            ("undecided", with(Tag::Neutral)),
        ];
        for (name, text) in lines.iter().filter(|(_, text)| !text.is_empty()) {
            wrapped(out, name, text, width);
        }
    }
    if request.neighbourhoods.len() < request.counts.neighbourhoods {
        let left = request.counts.neighbourhoods - request.neighbourhoods.len();
        let _ = writeln!(out, "\n{left} more; raise --limit to list them");
    }
}
