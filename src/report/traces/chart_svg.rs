//! Message sequence charts of protocols as SVG: a lifeline for each run, the attacker between them, and dashed lines from what
//! she hears to what she makes of it.

use crate::traces::chart_text::{ATTACKER, ChartLanes, beside, numbers};
use crate::traces::sequence::{CHARACTER, arrow, margin, position, svg_tag};
use crate::writing::columns::wrapped;
use crate::writing::marks::Marks;
use crate::writing::markup::escape;
use import::protocol::{Chart, ChartEvent, Happening};
use itertools::Itertools;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// The least distance of lifelines.
const LEAST: usize = 100;
const HEAD: usize = 56;
const LINE: usize = 18;
/// The most columns of what is said beside the lifelines.
const MOST_SAID: usize = 44;

/// An event with its place.
struct ChartRow<'c> {
    event: &'c ChartEvent,
    /// Notes beside it.
    said: Vec<String>,
    y: usize,
}

/// The drawing of a chart, with a legend below it.
pub fn chart_svg(chart: &Chart, marks: &Marks<'_>) -> String {
    let lanes = ChartLanes::of(chart, false);
    let widest = |head: &Vec<String>| head.iter().map(|line| line.width()).max().unwrap_or(0) * CHARACTER;
    let margin = margin(chart.events.iter().map(|event| marks.margin(event.at)));
    let mut centres = vec![margin + (widest(&lanes.heads[0]) / 2).max(LEAST / 2)];
    for (left, right) in lanes.heads.iter().tuple_windows() {
        let distance = ((widest(left) + widest(right)) / 2 + 2 * CHARACTER).max(LEAST);
        centres.push(centres.last().copied().unwrap_or(margin) + distance);
    }
    let last_head = lanes.heads.last().map_or(0, widest);
    let beside_lanes =
        centres.last().copied().unwrap_or(margin) + (last_head / 2).max(2 * CHARACTER) + CHARACTER;
    let rows = rows(chart, marks);
    let longest = rows.iter().flat_map(|row| &row.said).map(|text| text.width()).max().unwrap_or(0);
    let longest_sign = LEGEND.iter().map(|(_, text)| text.width()).max().unwrap_or(0);
    let width = (beside_lanes + longest * CHARACTER).max(SIGN + longest_sign * CHARACTER) + CHARACTER;
    let bottom = rows.last().map_or(HEAD, |row| row.y + LINE * row.said.len()) + LINE;
    let height = bottom + LINE * (LEGEND.len() + 1);
    let mut out = String::new();
    let _ = writeln!(out, "{}", svg_tag(width, height));
    let _ = writeln!(out, "<title>{}</title>", escape(&title(chart)));
    for (head, x) in lanes.heads.iter().zip(&centres) {
        let _ = writeln!(out, "<line class=\"life\" x1=\"{x}\" y1=\"{HEAD}\" x2=\"{x}\" y2=\"{bottom}\"/>");
        for (line, y) in head.iter().zip([HEAD - 32, HEAD - 14]) {
            let class = if y == HEAD - 32 { "who" } else { "what" };
            let _ = writeln!(out, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>", escape(line));
        }
    }
    let eve = centres[lanes.attacker];
    bindings(&mut out, chart, &rows, eve);
    for (index, row) in rows.iter().enumerate() {
        let _ = writeln!(out, "<g data-step=\"{}\">", row.event.at);
        if index == 0 || rows[index - 1].event.at != row.event.at {
            position(&mut out, row.event.at, row.y, margin, marks);
        }
        let x = |run: usize| centres[lanes.of_run(run)];
        match &row.event.what {
            Happening::Sent { run, label, content } => {
                arrow(&mut out, x(*run), eve, row.y, std::slice::from_ref(label), content);
            }
            Happening::Received { run, label, content, .. } => {
                arrow(&mut out, eve, x(*run), row.y, std::slice::from_ref(label), content);
            }
            Happening::Claimed { run, .. } => dot(&mut out, x(*run), row.y),
            Happening::Lost(_) => dot(&mut out, eve, row.y),
        }
        for (line, text) in row.said.iter().enumerate() {
            let class = if text.starts_with('←') { "wrong" } else { "said" };
            let y = row.y + 4 + LINE * line;
            let _ = writeln!(
                out,
                "<text class=\"{class}\" x=\"{beside_lanes}\" y=\"{y}\">{}</text>",
                escape(text)
            );
        }
        out.push_str("</g>\n");
    }
    legend(&mut out, bottom + LINE);
    out.push_str("</svg>\n");
    out
}

/// The title of the chart: `r1: Alice as A, r2: Bob as B, and Eve`.
pub fn title(chart: &Chart) -> String {
    let runs = chart.runs.iter().map(|run| format!("{}: {} as {}", run.name, run.agent, run.role)).join(", ");
    format!("Message sequence chart of {runs}, and {ATTACKER}")
}

/// A sign of the legend.
#[derive(Clone, Copy)]
pub enum Sign {
    /// The head of an arrow.
    Arrow,
    /// No sign.
    Nothing,
    /// The end of a binding.
    Binding,
    /// A dot.
    Dot,
}

/// The signs with what they mean.
pub const LEGEND: &[(Sign, &str)] = &[
    (Sign::Arrow, "a message with its label"),
    (Sign::Nothing, "(1), (2), … count what was sent; Eve hears it all"),
    (Sign::Binding, "from what Eve heard to what she made of it"),
    (Sign::Dot, "claims, or something gets lost"),
];

/// Where the texts of the legend begin.
const SIGN: usize = 64;

/// Draws the legend.
pub fn legend(out: &mut String, top: usize) {
    for (line, (sign, text)) in LEGEND.iter().enumerate() {
        let y = top + LINE * line;
        let (from, to) = (CHARACTER, SIGN - CHARACTER);
        match sign {
            Sign::Arrow => arrow(out, from, to, y, &[], "a message"),
            Sign::Nothing => {}
            Sign::Binding => {
                let _ = writeln!(out, "<path class=\"binding\" d=\"M{from} {y} L{to} {y}\"/>");
            }
            Sign::Dot => dot(out, from.midpoint(to), y),
        }
        let y = y + 4;
        let _ = writeln!(out, "<text class=\"note\" x=\"{SIGN}\" y=\"{y}\">{}</text>", escape(text));
    }
}

fn rows<'c>(chart: &'c Chart, marks: &Marks<'_>) -> Vec<ChartRow<'c>> {
    let numbers = numbers(chart);
    let mut y = HEAD + LINE;
    let mut rows = Vec::new();
    for (index, event) in chart.events.iter().enumerate() {
        let said = beside(event, index, &numbers);
        let mut said: Vec<String> = said.iter().flat_map(|text| wrapped(text, MOST_SAID, 2)).collect();
        if chart.events.get(index + 1).is_none_or(|next| next.at != event.at) {
            said.extend(marks.remark(event.at).map(|text| format!("← {text}")));
        }
        let lines = said.len();
        rows.push(ChartRow { event, said, y });
        y += LINE * lines.max(1) + LINE;
    }
    rows
}

fn dot(out: &mut String, x: usize, y: usize) {
    let _ = writeln!(out, "<circle class=\"head\" cx=\"{x}\" cy=\"{y}\" r=\"4\"/>");
}

/// From where the attacker hears something to where she uses it.
fn bindings(out: &mut String, chart: &Chart, rows: &[ChartRow<'_>], eve: usize) {
    for (index, event) in chart.events.iter().enumerate() {
        let Happening::Received { bindings, .. } = &event.what else { continue };
        for source in bindings.iter().map(|binding| binding.event).unique() {
            let (from, to) = (rows[source].y, rows[index].y);
            let bend = eve + 14 + 6 * (index - source).min(6);
            let _ = writeln!(
                out,
                "<path class=\"binding\" d=\"M{eve} {from} C{bend} {from} {bend} {to} {eve} {to}\"/>"
            );
        }
    }
}
