//! Sequence diagrams drawn as SVG: one lifeline for each participant, one arrow for each message.

use super::Marks;
use super::markup::escape;
use crate::model::eval::eval_state;
use crate::model::value::Value;
use crate::model::{Diagram, Model};
use crate::trace::Trace;
use std::fmt::Write;

/// A message, or what else happened in a step.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    /// The position in the trace.
    at: usize,
    /// The label of the step that led there.
    label: String,
    /// The message, if there is one.
    arrow: Option<Message>,
}

/// A message between participants, which are given by index.
#[derive(Debug, PartialEq, Eq)]
struct Message {
    from: usize,
    to: usize,
    content: String,
}

/// Least and greatest distance of lifelines, and the width of a character.
const COLUMN: (usize, usize) = (160, 460);
const CHARACTER: usize = 8;
const MARGIN: usize = 150;
const ROW: usize = 46;
const HEAD: usize = 40;

/// The drawing of a trace; `None` when no message is ever sent.
pub(super) fn sequence_svg(
    model: &Model,
    diagram: &Diagram,
    trace: &Trace,
    marks: &Marks<'_>,
) -> Option<String> {
    let (participants, rows) = rows(model, diagram, trace);
    if participants.is_empty() {
        return None;
    }
    // Wide enough for what is written over the arrows.
    let needed = rows
        .iter()
        .filter_map(|row| row.arrow.as_ref())
        .map(|m| CHARACTER * (m.content.chars().count() + 2) / m.from.abs_diff(m.to).max(1));
    let column = needed.max().unwrap_or(0).clamp(COLUMN.0, COLUMN.1);
    let x = |participant: usize| MARGIN + column / 2 + participant * column;
    let (width, height) = (MARGIN + column * participants.len(), HEAD + ROW * rows.len() + 20);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" role=\"img\">"
    );
    for (index, name) in participants.iter().enumerate() {
        let _ = writeln!(
            out,
            "<line class=\"life\" x1=\"{0}\" y1=\"{HEAD}\" x2=\"{0}\" y2=\"{height}\"/>\
             <text class=\"who\" x=\"{0}\" y=\"{1}\">{2}</text>",
            x(index),
            HEAD - 14,
            escape(name)
        );
    }
    for (index, row) in rows.iter().enumerate() {
        let y = HEAD + ROW * index + ROW / 2 + 10;
        let names: Vec<&str> =
            marks.positions.iter().filter(|(_, p)| *p == row.at).map(|(n, _)| *n).collect();
        let _ =
            writeln!(out, "<text class=\"mark\" x=\"4\" y=\"{}\">{}</text>", y + 4, escape(&names.join(",")));
        let _ = writeln!(out, "<text class=\"step\" x=\"{}\" y=\"{}\">{}</text>", 34, y + 4, row.at);
        match &row.arrow {
            Some(message) => arrow(&mut out, x(message.from), x(message.to), y, &message.content),
            None => {
                let _ = writeln!(
                    out,
                    "<text class=\"note\" x=\"{}\" y=\"{}\">{}</text>",
                    58,
                    y + 4,
                    escape(&row.label)
                );
            }
        }
    }
    out.push_str("</svg>\n");
    Some(out)
}

/// A line with a head; a loop beside the lifeline for a message to oneself.
pub(super) fn arrow(out: &mut String, from: usize, to: usize, y: usize, content: &str) {
    let content = escape(content);
    if from == to {
        let _ = writeln!(
            out,
            "<path class=\"arrow\" d=\"M{from} {} h30 v14 h-24\"/><path class=\"head\" d=\"M{} {} l8 -4 v8 z\"/>\
             <text class=\"what\" style=\"text-anchor:start\" x=\"{}\" y=\"{}\">{content}</text>",
            y - 6,
            from + 1,
            y + 8,
            from + 36,
            y + 4
        );
        return;
    }
    let back = if to > from { "-8" } else { "8" };
    let _ = writeln!(
        out,
        "<path class=\"arrow\" d=\"M{from} {y} H{to}\"/><path class=\"head\" d=\"M{to} {y} l{back} -4 v8 z\"/>\
         <text class=\"what\" x=\"{}\" y=\"{}\">{content}</text>",
        (from + to) / 2,
        y - 6
    );
}

/// Participants in the order in which they appear, and what happens at each position. An arrow is
/// drawn where a message is there that was not there, unchanged, in the state before.
fn rows(model: &Model, diagram: &Diagram, trace: &Trace) -> (Vec<String>, Vec<Row>) {
    let mut participants: Vec<String> = Vec::new();
    let mut rows = Vec::new();
    let mut before = None;
    for (at, moment) in trace.moments.iter().enumerate() {
        let read = |expr| eval_state(model, expr, moment);
        let ends = (read(&diagram.sender), read(&diagram.receiver));
        let there = read(&diagram.sent).is_true() && ends.0 != Value::None && ends.1 != Value::None;
        let message = there.then(|| (ends, read(&diagram.content)));
        let mut known = |value: &Value| {
            let name = model.types.show_value(value);
            participants.iter().position(|p| *p == name).unwrap_or_else(|| {
                participants.push(name);
                participants.len() - 1
            })
        };
        let arrow = message.as_ref().filter(|_| message != before).map(|((from, to), content)| Message {
            from: known(from),
            to: known(to),
            content: model.types.show_value(content),
        });
        let label = moment.label.as_ref().map(|l| model.show_label(l)).unwrap_or_default();
        if arrow.is_some() || !label.is_empty() {
            rows.push(Row { at, label, arrow });
        }
        before = message;
    }
    (participants, rows)
}
