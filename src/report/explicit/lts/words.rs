//! Numbers and labels in sentences.

use crate::writing::columns;
use crate::writing::paint::Paint;
use explicit::lts::safety::{Tag, TaggedStep};
use explicit::lts::{LabelId, Labels, Lts, StateId};
use kit::diagnostics::escaped;
use kit::number::counted;
use std::fmt::Write;

/// `system.aut: 91 states, 172 transitions, 30 labels`
pub fn size(file: &str, lts: &Lts) -> String {
    let states = counted(lts.declared_states(), "state");
    let transitions = counted(lts.transitions(), "transition");
    let file = escaped(if file == "-" { "standard input" } else { file });
    format!("{file}: {states}, {transitions}, {}", counted(lts.used_labels(), "label"))
}

/// Longer labels are cut here, in characters.
const LONGEST: usize = 120;

/// A label as it is shown: an empty one in quotes, a very long one cut, control characters escaped.
pub fn label(labels: &Labels, number: LabelId) -> String {
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

/// The labels of the steps with a tag, at most `limit`. Where steps with the same label have other tags, the state
/// that they lead to is said, too.
fn choices(labels: &Labels, steps: &[TaggedStep<StateId>], tag: Tag, limit: usize) -> String {
    let elsewhere = |label: LabelId| steps.iter().any(|other| other.label == label && other.tag != tag);
    let with_tag = steps.iter().filter(|step| step.tag == tag);
    let mut shown: Vec<(LabelId, Option<StateId>)> =
        with_tag.map(|step| (step.label, elsewhere(step.label).then_some(step.end))).collect();
    shown.sort_unstable();
    shown.dedup();
    let text = |&(number, state): &(LabelId, Option<StateId>)| match state {
        Some(state) => format!("{} (to state {state})", label(labels, number)),
        None => label(labels, number),
    };
    in_short(shown.iter().map(text), limit)
}

/// The first parts, and the number of the others.
pub(super) fn in_short(parts: impl ExactSizeIterator<Item = String>, limit: usize) -> String {
    let left = parts.len().saturating_sub(limit);
    let mut shown: Vec<String> = parts.take(limit).collect();
    if left > 0 {
        shown.push(format!("and {left} more"));
    }
    shown.join(", ")
}

/// `after 2 actions: A → B`, or `the initial state`, for a path from there.
pub fn way(lts: &Lts, path: &[LabelId]) -> String {
    if path.is_empty() {
        return "the initial state".to_owned();
    }
    if actions(lts, path.len()) == 0 {
        return "an initial state".to_owned();
    }
    let labels: Vec<String> = path.iter().map(|&number| label(lts.labels(), number)).collect();
    format!("after {}: {}", counted(actions(lts, path.len()), "action"), labels.join(" → "))
}

/// How many of the first labels of a path from the initial state are actions, which the choice of an initial state is not.
pub fn actions(lts: &Lts, labels: usize) -> usize {
    labels.saturating_sub(usize::from(lts.chooses_start()))
}

/// Adds a named line, broken at spaces.
fn wrapped(out: &mut String, name: &str, text: &str, width: usize) {
    let line = format!("  {name:<10} {text}");
    columns::wrapped(&line, width, 13).iter().for_each(|line| _ = writeln!(out, "{line}"));
}

/// The number and the state of a neighbourhood, how it is reached, and the labels of its steps by their tags.
pub(super) fn neighbourhood(
    lts: &Lts,
    head: &str,
    path: &[LabelId],
    steps: &[TaggedStep<StateId>],
    (paint, width): (Paint, usize),
    out: &mut String,
) {
    let _ = writeln!(out, "\n{head}");
    for (name, text) in neighbourhood_lines(lts, path, steps) {
        let text = match name {
            RIGHT => paint.good(&text),
            WRONG => paint.bad(&text),
            _ => text,
        };
        wrapped(out, name, &text, width);
    }
}

const RIGHT: &str = "right";
const WRONG: &str = "wrong";

/// How a neighbourhood is reached, and the labels of its steps by their tags, each with its name.
pub(super) fn neighbourhood_lines(
    lts: &Lts,
    path: &[LabelId],
    steps: &[TaggedStep<StateId>],
) -> impl Iterator<Item = (&'static str, String)> + use<> {
    let with = |tag: Tag| choices(lts.labels(), steps, tag, 20);
    let lines = [
        ("reached", way(lts, path)),
        (RIGHT, with(Tag::Correct)),
        (WRONG, with(Tag::Incorrect)),
        ("undecided", with(Tag::Neutral)),
    ];
    lines.into_iter().filter(|(_, text)| !text.is_empty())
}

pub struct CounterexampleAction {
    /// The index in the counterexample, from 0.
    pub at: usize,
    pub label: LabelId,
    pub kept: bool,
}

/// The right actions instead of one: `right here: A, B`; empty if there are none.
pub fn instead(
    lts: &Lts,
    action: &CounterexampleAction,
    right: impl Iterator<Item = LabelId>,
) -> Option<String> {
    let labels = lts.labels();
    let mut right: Vec<LabelId> = right.collect();
    right.sort_unstable();
    right.dedup();
    let name = |&other: &LabelId| match label(labels, other) {
        name if other == action.label => format!("another {name}"),
        name => name,
    };
    (!right.is_empty()).then(|| format!("right here: {}", in_short(right.iter().map(name), 5)))
}

/// A line of a counterexample: an action, with what would have been right instead.
pub fn step(
    lts: &Lts,
    action: &CounterexampleAction,
    right: impl Iterator<Item = LabelId>,
    paint: Paint,
) -> String {
    let labels = lts.labels();
    let instead = instead(lts, action, right).map_or_else(String::new, |instead| format!("   {instead}"));
    let mark = if action.kept { paint.mark("*") } else { " ".to_owned() };
    let number = actions(lts, action.at + 1);
    format!("{mark} {number:>4}  {}{}\n", label(labels, action.label), paint.good(&instead))
}
