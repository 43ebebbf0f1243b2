//! What HTML pages are made of.

use super::chart_svg::chart_svg;
use super::sequence::sequence_svg;
use super::trace_text::state_lines;
use super::{Marks, Paint, View};
use crate::diagnostics::{Diagnostic, printable};
use crate::model::Model;
use crate::trace::Trace;
use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = include_str!("html.css");

/// A self-contained page. It loads nothing, and all text in it is escaped by the template library; control characters
/// are shown as numbers.
pub fn page(title: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body { (body) }
        }
    };
    printable(&page.into_string()).into_owned()
}

/// Lines with line breaks between them.
pub fn lines<'t>(lines: impl Iterator<Item = &'t str>) -> Markup {
    html! {
        @for (index, line) in lines.enumerate() {
            @if index > 0 { br; }
            (line)
        }
    }
}

/// A finding about the input in one line.
pub fn warning_text(model: &Model, warning: &Diagnostic) -> String {
    let place = warning.span.map(|span| format!(" ({})", model.sources.place(span)));
    let help = warning.help.as_ref().map(|help| format!(" – {help}"));
    format!("{}{}{}", warning.message, place.unwrap_or_default(), help.unwrap_or_default())
}

/// The text with a capital letter at its beginning.
pub fn capitalised(text: &str) -> String {
    let (first, rest) = text.split_at(text.chars().next().map_or(0, char::len_utf8));
    format!("{}{rest}", first.to_uppercase())
}

/// The sequence diagrams of a trace and the table of its steps.
pub fn trace_figure((model, view): (&Model, &View), trace: &Trace, marks: &Marks<'_>) -> Markup {
    let drawings = model.diagrams.iter().filter_map(|diagram| sequence_svg(model, diagram, trace, marks));
    let chart = view.chart(model, trace);
    html! {
        @for svg in drawings { figure { (PreEscaped(svg)) } }
        @if let Some(chart) = chart {
            figure { (PreEscaped(chart_svg(&chart, marks))) }
            details {
                summary { "The states of the model" }
                (trace_table((model, view), trace, marks))
            }
        } @else {
            (trace_table((model, view), trace, marks))
        }
    }
}

fn trace_table((model, view): (&Model, &View), trace: &Trace, marks: &Marks<'_>) -> Markup {
    html! {
        table.trace { @for at in 0..trace.moments.len() { (step_row((model, view), trace, at, marks)) } }
    }
}

fn step_row((model, view): (&Model, &View), trace: &Trace, at: usize, marks: &Marks<'_>) -> Markup {
    let names: Vec<&str> = marks.positions.iter().filter(|(_, p)| *p == at).map(|(n, _)| *n).collect();
    let label = trace.moments[at].label.as_ref();
    let label = label.map_or("first state".to_owned(), |label| model.show_label(label));
    let plain = View { paint: Paint::default(), ..view.clone() };
    let state = state_lines(model, trace, at, &plain);
    let violation = marks.violation(at);
    html! {
        tr.violation[violation.is_some()] {
            td.mark { (names.join(", ")) }
            td.step { (at) }
            td {
                b { (label) }
                @if let Some(text) = &violation { " " strong { "← " (text) } }
                br;
                (lines(state.iter().map(String::as_str)))
            }
        }
    }
}
