//! A classification of infinite traces as one self-contained HTML page.

use super::LassoRequest;
use super::causes::{cause_tree, tree_title};
use super::cover::{cover_section, remainder_words};
use super::facts::class_facts;
use super::necessary::necessary_lists;
use super::text::statistics;
use super::words::{
    advice, chosen_words, class_remark, decisive_words, lasso_words, lengths_words, placed, sentence,
};
use crate::classes::baseline::comparison_section;
use crate::classes::html::branch_list;
use crate::shared::images::{images_section, shown_images};
use crate::shared::verdict::fairness_words;
use crate::traces::stepper::{Figure, trace_figure};
use crate::traces::trace_text::lasso_labels;
use crate::writing::marks::Marks;
use crate::writing::marks::loop_marks;
use crate::writing::page::{capitalised, footer, lines, page, prose, warning_text};
use classify::lassos::{LassoClass, LassoClassification, LassoVerdict};
use lang::model::Position;
use lang::trace::Lasso;
use maud::{Markup, html};

/// The page.
pub fn lasso_page(request: &LassoRequest<'_>, result: &LassoClassification) -> String {
    let title = format!("{}: {}", request.asked.model.name, request.asked.property.name);
    let tone = match result.verdict {
        LassoVerdict::Holds => "good",
        LassoVerdict::Undecided(_) => "doubtful",
        _ => "bad",
    };
    let statistics = statistics(result);
    let body = html! {
        header {
            h1 { (title) }
            p class={ "verdict " (tone) } { (prose(&sentence(request, result))) }
        }
        @if !result.classes.is_empty() { (contents(request, result)) }
        (run_facts(request, result))
        @if let Some(comparison) = request.baseline { (comparison_section(result.has_all(), comparison)) }
        @for (index, class) in result.classes.iter().enumerate() {
            (class_section(request, result, class, index + 1))
        }
        @if let Some(lasso) = &result.unclassified {
            h2 { "A counterexample that is in no class yet (" (lasso_words(lasso)) ")" }
            (figure(request, "unclassified", lasso, &[]))
        }
        @if let Some(cover) = &result.cover {
            (cover_section(request, result, cover))
            @if let Some(lasso) = &cover.remainder {
                h2 { "What is left over" }
                p { (capitalised(&remainder_words(cover))) " (" (lasso_words(lasso)) ")" }
                (figure(request, "left-over", lasso, &[]))
            }
        }
        @if let LassoVerdict::TooWeak(weak) = &result.verdict {
            h2 { "The second of these infinite traces has every fact of the first" }
            p { (lines(advice(request).iter().map(String::as_str))) }
            h3 { "One violates the property (" (lasso_words(&weak.violating)) ")" }
            (figure(request, "violation", &weak.violating, &[]))
            h3 { "The other one satisfies it (" (lasso_words(&weak.accepting)) ")" }
            (figure(request, "accepted", &weak.accepting, &[]))
        }
        @let tree = cause_tree(request, result);
        @if !tree.is_empty() {
            h2 { (capitalised(&tree_title(request, result))) }
            (branch_list(&tree))
        }
        @for list in necessary_lists(request, result) {
            h2 { (capitalised(&list.title)) }
            ul { @for line in &list.lines { li.formula { (line) } } }
        }
        h2 { "How it was found" }
        p { (lines(statistics.lines())) }
        p { "Command line:" }
        pre { (request.asked.rerun) }
        (footer())
    };
    page(&title, &body)
}

/// What was asked, and of which model.
fn run_facts(request: &LassoRequest<'_>, result: &LassoClassification) -> Markup {
    let (model, property) = (request.asked.model, request.asked.property);
    html! {
        dl {
            dt { "Model" } dd { (model.name) " (" (request.asked.file) ")" }
            dt { "Property" } dd { (property.name) ": " (model.sources.snippet(property.formula)) }
            @if let Some(doc) = &property.doc { dt {} dd { (doc) } }
            dt { "Vocabulary" } dd { (request.asked.vocabulary.name) }
            @if let Some(chosen) = request.asked.chosen {
                dt { "Chosen" } dd { (capitalised(&chosen_words(chosen))) }
                dt { "Declaration" } dd { code { (chosen.declaration) } }
            }
            @if let Some(context) = result.cover.as_ref().and_then(|cover| cover.context.as_ref()) {
                dt { "Within" } dd { (context.show(model, &result.atoms)) }
            }
            dt { "Fairness" } dd { (capitalised(&fairness_words(request.asked.model, request.fairness, &request.given))) }
            @if let Some(lengths) = lengths_words(result) { dt { "Lengths" } dd { (capitalised(&lengths)) } }
            @for constant in &model.constants {
                dt { "Constant" }
                dd { (constant.name) " = " (model.types.show_value(&constant.value)) }
            }
            @for warning in request.asked.warnings { dt { "Warning" } dd { (prose(&warning_text(model, warning))) } }
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
                        a href={ "#class-" (index + 1) } { (class.constraint.show(request.asked.model, &result.atoms)) }
                        (class_remark(class))
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
    let (model, atoms) = (request.asked.model, &result.atoms);
    let placed = placed(model, atoms, class);
    let who = placed.words(model, class);
    let id = format!("class-{number}");
    let shown = figure_of(&id, &class.representative, &placed.positions);
    let images = shown_images(&class.images, |image| image.constraint.show(model, atoms));
    let canonical = class.canonical.as_ref().filter(|lasso| **lasso != class.representative);
    html! {
        section id=(id) {
            h2 { "Class " (number) (class_remark(class)) }
            (class_facts((model, atoms), class, &placed, &shown))
            (images_section(model, &images))
            h3 { "A shortest counterexample of this class (" (lasso_words(&class.representative)) (who) ")" }
            (trace_figure((model, &request.asked.view), &shown))
            @if let Some(decisive) = decisive_words(result, number - 1) { p { (capitalised(&decisive)) "." } }
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
            @if let Some(lasso) = &class.accepted {
                p {
                    "It does not suffice: this infinite trace satisfies the property (" (lasso_words(lasso)) "): "
                    (lasso_labels(model, lasso))
                }
            }
            @if let Some(lasso) = canonical {
                p { "A shortest counterexample of this class alone: " (lasso_labels(model, lasso)) }
            }
        }
    }
}

/// An infinite trace, with the positions of a constraint, and where its loop begins and ends.
fn figure(request: &LassoRequest<'_>, id: &str, lasso: &Lasso, places: &[(String, Position)]) -> Markup {
    trace_figure((request.asked.model, &request.asked.view), &figure_of(id, lasso, places))
}

/// The same before it is drawn.
fn figure_of<'a>(id: &'a str, lasso: &'a Lasso, places: &'a [(String, Position)]) -> Figure<'a> {
    let positions = places.iter().map(|(name, at)| (name.as_str(), *at)).collect();
    let marks = Marks { positions, violations: loop_marks(lasso) };
    Figure { id, trace: &lasso.trace, marks, loop_start: Some(lasso.start) }
}
