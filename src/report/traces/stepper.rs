//! A trace on a page: its drawings, its steps with what they change, and the state beside them.
//!
//! All steps are there without a script. The script of the page shows the state after one of them, which it makes of the first
//! state and what each step sets.

use crate::shared::places::visible_places;
use crate::shared::request::View;
use crate::traces::chart_svg::chart_svg;
use crate::traces::copies::copies;
use crate::traces::sequence::sequence_svg;
use crate::traces::trace_text::{label_text, state_lines};
use crate::writing::marks::Marks;
use crate::writing::paint::Paint;
use itertools::Itertools;
use lang::model::eval::eval_state;
use lang::model::{Model, Position};
use lang::trace::Trace;
use maud::{Markup, PreEscaped, html};

/// A trace that is shown.
#[derive(Debug, Clone)]
pub struct Figure<'a> {
    /// The prefix of links to it and to its steps: `class-1`, and `class-1/step-3`.
    pub id: &'a str,
    /// The trace.
    pub trace: &'a Trace,
    /// The marks in it.
    pub marks: Marks<'a>,
    /// Of an infinite trace: the position where its loop begins.
    pub loop_start: Option<Position>,
}

impl Figure<'_> {
    /// The address of a step within the page.
    pub fn step(&self, at: Position) -> String {
        format!("{}/step-{at}", self.id)
    }
}

/// The drawings of a trace, its steps, and the state after one of them.
pub fn trace_figure((model, view): (&Model, &View), figure: &Figure<'_>) -> Markup {
    let Figure { trace, marks, .. } = figure;
    let drawn = model.diagrams.iter().filter_map(|diagram| sequence_svg(model, diagram, trace, marks));
    let drawings: Vec<String> = drawn.chain(view.chart(model, trace).map(|c| chart_svg(&c, marks))).collect();
    let rows: Vec<Vec<String>> = trace.positions().map(|at| values(model, view, trace, at)).collect();
    let moving = moving(&rows);
    let states = html! {
        div.beside {
            (step_list((model, view), figure, &rows, &moving))
            (state_table(&names(model, view, trace), &rows, &moving))
        }
    };
    html! {
        div.trace data-id=(figure.id) data-last=(trace.len()) data-loop=[figure.loop_start] {
            (controls(figure))
            @for svg in &drawings { div.drawing tabindex="0" role="group" aria-label="Drawing" { (PreEscaped(svg)) } }
            @if view.charts.is_some() && !drawings.is_empty() {
                details { summary { "The states of the model" } (states) }
            } @else { (states) }
            (copies(model, figure.id, trace, figure.loop_start))
        }
    }
}

/// The buttons that move through the steps, together, and what step is shown.
fn controls(figure: &Figure<'_>) -> Markup {
    let button = |to: &str, name: &str, sign: &str| {
        html! { button type="button" data-move=(to) aria-label=(name) title=(name) { (sign) } }
    };
    html! {
        div.controls hidden {
            div.moves role="group" aria-label="Steps" {
                (button("first", "First step", "|◀"))
                (button("-1", "Step before", "◀"))
                (button("1", "Next step", "▶"))
                (button("last", "Last step", "▶|"))
                @if !figure.marks.positions.is_empty() { (button("named", "Next named position", "named ▶")) }
            }
            input type="range" min="0" max=(figure.trace.len()) value="0" aria-label="Step";
            output aria-live="polite" {}
        }
    }
}

fn step_list(
    (model, view): (&Model, &View),
    figure: &Figure<'_>,
    rows: &[Vec<String>],
    moving: &[usize],
) -> Markup {
    html! {
        ol.steps {
            @for at in figure.trace.positions() {
                (step((model, view), figure, at, &set_by(rows, moving, at)))
            }
        }
    }
}

fn step((model, view): (&Model, &View), figure: &Figure<'_>, at: Position, set: &str) -> Markup {
    let Figure { trace, marks, loop_start, .. } = figure;
    let label = label_text(model, trace, at);
    let plain = View { paint: Paint::default(), ..view.clone() };
    let lines = state_lines(model, trace, at, &plain);
    let said = marks.violation(at);
    let class = match loop_start {
        Some(start) => (at > *start).then_some("looped"),
        None => said.is_some().then_some("violation"),
    };
    html! {
        li class=[class] id=(figure.step(at)) data-step=(at) data-set=[(!set.is_empty()).then_some(set)] {
            a.number href={ "#" (figure.step(at)) } { (at) }
            span { (marks.margin(at)) }
            div {
                b { (label) }
                @if let Some(text) = &said { " " strong { "← " (text) } }
                @if at == Position::FIRST {
                    details.whole { summary { "the whole state" } (line_list(&lines)) }
                } @else { (line_list(&lines)) }
            }
        }
    }
}

fn line_list(lines: &[String]) -> Markup {
    html! { @if !lines.is_empty() { ul { @for line in lines { li { (line) } } } } }
}

/// The visible values of the state at a position, in the order of [`names`].
fn values(model: &Model, view: &View, trace: &Trace, at: Position) -> Vec<String> {
    let moment = trace.moment(at);
    let places = visible_places(model, &moment.state, view);
    let shown = view.shown.iter().map(|shown| eval_state(model, &shown.expr, moment));
    places.into_iter().map(|(_, value)| value).chain(shown).map(|v| model.types.show_value(&v)).collect()
}

/// The places of states, then what `--show` asks for.
fn names(model: &Model, view: &View, trace: &Trace) -> Vec<String> {
    let places = visible_places(model, &trace.moments[0].state, view).into_iter().map(|(place, _)| place);
    places.chain(view.shown.iter().map(|shown| shown.text.clone())).collect()
}

/// The indices of those that have several values.
fn moving(rows: &[Vec<String>]) -> Vec<usize> {
    let columns = 0..rows.first().map_or(0, Vec::len);
    columns.filter(|&column| rows.iter().any(|row| row[column] != rows[0][column])).collect()
}

/// The assignments of a step: on each line a row of the table and its value.
fn set_by(rows: &[Vec<String>], moving: &[usize], at: Position) -> String {
    let Some(before) = at.previous() else { return String::new() };
    let (now, before) = (&rows[at.index()], &rows[before.index()]);
    let set = moving.iter().enumerate().filter(|(_, column)| now[**column] != before[**column]);
    set.map(|(row, column)| format!("{row} {}", now[*column])).join("\n")
}

/// The table that the script fills in; it begins with the initial state. What never changes is folded.
fn state_table(names: &[String], rows: &[Vec<String>], moving: &[usize]) -> Markup {
    let still: Vec<usize> = (0..names.len()).filter(|row| !moving.contains(row)).collect();
    let table = |rows_shown: &[usize]| {
        html! {
            table {
                @for &row in rows_shown {
                    tr data-place=(names[row]) { th scope="row" { (names[row]) } td { (rows[0][row]) } }
                }
            }
        }
    };
    html! {
        div.state hidden tabindex="0" role="group" aria-label="State" {
            p.caption {}
            div.choice {
                input type="text" aria-label="Places: words that they contain, - hides, ^ pins" placeholder="places, -hidden, ^pinned";
                label { input type="checkbox"; " only changes" }
            }
            @if !moving.is_empty() { (table(moving)) }
            @if !still.is_empty() {
                details {
                    summary { (still.len()) @if still.len() == 1 { " place never changes" } @else { " places never change" } }
                    (table(&still))
                }
            }
        }
    }
}
