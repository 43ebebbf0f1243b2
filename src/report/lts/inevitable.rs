//! `lts inevitable`: `docs/schema/lts-inevitable-1.json`.

use super::documents::{SystemDocument, tag_word, verdict};
use super::words::{count, size, step};
use crate::diagnostics::{Diagnostic, SourceMap};
use crate::lts::inevitable::{Counterexample, Inevitable, InevitableCounts, Shape};
use crate::lts::safety::Tag;
use crate::report::Paint;
use crate::report::document::{DiagnosticDocument, VERSION, diagnostic_document};
use serde::Serialize;
use std::fmt::Write;

/// What is reported.
pub struct InevitableRequest<'a> {
    /// The file of the system.
    pub file: &'a str,
    /// The actions as the user wrote them.
    pub actions: &'a [String],
    /// The analysis.
    pub inevitable: &'a Inevitable<'a>,
    /// Whether one neutral incoming transition is enough for a neighbourhood.
    pub some: bool,
    /// Its sizes.
    pub counts: InevitableCounts,
    /// A shortest run without the actions, if there is one.
    pub shortest: Option<&'a Counterexample>,
    /// What was found about the actions.
    pub warnings: &'a [Diagnostic],
    /// Whether every state and transition is listed.
    pub full: bool,
}

/// The document.
#[derive(Debug, Serialize)]
pub struct InevitableDocument<'a> {
    schema: &'static str,
    version: &'static str,
    verdict: &'static str,
    holds: bool,
    file: &'a str,
    actions: &'a [String],
    some: bool,
    lts: SystemDocument,
    counts: CountsDocument,
    shortest: Option<ShortestDocument<'a>>,
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
struct ShortestDocument<'a> {
    length: usize,
    shape: &'static str,
    loop_start: Option<usize>,
    actions: Vec<String>,
    kept: &'a [usize],
    states: &'a [u32],
}

#[derive(Debug, Serialize)]
struct StateDocument {
    state: u32,
    max_prefix: u32,
    common_prefix: u32,
    max_suffix: u32,
    common_suffix: u32,
    neighbourhood: bool,
}

#[derive(Debug, Serialize)]
struct TransitionDocument {
    from: u32,
    label: String,
    to: u32,
    tag: &'static str,
}

/// The document for an analysis.
pub fn inevitable_document<'a>(request: &InevitableRequest<'a>) -> InevitableDocument<'a> {
    let InevitableRequest { inevitable, counts, .. } = request;
    let name = |number: u32| inevitable.lts.labels().text(number).into_owned();
    let state = |state: u32| {
        let at = state as usize;
        StateDocument {
            state,
            max_prefix: inevitable.affixes.max_prefix[at],
            common_prefix: inevitable.affixes.common_prefix[at],
            max_suffix: inevitable.affixes.max_suffix[at],
            common_suffix: inevitable.affixes.common_suffix[at],
            neighbourhood: inevitable.neighbourhood(state).is_some(),
        }
    };
    let transitions = |from: u32| {
        inevitable.tagged(from).map(move |(label, to, tag)| TransitionDocument {
            from,
            label: name(label),
            to,
            tag: tag_word(tag),
        })
    };
    InevitableDocument {
        schema: "cladist/lts-inevitable-1",
        version: VERSION,
        verdict: verdict(inevitable.holds()),
        holds: inevitable.holds(),
        file: request.file,
        actions: request.actions,
        some: request.some,
        lts: inevitable.lts.into(),
        counts: CountsDocument {
            correct: counts.correct,
            incorrect: counts.incorrect,
            neutral: counts.neutral,
            neighbourhoods: counts.neighbourhoods,
            neighbourhood_kinds: counts.neighbourhood_kinds,
        },
        shortest: request.shortest.map(|found| ShortestDocument {
            length: found.labels.len(),
            shape: match found.shape {
                Shape::Finite => "finite",
                Shape::Lasso(_) => "lasso",
            },
            loop_start: match found.shape {
                Shape::Finite => None,
                Shape::Lasso(at) => Some(at),
            },
            actions: found.labels.iter().map(|&l| name(l)).collect(),
            kept: &found.kept,
            states: &found.states,
        }),
        warnings: request.warnings.iter().map(|w| diagnostic_document(w, &SourceMap::new())).collect(),
        states: request.full.then(|| inevitable.states().map(state).collect()),
        transitions: request.full.then(|| inevitable.states().flat_map(transitions).collect()),
    }
}

/// The same as text.
pub fn inevitable_text(request: &InevitableRequest<'_>, paint: Paint) -> String {
    let InevitableRequest { inevitable, counts, .. } = request;
    let wanted = format!("every run has {}", request.actions.join(", later "));
    let word = if inevitable.holds() { paint.good("holds") } else { paint.bad("violated") };
    let mut out = format!("{word}: {wanted}\n");
    let mut line = |name: &str, text: String| _ = writeln!(out, "  {name:<15} {text}");
    line("system", size(request.file, inevitable.lts));
    let Some(found) = request.shortest else { return out };
    line(
        "transitions",
        format!(
            "{} correct (every run after them has the actions), {} incorrect (none has), {} neutral",
            counts.correct, counts.incorrect, counts.neutral
        ),
    );
    let [correct, incorrect, both, all] = counts.neighbourhood_kinds;
    line(
        "neighbourhoods",
        format!(
            "{}: {correct} with a way to be right, {incorrect} with a way to be wrong, {both} with both and nothing else, {all} with all three",
            counts.neighbourhoods
        ),
    );
    out.push('\n');
    let length = count(found.labels.len(), "action");
    let _ = match found.shape {
        Shape::Finite => writeln!(out, "a shortest run without them has {length} and then ends"),
        Shape::Lasso(_) => writeln!(out, "a shortest run without them has {length}, the last ones for ever"),
    };
    let labels = inevitable.lts.labels();
    for (at, &number) in found.labels.iter().enumerate() {
        if found.shape == Shape::Lasso(at) {
            out.push_str("      for ever\n");
        }
        let state = found.states[at];
        let right = inevitable.tagged(state).filter(|(.., tag)| *tag == Tag::Correct).map(|(l, ..)| l);
        let kept = found.kept.contains(&at);
        out.push_str(&step(labels, (at, number, kept), right, paint));
    }
    if !found.kept.is_empty() {
        out.push_str("* before or after a neighbourhood\n");
    }
    out
}
