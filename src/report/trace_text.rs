//! Traces for the terminal: labels, what changed, and the positions of a constraint in the margin.

use super::View;
use super::chart_text::chart_text;
use super::columns::wrapped;
use super::evaluate::{visible_changes, visible_state};
use super::marks::Marks;
use crate::model::eval::eval_state;
use crate::model::value::Value;
use crate::model::{Model, Position};
use crate::trace::{Change, Difference, Trace};
use std::fmt::Write;

/// A trace as lines, each indented by `indent` columns: the first state as a whole, then labels with
/// what changed; everything at every state when the view asks for it. Traces of protocols are drawn as message sequence charts.
pub fn trace_text(model: &Model, trace: &Trace, marks: &Marks<'_>, view: &View, indent: usize) -> String {
    let mut out = String::new();
    if let Some(chart) = view.chart(model, trace) {
        out.push_str(&chart_text(&chart, marks, view.width, view.paint, indent));
        if !view.full && view.shown.is_empty() {
            return out;
        }
    }
    let margins: Vec<String> = trace.positions().map(|at| marks.margin(at)).collect();
    // One column between the names and the numbers, if there are names.
    let margin_width =
        margins.iter().map(|m| m.chars().count() + usize::from(!m.is_empty())).max().unwrap_or(0);
    let number_width = trace.len().to_string().len();
    let pad = " ".repeat(indent);
    let inner = " ".repeat(indent + margin_width + number_width + 4);
    for ((at, moment), margin) in trace.positions().zip(&trace.moments).zip(&margins) {
        let fill = " ".repeat(margin_width - margin.chars().count());
        let margin = format!("{}{fill}", view.paint.mark(margin));
        let label = match &moment.label {
            Some(label) => view.paint.bold(&model.show_label(label)),
            None => view.paint.faint("first state"),
        };
        let violation = match marks.violation(at) {
            Some(text) => format!("  {}", view.paint.bad(&format!("← {text}"))),
            None => String::new(),
        };
        let _ = writeln!(out, "{pad}{margin}{at:>number_width$}  {label}{violation}");
        let lines = match at {
            Position::FIRST => first_lines(model, trace, view),
            _ => state_lines(model, trace, at, view),
        };
        for line in lines {
            let _ = writeln!(out, "{inner}{line}");
        }
    }
    out
}

/// The labels of a trace: `start(b=Bob) → answer(a=Alice) → …`.
pub fn labels_line(model: &Model, trace: &Trace) -> String {
    wrapped_labels(model, trace, usize::MAX).join(" ")
}

/// The labels of a trace as lines of up to `width` columns, where a single label is not longer.
pub(super) fn wrapped_labels(model: &Model, trace: &Trace, width: usize) -> Vec<String> {
    let labels = trace.moments.iter().filter_map(|m| m.label.as_ref().map(|l| model.show_label(l)));
    let mut lines: Vec<String> = Vec::new();
    let mut labels = labels.peekable();
    while let Some(label) = labels.next() {
        let label = if labels.peek().is_some() { format!("{label} →") } else { label };
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + label.chars().count() <= width => {
                line.push(' ');
                line.push_str(&label);
            }
            _ => lines.push(label),
        }
    }
    if lines.is_empty() {
        lines.push("a first state, without any step".to_owned());
    }
    lines
}

/// The label of the step that leads to a position; `first state` at the beginning.
pub(super) fn label_text(model: &Model, trace: &Trace, at: Position) -> String {
    trace.moment(at).label.as_ref().map_or_else(|| "first state".to_owned(), |label| model.show_label(label))
}

/// The most variables of a first state that are all shown.
const MOST_VARIABLES: usize = 10;

/// The lines of the first state. Of a long one, the variables that never change are only named, unless all is to be shown.
fn first_lines(model: &Model, trace: &Trace, view: &View) -> Vec<String> {
    let mut lines = state_lines(model, trace, Position::FIRST, view);
    let lasting = |(name, value): &(&str, &Value)| {
        trace
            .positions()
            .skip(1)
            .all(|at| visible_state(model, trace, at, view).any(|(n, v)| n == *name && v == *value))
    };
    let still: Vec<&str> =
        visible_state(model, trace, Position::FIRST, view).filter(lasting).map(|(name, _)| name).collect();
    if view.full
        || visible_state(model, trace, Position::FIRST, view).count() <= MOST_VARIABLES
        || still.len() < 2
    {
        return lines;
    }
    lines.retain(|line| line.split_once(" = ").is_none_or(|(name, _)| !still.contains(&name)));
    let folded = format!("and {} that never change (--full shows them): {}", still.len(), still.join(", "));
    lines
        .extend(wrapped(&folded, view.width.saturating_sub(10), 2).iter().map(|line| view.paint.faint(line)));
    lines
}

/// The lines below a label: the state or what changed of it, and what `--show` asks for.
pub(super) fn state_lines(model: &Model, trace: &Trace, at: Position, view: &View) -> Vec<String> {
    let mut lines: Vec<String> = if at == Position::FIRST || view.full {
        let state = visible_state(model, trace, at, view);
        state.map(|(name, value)| format!("{name} = {}", model.types.show_value(value))).collect()
    } else {
        let old = |text: &str| view.paint.faint(text);
        visible_changes(model, trace, at, view).iter().map(|c| change_text(c, old)).collect()
    };
    for shown in &view.shown {
        let value_at = |at: Position| eval_state(model, &shown.expr, trace.moment(at));
        let value = value_at(at);
        if view.full || at.previous().is_none_or(|before| value_at(before) != value) {
            lines.push(format!(
                "{} {}",
                view.paint.faint(&format!("{}:", shown.text)),
                model.types.show_value(&value)
            ));
        }
    }
    lines
}

/// A change in one line: `phase[Alice]: Idle → Waiting`, `knows gains Na`. `old` decorates what was before.
pub fn change_text(change: &Difference, old: impl Fn(&str) -> String) -> String {
    match change.change {
        Change::Replaced => format!("{}: {} → {}", change.place, old(&change.before), change.after),
        Change::Gained => format!("{} gains {}", change.place, change.after),
        Change::Lost => format!("{} loses {}", change.place, change.before),
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;
    use crate::model::Variable;
    use crate::model::expr::VarId;

    #[test]
    fn shows_labels_changes_positions_and_the_violation() {
        let marks = Marks {
            positions: [("i", 1), ("j", 3), ("k", 3)].map(|(name, at)| (name, Position::new(at))).to_vec(),
            violations: vec![(Position::new(3), "violates `safe`".into())],
        };
        let text = trace_text(&fixture::model(), &fixture::violating(), &marks, &View::plain(80), 2);
        let expected = [
            "      0  first state",
            "           sender = none",
            "           knows = {}",
            "           busy = [Alice: false, Eve: false]",
            "  i   1  send(a=Alice)",
            "           sender: none → Alice",
            "           knows gains Alice",
            "      2  idle",
            "  j,k 3  send(a=Eve)  ← violates `safe`",
            "           sender: Alice → Eve",
            "           knows gains Eve",
            "           busy[Eve]: false → true",
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn full_shows_whole_states_and_hidden_variables_never() {
        let view = View { full: true, hidden: vec![VarId(1)], ..View::plain(80) };
        let text = trace_text(&fixture::model(), &fixture::accepting(), &Marks::default(), &view, 0);
        assert_eq!(text.matches("busy = ").count(), 3);
        assert!(!text.contains("knows"));
    }

    #[test]
    fn labels_are_wrapped_between_steps() {
        let (model, trace) = (fixture::model(), fixture::violating());
        for (width, expected) in [
            (34, &["send(a=Alice) → idle → send(a=Eve)"][..]),
            (33, &["send(a=Alice) → idle →", "send(a=Eve)"]),
            (20, &["send(a=Alice) →", "idle → send(a=Eve)"]),
            (8, &["send(a=Alice) →", "idle →", "send(a=Eve)"]),
        ] {
            assert_eq!(wrapped_labels(&model, &trace, width), expected);
        }
        assert_eq!(labels_line(&model, &trace), "send(a=Alice) → idle → send(a=Eve)");
        let initial = Trace { moments: trace.moments[..1].to_vec() };
        assert_eq!(labels_line(&model, &initial), "a first state, without any step");
    }

    #[test]
    fn of_a_long_first_state_what_never_changes_is_only_named() {
        let (mut model, mut trace) = (fixture::model(), fixture::violating());
        let more: Vec<_> = (0..9).map(|n| (format!("still{n}"), Value::Int(n))).collect();
        for (name, value) in more {
            model.variables.push(Variable { name, ..model.variables[0].clone() });
            trace.moments.iter_mut().for_each(|moment| moment.state.0.push(value.clone()));
        }
        let shown = |view: &View| trace_text(&model, &trace, &Marks::default(), view, 0);
        let text = shown(&View::plain(60));
        let expected = "     busy = [Alice: false, Eve: false]
     and 9 that never change (--full shows them):
       still0, still1, still2, still3, still4, still5,
       still6, still7, still8
1  send(a=Alice)
";
        assert!(text.contains(expected), "{text}");
        assert!(!text.contains("still0 = "));
        assert!(shown(&View { full: true, ..View::plain(60) }).contains("still0 = 0"));
    }
}
