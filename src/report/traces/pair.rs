//! Two traces on a page, step beside step.

use crate::shared::evaluate::visible_state;
use crate::shared::request::DisplayOptions;
use crate::traces::align::Aligned;
use crate::traces::trace_text::label_text;
use crate::writing::marks::Marks;
use itertools::Itertools;
use lang::model::{Model, Position};
use lang::trace::{Trace, value_differences};
use maud::{Markup, html};

/// One of two traces.
#[derive(Debug, Clone)]
pub struct Side<'a> {
    /// Its heading.
    pub head: &'a str,
    /// The trace.
    pub trace: &'a Trace,
    /// The marks in it.
    pub marks: Marks<'a>,
}

/// Where the states of two traces are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComparedStates {
    /// At the first position only: what differs later follows from the steps.
    First,
    /// At every two positions that are beside each other.
    Everywhere,
}

/// So many equal steps in a row are shown as one row.
const MOST_EQUAL: usize = 4;

/// The two traces as a table. Steps that are the same in both are fainter, and many of them in a row are folded.
pub fn pair_table(
    (model, display): (&Model, &DisplayOptions),
    [left, right]: [&Side<'_>; 2],
    rows: &[Aligned],
    compared: ComparedStates,
) -> Markup {
    let is_same = |row: &Aligned| match (row.left, row.right) {
        (Some(l), Some(r)) => {
            left.trace.moment(l) == right.trace.moment(r)
                && left.marks.remark(l).is_none()
                && left.marks.margin(l) == right.marks.margin(r)
        }
        _ => false,
    };
    let chunks = rows.iter().chunk_by(|row| is_same(row));
    let chunks: Vec<(bool, Vec<&Aligned>)> =
        chunks.into_iter().map(|(same, chunk)| (same, chunk.collect())).collect();
    html! {
        table.aligned {
            thead { tr { th scope="col" { (left.head) } th scope="col" { (right.head) } } }
            @for (same, chunk) in &chunks {
                @if *same && chunk.len() >= MOST_EQUAL {
                    tr.same { td colspan="2" { (chunk.len()) " equal steps" } }
                } @else {
                    @for row in chunk {
                        tr class=[same.then_some("same")] { (cell(model, left, row.left)) (cell(model, right, row.right)) }
                        @let lines = differences((model, display), [left, right], row);
                        @if !lines.is_empty() && (compared == ComparedStates::Everywhere || row.left == Some(Position::FIRST)) {
                            tr.differs { td colspan="2" { ul { @for line in &lines { li { (line) } } } } }
                        }
                    }
                }
            }
        }
    }
}

fn cell(model: &Model, side: &Side<'_>, at: Option<Position>) -> Markup {
    let Some(at) = at else { return html! { td.nothing { "–" } } };
    let label = label_text(model, side.trace, at);
    html! {
        td {
            i { (at) } " "
            @let names = side.marks.margin(at);
            @if !names.is_empty() { em { (names) } " " }
            (label)
            @if let Some(text) = side.marks.remark(at) { " " strong { "← " (text) } }
        }
    }
}

/// The differences between the states of a row: `phase[Alice]: Idle | Waiting`.
fn differences(
    (model, display): (&Model, &DisplayOptions),
    [left, right]: [&Side<'_>; 2],
    row: &Aligned,
) -> Vec<String> {
    let (Some(l), Some(r)) = (row.left, row.right) else { return Vec::new() };
    let both =
        visible_state(model, left.trace, l, display).zip(visible_state(model, right.trace, r, display));
    let all =
        both.flat_map(|((name, ours), (_, theirs))| value_differences(&model.types, name, ours, theirs));
    let line = |found: lang::trace::Difference| {
        let side = |text: String| if text.is_empty() { "–".to_owned() } else { text };
        format!("{}: {} | {}", found.place, side(found.before), side(found.after))
    };
    all.map(line).collect()
}
