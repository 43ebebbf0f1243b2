//! Numbers and labels in sentences.

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
    format!("{file}: {states}, {transitions}, {}", count(lts.labels().len(), "label"))
}

/// Longer labels are cut here, in characters.
const LONGEST: usize = 120;

/// A label as it is shown: an empty one in quotes, a very long one cut, control characters replaced.
pub fn label(labels: &Labels, number: u32) -> String {
    let text = labels.text(number);
    if text.is_empty() {
        return "\"\"".to_owned();
    }
    let mut shown: String =
        text.chars().take(LONGEST).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if shown.len() < text.len() && text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    shown
}

/// Distinct labels with a comma between them, at most `limit`.
pub fn list(labels: &Labels, numbers: impl Iterator<Item = u32>, limit: usize) -> String {
    let mut numbers: Vec<u32> = numbers.collect();
    numbers.sort_unstable();
    numbers.dedup();
    let mut shown: Vec<String> = numbers.iter().take(limit).map(|&n| label(labels, n)).collect();
    if numbers.len() > limit {
        shown.push(format!("and {} more", numbers.len() - limit));
    }
    shown.join(", ")
}

/// `after 2 actions: A → B`, or that it is the beginning.
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
    let right = list(labels, right, 5);
    let instead = if right.is_empty() { String::new() } else { format!("   right here: {right}") };
    let mark = if kept { paint.mark("*") } else { " ".to_owned() };
    format!("{mark} {:>4}  {}{}\n", at + 1, label(labels, number), paint.good(&instead))
}
