//! A trace on a page: its drawings, its steps with what they change, and the state beside them.
//!
//! All steps are there without a script. The script of the page shows the state after one of them, which it makes of the first
//! state and what each step sets.

use crate::shared::evaluate::visible_places;
use crate::shared::request::DisplayOptions;
use crate::traces::chart_svg::chart_svg;
use crate::traces::sequence::sequence_svg;
use crate::traces::trace_text::{label_text, state_lines};
use crate::writing::marks::Marks;
use crate::writing::paint::Paint;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use itertools::Itertools;
use lang::model::eval::eval_state;
use lang::model::{Model, Position};
use lang::trace::{Lasso, Trace, lasso_to_itf, sequence_diagram, to_itf};
use maud::{Markup, PreEscaped, html};
use serde_json::Value as Json;
use std::io::Write;

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

/// States in succession, each with the step that leads to it.
pub struct Walk {
    /// The drawings above them.
    pub drawings: Vec<String>,
    /// The places of states.
    pub places: Vec<String>,
    /// The states, an initial one first.
    pub stops: Vec<Stop>,
    /// Of an infinite walk: the index of the state to which the last one is equal.
    pub loop_start: Option<usize>,
    /// True if the drawings say it all, so that the states are folded.
    pub folded: bool,
    /// True if margins mark steps, and do not name positions.
    pub marked: bool,
}

/// A state of a walk.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    /// The label of the step that leads to it.
    pub label: String,
    /// Names of positions here, or a mark.
    pub margin: String,
    /// A text to be seen at once: `violates secrecy`.
    pub said: Option<String>,
    /// Changes by the step, or the whole state at the beginning.
    pub lines: Vec<String>,
    /// Sentences about the state, or about the step.
    pub remarks: Vec<String>,
    /// The values of the places.
    pub values: Vec<String>,
    /// The index of the state from which the step leads here, if it is not the one before.
    pub from: Option<usize>,
    /// Other steps that lead from here: their labels, and the indices of states.
    pub branches: Vec<(String, usize)>,
}

/// The drawings of a trace, its steps, and the state after one of them.
pub fn trace_figure((model, display): (&Model, &DisplayOptions), figure: &Figure<'_>) -> Markup {
    let Figure { trace, marks, .. } = figure;
    let drawn = model.diagrams.iter().filter_map(|diagram| sequence_svg(model, diagram, trace, marks));
    let drawings: Vec<String> =
        drawn.chain(display.chart(model, trace).map(|c| chart_svg(&c, marks))).collect();
    let plain = DisplayOptions { paint: Paint::default(), ..display.clone() };
    let stop = |at| Stop {
        label: label_text(model, trace, at),
        margin: marks.margin(at),
        said: marks.remark(at),
        lines: state_lines(model, trace, at, &plain),
        values: values(model, display, trace, at),
        ..Stop::default()
    };
    let walk = Walk {
        folded: display.charts.is_some() && !drawings.is_empty(),
        marked: false,
        drawings,
        places: names(model, display, trace),
        stops: trace.positions().map(stop).collect(),
        loop_start: figure.loop_start.map(Position::index),
    };
    walk.figure(figure.id, &copies(model, figure.id, trace, figure.loop_start))
}

impl Walk {
    /// The drawings, the steps, and the state after one of them, with copies for other tools below.
    pub fn figure(&self, id: &str, copies: &Markup) -> Markup {
        let moving = self.moving();
        let states = html! {
            div.beside {
                ol.steps { @for at in 0..self.stops.len() { (self.step(id, at, &moving)) } }
                (self.state_table(&moving))
            }
        };
        html! {
            div.trace data-id=(id) data-last=(self.last()) data-loop=[self.loop_start] {
                (self.controls())
                @for svg in &self.drawings {
                    div.drawing tabindex="0" role="group" aria-label="Drawing" { (PreEscaped(svg)) }
                }
                @if self.folded { details { summary { "The states of the model" } (states) } } @else { (states) }
                (copies)
            }
        }
    }

    fn last(&self) -> usize {
        self.stops.len().saturating_sub(1)
    }

    /// The buttons that move through the steps, together, and what step is shown.
    fn controls(&self) -> Markup {
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
                    @if self.stops.iter().any(|stop| !stop.margin.is_empty()) {
                        @if self.marked { (button("named", "Next marked step", "marked ▶")) }
                        @else { (button("named", "Next named position", "named ▶")) }
                    }
                }
                input type="range" min="0" max=(self.last()) value="0" aria-label="Step";
                output aria-live="polite" {}
            }
        }
    }

    fn step(&self, id: &str, at: usize, moving: &[usize]) -> Markup {
        let stop = &self.stops[at];
        let class = match self.loop_start {
            Some(start) => (at > start).then_some("looped"),
            None => stop.said.is_some().then_some("violation"),
        };
        let (address, set) = (|at: usize| format!("{id}/step-{at}"), self.set_by(moving, at));
        html! {
            li class=[class] id=(address(at)) data-step=(at) data-set=[(!set.is_empty()).then_some(set)] data-from=[stop.from] {
                a.number href={ "#" (address(at)) } { (at) }
                span { (stop.margin) }
                div {
                    b { (stop.label) }
                    @if let Some(from) = stop.from { " from " a href={ "#" (address(from)) } { (from) } }
                    @if let Some(text) = &stop.said { " " strong { "← " (text) } }
                    @if at == 0 && stop.lines.len() > 1 {
                        details.whole { summary { "the whole state" } (line_list(&stop.lines)) }
                    } @else { (line_list(&stop.lines)) }
                    @if !stop.remarks.is_empty() { ul.remarks { @for text in &stop.remarks { li { (text) } } } }
                    @for (label, to) in &stop.branches {
                        p.way { "also to " a href={ "#" (address(*to)) } { (to) } " by " b { (label) } }
                    }
                }
            }
        }
    }

    /// The indices of the places that have several values.
    fn moving(&self) -> Vec<usize> {
        let differs =
            |place: &usize| self.stops.iter().any(|stop| stop.values[*place] != self.stops[0].values[*place]);
        (0..self.places.len()).filter(differs).collect()
    }

    /// Differences from the state before: on each line a row of the table and its value.
    fn set_by(&self, moving: &[usize], at: usize) -> String {
        let Some(before) = at.checked_sub(1) else { return String::new() };
        let (now, before) = (&self.stops[at].values, &self.stops[before].values);
        let set = moving.iter().enumerate().filter(|(_, place)| now[**place] != before[**place]);
        set.map(|(row, place)| format!("{row} {}", now[*place])).join("\n")
    }

    /// The table that the script fills in; it begins with the initial state. What never changes is folded.
    fn state_table(&self, moving: &[usize]) -> Markup {
        let still: Vec<usize> = (0..self.places.len()).filter(|place| !moving.contains(place)).collect();
        let table = |places: &[usize]| {
            html! {
                table {
                    @for &place in places {
                        @let name = &self.places[place];
                        tr data-place=(name) { th scope="row" { (name) } td { (self.stops[0].values[place]) } }
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
}

fn line_list(lines: &[String]) -> Markup {
    html! { @if !lines.is_empty() { ul { @for line in lines { li { (line) } } } } }
}

/// The visible values of the state at a position, in the order of [`names`].
fn values(model: &Model, display: &DisplayOptions, trace: &Trace, at: Position) -> Vec<String> {
    let moment = trace.moment(at);
    let places = visible_places(model, &moment.state, display);
    let shown = display.shown.iter().map(|shown| eval_state(model, &shown.expr, moment));
    places.into_iter().map(|(_, value)| value).chain(shown).map(|v| model.types.show_value(&v)).collect()
}

/// The places of states, then what `--show` asks for.
fn names(model: &Model, display: &DisplayOptions, trace: &Trace) -> Vec<String> {
    let places = visible_places(model, &trace.moments[0].state, display).into_iter().map(|(place, _)| place);
    places.chain(display.shown.iter().map(|shown| shown.text.clone())).collect()
}

/// The buttons that copy and save the trace with this name. States repeat each other, so that their ITF is compressed. An infinite trace has a
/// position where its loop begins.
pub(crate) fn copies(model: &Model, id: &str, trace: &Trace, loop_start: Option<Position>) -> Markup {
    let itf = match loop_start {
        Some(start) => lasso_to_itf(model, &Lasso { trace: trace.clone(), start }),
        None => to_itf(model, trace),
    };
    let mermaid = model.diagrams.first().map(|diagram| sequence_diagram(model, diagram, trace));
    html! {
        div.copies hidden role="group" aria-label="The trace for other tools" data-itf=(packed(&itf)) data-mermaid=[&mermaid] {
            button type="button" data-copy="text" { "Copy text" }
            button type="button" data-copy="itf" { "Copy ITF" }
            button type="button" data-copy="itf" data-save={ (id) ".itf.json" } { "Save ITF" }
            @if mermaid.is_some() { button type="button" data-copy="mermaid" { "Copy Mermaid" } }
        }
    }
}

/// JSON without white space, compressed (RFC 1951) and written in base 64.
fn packed(json: &str) -> String {
    let short = serde_json::from_str(json).map(|value: Json| value.to_string());
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    // Writing to a vector cannot fail.
    let _ = encoder.write_all(short.as_deref().unwrap_or(json).as_bytes());
    data_encoding::BASE64.encode(&encoder.finish().unwrap_or_default())
}
