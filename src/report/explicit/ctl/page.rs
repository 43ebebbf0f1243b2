//! Results on a self-contained page.

use super::text::{basis_text, class_text, why_text};
use super::words::{PartTexts, evidence_word, headline, holding, why_no_path};
use super::{CtlReport, CtlShown};
use crate::explicit::walk::{EvidencePage, PageEvidence, walk};
use crate::traces::stepper::{Stop, Walk};
use crate::writing::page::capitalised;
use crate::writing::paint::Tone;
use engines::ctl::{CtlVerdict, WitnessShape};
use maud::html;

/// The page: the verdict, and the counterexample or witness with the values in its states.
pub fn ctl_page(request: &CtlReport<'_>, rerun: &str) -> String {
    let (tone, word) = match request.verdict {
        CtlVerdict::Holds => (Tone::Good, "holds"),
        CtlVerdict::Violated => (Tone::Bad, "violated"),
        CtlVerdict::Undecided(_) => (Tone::Doubtful, "undecided"),
    };
    let shown = request.shown.as_ref();
    let formula = |shown: &CtlShown| shown.goal.formula.text(shown.goal.formula.root);
    let some = |texts: &[String]| (!texts.is_empty()).then(|| texts.join("; "));
    let rows = [
        ("System", Some(request.file.to_owned())),
        ("Property", request.property.map(str::to_owned)),
        ("Formula", Some(capitalised(&class_text(request)))),
        ("Infinitely often", some(&request.fairness)),
        ("If possible infinitely often", some(&request.strong_fairness)),
        ("Shown", request.nothing_shown.clone().or_else(|| shown.map(formula))),
        ("No path", shown.and_then(why_no_path)),
    ];
    EvidencePage {
        title: request.property.unwrap_or(request.file),
        tone,
        verdict: format!("{word}: {}", request.formula),
        rows: rows.into_iter().filter_map(|(name, text)| Some((name, text?))).collect(),
        warnings: (request.warnings, request.sources),
        evidence: shown.map(|shown| PageEvidence {
            entry: evidence_word(request),
            heading: headline(request, shown),
            walk: walk_of(shown),
        }),
        more: html! {
            @if let Some(shown) = shown {
                details { summary { "Why, state by state" } pre { (why_text(shown)) } }
            }
        },
        found: (format!("Decided {}, {:.2} s", basis_text(request), request.seconds), rerun),
    }
    .html()
}

/// The states with what they show.
fn walk_of(shown: &CtlShown) -> Walk {
    let mut texts = PartTexts::new(&shown.goal.formula);
    let states = shown.states.iter().zip(holding(shown)).map(|(state, parts)| {
        let number = state.number.map(|number| number.to_string());
        let values = number.into_iter().chain(state.places.iter().map(|(_, value)| value.clone()));
        let shows = parts.into_iter().map(|part| format!("⊨ {}", texts.of(part)));
        Stop {
            values: values.collect(),
            lines: state.changes.clone(),
            remarks: shows.collect(),
            ..Stop::default()
        }
    });
    let states = states.collect();
    let first = shown.states.first();
    let number = first.and_then(|state| state.number).map(|_| "state".to_owned());
    let places = first.into_iter().flat_map(|state| &state.places).map(|(place, _)| place.clone());
    let label = |labels: &[String]| labels.first().map_or("a step", String::as_str).to_owned();
    let steps: Vec<_> = shown.steps.iter().map(|step| (step.from, step.to, label(&step.labels))).collect();
    let loop_start = match shown.shape {
        WitnessShape::Lasso(start) => Some(start),
        WitnessShape::Path | WitnessShape::Subgraph => None,
    };
    walk(number.into_iter().chain(places).collect(), states, &steps, loop_start)
}
