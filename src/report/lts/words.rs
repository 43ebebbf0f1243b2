//! Numbers and labels in sentences.

use crate::diagnostics::escaped;
use crate::lts::safety::Tag;
use crate::lts::{Labels, Lts};
use crate::report::Paint;
use std::fmt::Write;

/// `1 state`, `12 states`.
pub fn count(number: usize, one: &str) -> String {
    let plural = match one.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None => format!("{one}s"),
    };
    if number == 1 { format!("1 {one}") } else { format!("{number} {plural}") }
}

/// `system.aut: 91 states, 172 transitions, 30 labels`
pub fn size(file: &str, lts: &Lts) -> String {
    let states = count(lts.declared_states(), "state");
    let transitions = count(lts.transitions(), "transition");
    let file = escaped(if file == "-" { "standard input" } else { file });
    format!("{file}: {states}, {transitions}, {}", count(lts.used_labels(), "label"))
}

/// Longer labels are cut here, in characters.
const LONGEST: usize = 120;

/// A label as it is shown: an empty one in quotes, a very long one cut, control characters escaped.
pub fn label(labels: &Labels, number: u32) -> String {
    let text = labels.text(number);
    if text.is_empty() {
        return "\"\"".to_owned();
    }
    let end = text.char_indices().nth(LONGEST).map_or(text.len(), |(at, _)| at);
    let mut shown = escaped(&text[..end]).into_owned();
    if end < text.len() {
        shown.push('…');
    }
    shown
}

/// A transition: label, target, tag.
pub type Choice = (u32, u32, Tag);

/// The labels of the steps with a tag, at most `limit`. Where steps with the same label have other tags, the state
/// that they lead to is said, too.
pub fn choices(labels: &Labels, steps: &[Choice], tag: Tag, limit: usize) -> String {
    let elsewhere = |number: u32| steps.iter().any(|&(other, _, t)| other == number && t != tag);
    let with_tag = steps.iter().filter(|&&(.., t)| t == tag);
    let mut shown: Vec<(u32, Option<u32>)> =
        with_tag.map(|&(number, state, _)| (number, elsewhere(number).then_some(state))).collect();
    shown.sort_unstable();
    shown.dedup();
    let text = |&(number, state): &(u32, Option<u32>)| match state {
        Some(state) => format!("{} (to state {state})", label(labels, number)),
        None => label(labels, number),
    };
    in_short(shown.iter().map(text), limit)
}

/// The first parts, and the number of the others.
fn in_short(parts: impl ExactSizeIterator<Item = String>, limit: usize) -> String {
    let left = parts.len().saturating_sub(limit);
    let mut shown: Vec<String> = parts.take(limit).collect();
    if left > 0 {
        shown.push(format!("and {left} more"));
    }
    shown.join(", ")
}

/// `after 2 actions: A → B`, or `the initial state`.
pub fn way(labels: &Labels, path: &[u32]) -> String {
    if path.is_empty() {
        return "the initial state".to_owned();
    }
    let actions: Vec<String> = path.iter().map(|&number| label(labels, number)).collect();
    format!("after {}: {}", count(path.len(), "action"), actions.join(" → "))
}

/// Adds a named line, broken at spaces.
pub fn wrapped(out: &mut String, name: &str, text: &str, width: usize) {
    const INDENT: usize = 13;
    let mut line = format!("  {name:<10}");
    let mut words = 0;
    for word in text.split(' ') {
        if words > 0 && line.chars().count() + 1 + word.chars().count() > width {
            let _ = writeln!(out, "{line}");
            line = " ".repeat(INDENT - 1);
            words = 0;
        }
        line.push(' ');
        line.push_str(word);
        words += 1;
    }
    let _ = writeln!(out, "{line}");
}

/// A line of a counterexample: the index of an action, its label, and whether the abstraction keeps it, with what
/// would have been right instead.
pub fn step(
    labels: &Labels,
    (at, number, kept): (usize, u32, bool),
    right: impl Iterator<Item = u32>,
    paint: Paint,
) -> String {
    let mut right: Vec<u32> = right.collect();
    right.sort_unstable();
    right.dedup();
    let name = |&other: &u32| match label(labels, other) {
        name if other == number => format!("another {name}"),
        name => name,
    };
    let right = in_short(right.iter().map(name), 5);
    let instead = if right.is_empty() { String::new() } else { format!("   right here: {right}") };
    let mark = if kept { paint.mark("*") } else { " ".to_owned() };
    format!("{mark} {:>4}  {}{}\n", at + 1, label(labels, number), paint.good(&instead))
}
