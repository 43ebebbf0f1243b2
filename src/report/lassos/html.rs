//! A classification of infinite traces as one self-contained HTML page.

use super::super::Marks;
use super::super::marks::loop_marks;
use super::super::page::{capitalised, footer, lines, page, warning_text};
use super::super::stepper::{Figure, trace_figure};
use super::LassoRequest;
use super::text::statistics;
use super::words::{constraint_words, fairness_words, lasso_labels, lasso_words, lengths_words, sentence};
use crate::classify::lassos::{LassoClass, LassoClassification, LassoVerdict};
use crate::trace::Lasso;
use maud::{Markup, html};

/// The page.
pub fn lasso_page(request: &LassoRequest<'_>, result: &LassoClassification) -> String {
    let title = format!("{}: {}", request.model.name, request.property.name);
    let tone = match result.verdict {
        LassoVerdict::Holds => "good",
        LassoVerdict::Undecided(_) => "doubtful",
        _ => "bad",
    };
    let statistics = statistics(result);
    let body = html! {
        header {
            h1 { (title) }
            p class={ "verdict " (tone) } { (sentence(request, result)) }
        }
        @if !result.classes.is_empty() { (contents(request, result)) }
        (run_facts(request, result))
        @for (index, class) in result.classes.iter().enumerate() {
            (class_section(request, result, class, index + 1))
        }
        @if let Some(lasso) = &result.unclassified {
            h2 { "A counterexample that is in no class yet" }
            (figure(request, "unclassified", lasso, &[]))
        }
        @if let LassoVerdict::TooWeak(weak) = &result.verdict {
            h2 { "These two infinite traces share every fact of the vocabulary" }
            h3 { "The violation" }
            (figure(request, "violation", &weak.violating, &[]))
            h3 { "The accepted trace" }
            (figure(request, "accepted", &weak.accepting, &[]))
        }
        h2 { "How it was found" }
        p { (lines(statistics.lines())) }
        p { "Command line:" }
        pre { (request.rerun) }
        (footer())
    };
    page(&title, &body)
}

/// What was asked, and of which model.
fn run_facts(request: &LassoRequest<'_>, result: &LassoClassification) -> Markup {
    let (model, property) = (request.model, request.property);
    html! {
        dl {
            dt { "Model" } dd { (model.name) " (" (request.file) ")" }
            dt { "Property" } dd { (property.name) }
            @if let Some(doc) = &property.doc { dt {} dd { (doc) } }
            dt { "Vocabulary" } dd { (request.vocabulary.name) }
            dt { "Fairness" } dd { (capitalised(&fairness_words(request))) }
            @if let Some(lengths) = lengths_words(result) { dt { "Lengths" } dd { (capitalised(&lengths)) } }
            @for constant in &model.constants {
                dt { "Constant" }
                dd { (constant.name) " = " (model.types.show_value(&constant.value)) }
            }
            @for warning in request.warnings { dt { "Warning" } dd { (warning_text(model, warning)) } }
        }
    }
}

/// The table of the classes, each with a link to its section.
fn contents(request: &LassoRequest<'_>, result: &LassoClassification) -> Markup {
    html! {
        div.wide tabindex="0" role="group" aria-label="Classes" { table.classes {
            tr { th.number scope="col" { "Class" } th.number scope="col" { "Steps" } th scope="col" { "Constraint" } }
            @for (index, class) in result.classes.iter().enumerate() {
                tr {
                    td.number { (index + 1) }
                    td.number { (class.representative.len()) }
                    td {
                        a href={ "#class-" (index + 1) } { (class.constraint.show(request.model, &result.atoms)) }
                    }
                }
            }
        } }
    }
}

fn class_section(
    request: &LassoRequest<'_>,
    result: &LassoClassification,
    class: &LassoClass,
    number: usize,
) -> Markup {
    let (model, atoms) = (request.model, &result.atoms);
    let places = class.constraint.places(model, atoms, &class.representative);
    let id = format!("class-{number}");
    let canonical = class.canonical.as_ref().filter(|lasso| **lasso != class.representative);
    html! {
        section id=(id) {
            h2 { "Class " (number) }
            p.formula { (class.constraint.show(model, atoms)) }
            ul { @for words in constraint_words(model, atoms, &class.constraint) { li { (words) } } }
            h3 { "A shortest counterexample of this class (" (lasso_words(&class.representative)) ")" }
            (figure(request, &id, &class.representative, &places))
            @if !class.needed.is_empty() {
                details {
                    summary { "Why every part is needed" }
                    p { "These infinite traces satisfy the property, and what remains without one part." }
                    table {
                        @for (weaker, lasso) in class.constraint.weaker().iter().zip(&class.needed) {
                            tr {
                                td.formula { (weaker.show(model, atoms)) }
                                td { (lasso_labels(model, lasso)) }
                            }
                        }
                    }
                }
            }
            @if let Some(lasso) = canonical {
                p { "A shortest counterexample of this class alone: " (lasso_labels(model, lasso)) }
            }
        }
    }
}

/// An infinite trace, with the positions of a constraint, and where its loop begins and ends.
fn figure(request: &LassoRequest<'_>, id: &str, lasso: &Lasso, places: &[(String, usize)]) -> Markup {
    let positions = places.iter().map(|(name, at)| (name.as_str(), *at)).collect();
    let marks = Marks { positions, violations: loop_marks(lasso) };
    let figure = Figure { id, trace: &lasso.trace, marks, loop_start: Some(lasso.start) };
    trace_figure((request.model, &request.view), &figure)
}
