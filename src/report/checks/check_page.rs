//! A check as one self-contained page.

use crate::checks::check_json::claim_documents;
use crate::checks::check_text::{
    CLAIM_HEADS, claim_verdict, claim_words, counterexample, interleavings, kind, outcome,
};
use crate::classes::shown::ShownTrace;
use crate::shared::request::{CheckRequest, CheckedProperty, PropertyOutcome};
use crate::traces::stepper::trace_figure;
use crate::writing::page::{SideList, capitalised, heading, how_found, page, prose, question};
use crate::writing::paint::Tone;
use kit::number::counted;
use maud::{Markup, html};
use verify::document::CheckVerdict;

/// A counterexample in a section of its own.
struct Section<'a> {
    /// Its address within the page.
    id: String,
    property: &'a CheckedProperty<'a>,
    heading: String,
    shown: ShownTrace<'a>,
}

/// The page: a table of the properties, or of the claims of a protocol, and the counterexamples.
pub fn check_page(request: &CheckRequest<'_>) -> String {
    let found = request.properties.iter().filter_map(|p| Some((p, counterexample(request, p)?)));
    let sections = (1..).zip(found).map(|(number, (property, (heading, shown)))| Section {
        id: format!("counterexample-{number}"),
        property,
        heading,
        shown,
    });
    let sections: Vec<Section<'_>> = sections.collect();
    let title = &request.model.name;
    let (tone, verdict) = verdict(request);
    let body = html! {
        (heading(title, tone, &verdict))
        (table(request, &sections))
        (question(request.model, request.file, &html! {}, request.warnings))
        @for Section { id, property, heading, shown } in &sections {
            section id=(id) {
                h2 { (property.property.name) }
                @if let Some(doc) = &property.property.doc { p { (doc) } }
                h3 { (capitalised(heading)) " (" (shown.extent) ")" }
                (trace_figure((request.model, &request.display), &shown.figure(id)))
            }
        }
        (how_found(&format!("{}, {:.2} s", request.solver, request.seconds), request.rerun))
    };
    let titles = sections.iter().map(|section| (section.id.clone(), section.property.property.name.clone()));
    page(title, Some(&SideList { of: "counterexamples", sections: titles.collect() }), &body)
}

/// The verdict on all properties in a sentence: of a few violated ones the names, of many the number.
fn verdict(request: &CheckRequest<'_>) -> (Tone, String) {
    let noun = if request.claims.is_empty() { "property" } else { "claim" };
    let (number, extent) = (request.properties.len(), extent(request));
    let all = counted(number, noun);
    let violated = request.properties.iter().filter(|p| request.answer(p) == Some(false));
    let violated: Vec<&str> = violated.map(|checked| &*checked.property.name).collect();
    let names = match violated.len() {
        ..=3 => violated.join(", "),
        many => format!("{many} of {all}"),
    };
    match request.verdict() {
        CheckVerdict::Checked => (Tone::Good, format!("types checked: {all}")),
        CheckVerdict::Holds => (Tone::Good, format!("holds: {all}{extent}")),
        CheckVerdict::Undecided => (Tone::Doubtful, format!("undecided: {all}{extent}")),
        CheckVerdict::Violated => (Tone::Bad, format!("violated: {names}{extent}")),
        CheckVerdict::Partial => (Tone::Bad, format!("violated, and some undecided: {names}{extent}")),
    }
}

/// The traces that the verdict is about, in parentheses; nothing where each property was decided for traces of every length.
fn extent(request: &CheckRequest<'_>) -> String {
    let is_decided = |checked: &CheckedProperty<'_>| match checked.outcome {
        PropertyOutcome::Branching { .. } | PropertyOutcome::Proved(_) => true,
        _ => request.unbounded && checked.outcome.is_violated(),
    };
    match request.display.charts.is_none() && request.properties.iter().all(is_decided) {
        true => String::new(),
        false => interleavings(request),
    }
}

/// The name of a property, its cells, and its verdict.
type PropertyRow<'a> = (&'a str, Vec<String>, String);

/// The properties, or the claims, each with its verdict and a link to its counterexample.
fn table(request: &CheckRequest<'_>, sections: &[Section<'_>]) -> Markup {
    let claims = claim_documents(request);
    let (heads, rows): (&[&str], Vec<PropertyRow<'_>>) = if claims.is_empty() {
        let row =
            |checked: &'_ CheckedProperty<'_>| vec![checked.property.name.clone(), kind(checked).to_owned()];
        let rows = request.properties.iter().map(|p| (&*p.property.name, row(p), outcome(request, p)));
        (&["property", "kind"], rows.collect())
    } else {
        let row = |claim| (claim_words(claim).to_vec(), claim_verdict(request, claim));
        let rows = claims.iter().map(|claim| (&*claim.property, row(claim)));
        (&CLAIM_HEADS, rows.map(|(name, (cells, verdict))| (name, cells, verdict)).collect())
    };
    let section = |name: &str| sections.iter().find(|section| section.property.property.name == name);
    html! {
        div.wide tabindex="0" role="group" aria-label="Properties" { table.classes {
            tr {
                @for head in heads { th scope="col" { (capitalised(head)) } }
                th scope="col" { "Verdict" }
            }
            @for (name, cells, verdict) in &rows {
                tr {
                    @for cell in cells { td.name { (cell) } }
                    td {
                        @match section(name) {
                            Some(section) => { a href={ "#" (section.id) } { (verdict) } }
                            None => { (prose(verdict)) }
                        }
                    }
                }
            }
        } }
    }
}
