//! A classification as one self-contained HTML page.

mod class;

use crate::classes::baseline::comparison_section;
use crate::classes::beyond::{lasting_text, lengths_text, obstacle_text};
use crate::classes::causes::{Branch, cause_tree};
use crate::classes::class_table::class_table;
use crate::classes::classify_text::{left_over, more_words, statistics_text};
use crate::classes::cover_page::{CoverWords, cover_parts};
use crate::classes::necessary::necessary_lists;
use crate::classes::numbers::{Table, method_text, tables};
use crate::classes::overlap::overlaps;
use crate::classes::vocabulary::chosen_text;
use crate::classes::weakness::advice;
use crate::shared::request::ClassifyRequest;
use crate::shared::verdict::verdict_sentence;
use crate::shared::verdict::{classify_verdict, earliest, extent, steps};
use crate::traces::align::align_matched;
use crate::traces::pair::{Compared, Side, pair_table};
use crate::traces::stepper::{Figure, trace_figure};
use crate::traces::trace_text::labels_line;
use crate::writing::marks::Marks;
use crate::writing::page::{capitalised, footer, lines, page, prose, warning_text};
use class::class_section;
use classify::{Classification, Constraint, Cover, TooWeak, Verdict, position_names};
use lang::model::Position;
use lang::trace::Trace;
use maud::{Markup, html};
use verify::ClassifyVerdict;

/// The page.
pub fn html_page(request: &ClassifyRequest<'_>, result: &Classification) -> String {
    page(&page_title(request), &body(request, result))
}

fn page_title(request: &ClassifyRequest<'_>) -> String {
    format!("{}: {}", request.asked.model.name, request.asked.property.name)
}

fn body(request: &ClassifyRequest<'_>, result: &Classification) -> Markup {
    let tone = match classify_verdict(result) {
        ClassifyVerdict::Holds | ClassifyVerdict::HoldsUnbounded => "good",
        ClassifyVerdict::Undecided => "doubtful",
        _ => "bad",
    };
    let statistics = statistics_text(result, request.asked.view.wording);
    html! {
        header {
            h1 { (page_title(request)) }
            p class={ "verdict " (tone) } { (prose(&verdict_sentence(result, &request.asked.vocabulary.name, &request.asked.view))) }
        }
        @if !result.classes.is_empty() { (contents(request, result)) }
        (run_facts(request, result))
        @if let Some(comparison) = request.baseline { (comparison_section(result.has_all(), comparison)) }
        @for (index, class) in result.classes.iter().enumerate() {
            (class_section(request, result, class, index + 1))
        }
        @if let Some(trace) = &result.unclassified {
            h2 { "A " (request.asked.view.wording.trace()) " that is in no class yet (" (steps(trace.len())) ")" }
            (unnamed_figure(request, "unclassified", trace))
        }
        @if let Some(cover) = &result.cover { (cover_section(request, result, cover)) }
        @if let Verdict::TooWeak(weak) = &result.verdict { (too_weak_section(request, weak)) }
        (causes_section(request, result))
        @for list in necessary_lists(request, result) {
            h2 { (capitalised(&list.title)) }
            ul { @for line in &list.lines { li.formula { (line) } } }
        }
        (overlap_section(request, result))
        (counts_section(result))
        h2 { "How it was found" }
        p { (lines(statistics.lines())) }
        p { "Command line:" }
        pre { (request.asked.rerun) }
        (footer())
    }
}

/// What was asked, and of which model.
fn run_facts(request: &ClassifyRequest<'_>, result: &Classification) -> Markup {
    let (model, property) = (request.asked.model, request.asked.property);
    html! {
        dl {
            dt { "Model" } dd { (model.name) " (" (request.asked.file) ")" }
            dt { "Property" }
            dd { (property.name) ": " (model.sources.snippet(request.invariant.span)) }
            @if let Some(doc) = &property.doc { dt {} dd { (doc) } }
            @match request.asked.chosen {
                None => { dt { "Vocabulary" } dd { (request.asked.vocabulary.name) } }
                Some(chosen) => {
                    dt { "Vocabulary" } dd { code { (chosen.declaration) } }
                    dt { "Chosen" } dd { (chosen_text(chosen, result)) }
                }
            }
            @if let Some(context) = result.cover.as_ref().and_then(|cover| cover.context.as_ref()) {
                dt { "Within" } dd { (context.show(model, &result.atoms)) }
            }
            @if let Some(lengths) = lengths_text(result) { dt { "Lengths" } dd { (lengths) } }
            @if let Some(lasting) = lasting_text(result) { dt { "Beyond" } dd { (capitalised(&lasting)) } }
            @for constant in &model.constants {
                dt { "Constant" }
                dd { (constant.name) " = " (model.types.show_value(&constant.value)) }
            }
            @for warning in request.asked.warnings { dt { "Warning" } dd { (prose(&warning_text(model, warning))) } }
        }
    }
}

/// The table of the classes, each with a link to its section.
fn contents(request: &ClassifyRequest<'_>, result: &Classification) -> Markup {
    let table = class_table(request, result);
    html! {
        div.wide tabindex="0" role="group" aria-label="Classes" { table.classes {
            tr {
                @for head in &table.number_heads { th.number scope="col" { (capitalised(head)) } }
                th scope="col" { "Constraint" }
                @if table.has_remarks() { th scope="col" { "Remarks" } }
            }
            @for (index, line) in table.lines.iter().enumerate() {
                tr {
                    @for number in &line.numbers { td.number { (number) } }
                    td { a href={ "#class-" (index + 1) } { (line.constraint) } }
                    @if table.has_remarks() { td { (line.remark.as_str()) } }
                }
            }
        } }
    }
}

/// The matrix of the classes that overlap, if there are any.
fn overlap_section(request: &ClassifyRequest<'_>, result: &Classification) -> Markup {
    let link = |class: usize| html! { a href={ "#class-" (class + 1) } { "Class " (class + 1) } };
    html! {
        @if let Some(overlaps) = overlaps(request, result) {
            h2 { "Classes that overlap" }
            div.wide tabindex="0" role="group" aria-label="Classes that overlap" {
                table.matrix {
                    tr { td {} @for class in 0..overlaps.cells.len() { th scope="col" { (link(class)) } } }
                    @for (class, cells) in overlaps.cells.iter().enumerate() {
                        tr {
                            th scope="row" { (link(class)) }
                            @for (other, cell) in cells.iter().enumerate() {
                                td.own[class == other].shared[class != other && !cell.is_empty()] { (cell) }
                            }
                        }
                    }
                }
            }
            p { (overlaps.meaning) }
        }
    }
}

/// The tables of numbers of traces, if they were asked for.
fn counts_section(result: &Classification) -> Markup {
    html! {
        @match &result.counts {
            None => {}
            Some(Err(obstacle)) => {
                h2 { "Numbers of traces" }
                p { "Numbers of traces are not available: " (obstacle_text(obstacle)) "." }
            }
            Some(Ok(numbers)) => {
                h2 { "Numbers of traces" }
                @for table in tables(&numbers.counts, result.classes.len()) { (counts_table(&table)) }
                p { (capitalised(method_text(numbers))) ". Bars are on a logarithmic scale." }
            }
        }
    }
}

fn counts_table(table: &Table) -> Markup {
    html! {
        h3 { (capitalised(&table.title)) }
        div.wide tabindex="0" role="group" aria-label=(table.title) {
            table.numbers {
                tr { @for head in &table.head { th scope="col" { (head) } } }
                @for (row, sizes) in table.rows.iter().zip(&table.sizes) {
                    tr {
                        th scope="row" { (row[0]) }
                        @for (cell, size) in row[1..].iter().zip(sizes) {
                            td.bar style=[size.map(|size| format!("--size:{size}%"))] { (cell) }
                        }
                    }
                }
            }
        }
    }
}

/// Which classes of a cover occur together, and what is left over.
fn cover_section(request: &ClassifyRequest<'_>, result: &Classification, cover: &Cover) -> Markup {
    let wording = request.asked.view.wording;
    let words = CoverWords {
        shortest: "A shortest trace",
        more: more_words(result.is_unbounded().then(|| extent(result.lengths))),
        necessary: wording.choose("What every violating trace has", "What every trace that gets there has"),
        labels: &|trace: &Trace| (trace.len(), labels_line(request.asked.model, trace)),
        text: &|constraint: &Constraint| constraint.show(request.asked.model, &result.atoms),
    };
    html! {
        (cover_parts(result.classes.len(), cover, &words))
        @if let Some(trace) = &cover.remainder {
            h2 { "What is left over" }
            p {
                (capitalised(&earliest(result.lengths, left_over(cover), request.asked.view.wording)))
                " (" (steps(trace.len())) ")"
            }
            (unnamed_figure(request, "left-over", trace))
        }
    }
}

/// A trace without positions that have names.
fn unnamed_figure(request: &ClassifyRequest<'_>, id: &str, trace: &Trace) -> Markup {
    let marks = Marks::new(&[], &[], request.violation(trace));
    trace_figure((request.asked.model, &request.asked.view), &Figure { id, trace, marks, loop_start: None })
}

/// The tree of causes, if it was asked for.
fn causes_section(request: &ClassifyRequest<'_>, result: &Classification) -> Markup {
    let tree = cause_tree(request, result);
    html! {
        @if !tree.is_empty() {
            h2 { "How the violations of " (extent(result.lengths)) " came about" }
            (branch_list(&tree))
        }
    }
}

/// Branches with what is below them.
pub fn branch_list(branches: &[Branch]) -> Markup {
    html! {
        ul.causes {
            @for branch in branches {
                li {
                    span.formula { (branch.head) }
                    @for note in &branch.notes { br; (note) }
                    @if !branch.branches.is_empty() { (branch_list(&branch.branches)) }
                }
            }
        }
    }
}

/// The two traces of a vocabulary that is too weak, step beside step, then each by itself.
fn too_weak_section(request: &ClassifyRequest<'_>, weak: &TooWeak) -> Markup {
    let names = position_names(weak.constraint.positions);
    let all: Vec<Position> = weak.counterexample.positions().collect();
    let violation = request.violation(&weak.counterexample);
    let left = Side {
        head: "the violation",
        trace: &weak.counterexample,
        marks: Marks::new(&names, &all, violation),
    };
    let right = Side {
        head: "the accepted trace",
        trace: &weak.accepting,
        marks: Marks::new(&names, &weak.positions, None),
    };
    let rows = align_matched(&weak.positions, (all.len(), weak.accepting.moments.len()));
    let advice = advice(request.asked.model, weak, request.asked.repairs);
    let shown = (request.asked.model, &request.asked.view);
    let figure = |id, side: &Side<'_>| {
        trace_figure(shown, &Figure { id, trace: side.trace, marks: side.marks.clone(), loop_start: None })
    };
    html! {
        section {
            h2 { "These two traces share every fact of the vocabulary" }
            p { (lines(advice.iter().map(String::as_str))) }
            (pair_table(shown, [&left, &right], &rows, Compared::Everywhere))
            h3 { "The violation (" (steps(left.trace.len())) ")" }
            (figure("violation", &left))
            h3 { "The accepted trace (" (steps(right.trace.len())) ")" }
            (figure("accepted", &right))
        }
    }
}
