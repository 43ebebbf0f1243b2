//! Sequence diagrams drawn as SVG: one lifeline for each participant, one arrow for each message.

use crate::writing::marks::Marks;
use crate::writing::markup::escape;
use itertools::Itertools;
use lang::model::eval::eval_state;
use lang::model::types::Types;
use lang::model::value::Value;
use lang::model::{Model, Position, SequenceDiagram};
use lang::trace::Trace;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// A message, or what else happened in a step.
#[derive(Debug, PartialEq, Eq)]
pub struct SequenceRow {
    /// The position in the trace.
    pub at: Position,
    /// The label of the step that led there.
    pub label: String,
    /// The message, if there is one.
    pub arrow: Option<SequenceMessage>,
}

/// A message between participants, which are given by index.
#[derive(Debug, PartialEq, Eq)]
pub struct SequenceMessage {
    /// Index of the participant that sends.
    pub from: usize,
    /// Index of the participant that receives.
    pub to: usize,
    /// The text over the arrow, line by line.
    pub lines: Vec<String>,
    /// The content in full.
    pub content: String,
}

/// Least and greatest distance of lifelines.
const COLUMN: (usize, usize) = (96, 208);
/// The width of a character, and the height of a line of text.
pub const CHARACTER: usize = 8;
const LINE: usize = 15;
/// Height of a row above and below its text, in pixels.
const ROW: usize = 26;
const HEAD: usize = 34;
/// From the last lifeline to what is said beside it.
const NOTE: usize = 16;
/// The most columns of a line over an arrow.
pub const MOST: usize = COLUMN.1 / CHARACTER - 3;
/// With more participants than this, they stay in the order in which they appear.
const MOST_ORDERED: usize = 7;

/// The drawing of a trace; `None` when no message is ever sent.
pub(crate) fn sequence_svg(
    model: &Model,
    diagram: &SequenceDiagram,
    trace: &Trace,
    marks: &Marks<'_>,
) -> Option<String> {
    let (participants, rows) = drawn(model, diagram, trace);
    if participants.is_empty() {
        return None;
    }
    let column = distance(&participants, &rows);
    let margin = margin(rows.iter().map(|row| marks.margin(row.at)));
    // Half of the widest name, and the text on a loop, must fit beside the outer lifelines.
    let left = margin + half(&participants[0]).max(24);
    let x = |participant: usize| left + participant * column;
    let last = x(participants.len() - 1);
    // What is no message is said beside the lifelines: on one of them it would seem to be its doing.
    let notes = last + NOTE;
    let texts = rows.iter().map(|row| match &row.arrow {
        Some(SequenceMessage { from, to, lines, .. }) if from == to => x(*from) + 36 + widest(lines),
        Some(_) => 0,
        None => notes + row.label.width() * CHARACTER,
    });
    let beside = half(&participants[participants.len() - 1]).max(30);
    let width = texts.max().unwrap_or(0).max(last + beside) + 8;
    let height = HEAD + rows.iter().map(SequenceRow::height).sum::<usize>() + 10;
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{}<title>Sequence diagram of {}</title>",
        svg_tag(width, height),
        escape(&participants.join(", "))
    );
    for (index, name) in participants.iter().enumerate() {
        lifeline(&mut out, x(index), (HEAD, height), name);
    }
    let mut top = HEAD;
    for row in &rows {
        row_svg(&mut out, row, (top, margin, notes), &x, marks);
        top += row.height();
    }
    out.push_str("</svg>\n");
    Some(out)
}

/// The beginning of a drawing. Where there is little room it is drawn smaller, but not so small that it cannot be read.
pub fn svg_tag(width: usize, height: usize) -> String {
    format!(
        "<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" style=\"min-width:{}px\" role=\"img\">",
        width * 7 / 10
    )
}

/// A lifeline with its name over it.
fn lifeline(out: &mut String, x: usize, (top, bottom): (usize, usize), name: &str) {
    let _ = writeln!(
        out,
        "<line class=\"life\" x1=\"{x}\" y1=\"{top}\" x2=\"{x}\" y2=\"{bottom}\"/>\
         <text class=\"who\" x=\"{x}\" y=\"{}\">{}</text>",
        top - 14,
        escape(name)
    );
}

/// The row of a step of the trace, in a group with its number.
fn row_svg(
    out: &mut String,
    row: &SequenceRow,
    (top, margin, notes): (usize, usize, usize),
    x: &impl Fn(usize) -> usize,
    marks: &Marks<'_>,
) {
    let y = top + row.height() - 10;
    let _ = writeln!(out, "<g data-step=\"{}\">", row.at);
    position(out, row.at, y, margin, marks);
    match &row.arrow {
        Some(message) => {
            arrow(out, x(message.from), x(message.to), y, &message.lines, &message.content);
        }
        None => {
            let label = escape(&row.label);
            let _ = writeln!(out, "<text class=\"note\" x=\"{notes}\" y=\"{}\">{label}</text>", y + 4);
        }
    }
    out.push_str("</g>\n");
}

/// The number of a step and the names of the positions there, in the margin.
pub fn position(out: &mut String, at: Position, y: usize, margin: usize, marks: &Marks<'_>) {
    let class = if marks.remark(at).is_some() { "step wrong" } else { "step" };
    let (names, y) = (escape(&marks.margin(at)), y + 4);
    let _ = writeln!(
        out,
        "<text class=\"mark\" x=\"4\" y=\"{y}\">{names}</text>\
         <text class=\"{class}\" x=\"{}\" y=\"{y}\">{at}</text>",
        margin - 4
    );
}

/// The width of the margin for these names of positions and the numbers of steps.
pub fn margin(names: impl Iterator<Item = String>) -> usize {
    let names = names.map(|names| names.width()).max().unwrap_or(0);
    12 + (names + 4) * CHARACTER
}

fn half(text: &str) -> usize {
    text.width() * CHARACTER / 2 + 4
}

fn widest(lines: &[String]) -> usize {
    lines.iter().map(|line| line.width()).max().unwrap_or(0) * CHARACTER
}

/// The distance of lifelines that leaves room for what is written over the arrows, and for the names.
fn distance(participants: &[String], rows: &[SequenceRow]) -> usize {
    let messages = rows.iter().filter_map(|row| row.arrow.as_ref()).filter(|m| m.from != m.to);
    let needed = messages.map(|m| (widest(&m.lines) + 3 * CHARACTER) / m.from.abs_diff(m.to));
    let names = participants.iter().map(|name| name.width() * CHARACTER + 16);
    needed.max().unwrap_or(0).clamp(COLUMN.0, COLUMN.1).max(names.max().unwrap_or(0))
}

impl SequenceRow {
    fn height(&self) -> usize {
        ROW + LINE * self.arrow.as_ref().map_or(0, |message| message.lines.len())
    }
}

/// A line with a head, and lines of text over it; a loop beside the lifeline for a message to oneself. The content in full is
/// the title of it all.
pub fn arrow(out: &mut String, from: usize, to: usize, y: usize, lines: &[String], content: &str) {
    let _ = writeln!(out, "<title>{}</title>", escape(content));
    let (path, head) = match from == to {
        true => (format!("M{from} {} h30 v14 h-24", y - 12), format!("M{} {} l8 -4 v8 z", from + 1, y + 2)),
        false => {
            let back = if to > from { "-8" } else { "8" };
            (format!("M{from} {y} H{to}"), format!("M{to} {y} l{back} -4 v8 z"))
        }
    };
    let _ = writeln!(out, "<path class=\"arrow\" d=\"{path}\"/><path class=\"head\" d=\"{head}\"/>");
    for (index, line) in lines.iter().enumerate() {
        let above = LINE * (lines.len() - 1 - index);
        let (class, x) = if from == to { ("said", from + 36) } else { ("what", from.midpoint(to)) };
        let _ = writeln!(
            out,
            "<text class=\"{class}\" x=\"{x}\" y=\"{}\">{}</text>",
            y - 6 - above,
            escape(line)
        );
    }
}

/// Participants from left to right, and what happens at each position.
fn drawn(model: &Model, diagram: &SequenceDiagram, trace: &Trace) -> (Vec<String>, Vec<SequenceRow>) {
    let (participants, mut rows) = rows(model, diagram, trace);
    let attacker = diagram.attacker.as_ref().zip(trace.moments.first()).map(|(expr, moment)| {
        let name = model.types.show_value(&eval_state(model, expr, moment));
        participants.iter().position(|p| *p == name)
    });
    let order = order(participants.len(), &rows, attacker.flatten());
    let place = |participant: usize| order.iter().position(|&p| p == participant).unwrap_or(participant);
    for message in rows.iter_mut().filter_map(|row| row.arrow.as_mut()) {
        (message.from, message.to) = (place(message.from), place(message.to));
    }
    (order.iter().map(|&p| participants[p].clone()).collect(), rows)
}

/// The order in which arrows are shortest in all, with the attacker as near to the middle as that allows, or else in the
/// order of appearance.
pub fn order(count: usize, rows: &[SequenceRow], attacker: Option<usize>) -> Vec<usize> {
    let appearance = || (0..count).collect::<Vec<usize>>();
    if count > MOST_ORDERED {
        return appearance();
    }
    let cost = |order: &Vec<usize>| {
        let place = |participant| order.iter().position(|&p| p == participant).unwrap_or(0);
        let messages = rows.iter().filter_map(|row| row.arrow.as_ref());
        let length: usize = messages.map(|m| place(m.from).abs_diff(place(m.to))).sum();
        let outer = attacker.map_or(0, |a| (2 * place(a) + 1).abs_diff(count) / 2);
        (outer, length)
    };
    // The first of the smallest.
    (0..count).permutations(count).min_by_key(cost).unwrap_or_else(appearance)
}

/// Participants in the order in which they appear, and what happens at each position. An arrow is
/// drawn where a message is there that was not there, unchanged, in the state before.
pub fn rows(model: &Model, diagram: &SequenceDiagram, trace: &Trace) -> (Vec<String>, Vec<SequenceRow>) {
    let mut participants: Vec<String> = Vec::new();
    let mut rows = Vec::new();
    let mut before = None;
    for (at, moment) in trace.positions().zip(&trace.moments) {
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
        let named = diagram.label.as_ref().map(read).filter(|label| *label != Value::None);
        let arrow =
            message.as_ref().filter(|_| message != before).map(|((from, to), content)| SequenceMessage {
                from: known(from),
                to: known(to),
                lines: lines(
                    &named.map_or_else(|| short(&model.types, content), |l| model.types.show_value(&l)),
                ),
                content: model.types.show_value(content),
            });
        let label = moment.label.as_ref().map(|l| model.show_label(l)).unwrap_or_default();
        if arrow.is_some() || !label.is_empty() {
            rows.push(SequenceRow { at, label, arrow });
        }
        before = message;
    }
    (participants, rows)
}

/// A value without the names of records and fields, and without what is absent: `M1, Eve, Na`.
fn short(types: &Types, value: &Value) -> String {
    let Value::Record(id, values) = value else { return types.show_value(value) };
    let decl = types.record(*id);
    if decl.collection.is_some() {
        return types.show_value(value);
    }
    let (name, fields) = decl.parts(values);
    let inner = |value: &Value| match value {
        Value::Record(id, _) if !types.record(*id).is_variant() => format!("({})", short(types, value)),
        _ => short(types, value),
    };
    let there = fields.iter().filter(|(_, _, value)| **value != Value::None);
    let parts = there.map(|(_, _, value)| inner(value)).collect::<Vec<_>>().join(", ");
    match decl.is_variant() {
        true if parts.is_empty() => name.to_owned(),
        true => format!("{name}({parts})"),
        false => parts,
    }
}

/// The text in lines that are short enough for an arrow. What is longer than three lines is cut; the title of the arrow has it all.
pub fn lines(text: &str) -> Vec<String> {
    let mut lines = crate::writing::columns::wrapped(text, MOST, 0);
    if lines.len() > 3 {
        lines.truncate(3);
        lines[2].push_str(" …");
    }
    lines.iter().map(|line| crate::writing::columns::cut(line, MOST).into_owned()).collect()
}
