//! Traces for the terminal: labels, what changed, and the positions of a constraint in the margin.

use crate::shared::evaluate::{visible_changes, visible_state};
use crate::shared::request::DisplayOptions;
use crate::shared::verdict::steps;
use crate::traces::chart_text::chart_text;
use crate::writing::columns::wrapped;
use crate::writing::marks::Marks;
use itertools::Itertools;
use lang::model::eval::eval_state;
use lang::model::value::Value;
use lang::model::{Model, Position};
use lang::trace::{Change, Difference, Lasso, Trace};
use solvers::smt::Theory;
use solvers::unroll::IntegerForms;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// A trace as lines, each indented by `indent` columns: the initial state as a whole, then labels with
/// what changed; everything at every state when the view asks for it. Traces of protocols are drawn as message sequence charts.
pub fn trace_text(
    model: &Model,
    trace: &Trace,
    marks: &Marks<'_>,
    display: &DisplayOptions,
    indent: usize,
) -> String {
    let mut out = String::new();
    if let Some(chart) = display.chart(model, trace) {
        out.push_str(&chart_text(&chart, marks, display.width, display.paint, indent));
        if !display.full && display.shown.is_empty() {
            return out;
        }
    }
    let margins: Vec<String> = trace.positions().map(|at| marks.margin(at)).collect();
    // One column between the names and the numbers, if there are names.
    let margin_width = margins.iter().map(|m| m.width() + usize::from(!m.is_empty())).max().unwrap_or(0);
    let number_width = trace.len().to_string().len();
    let pad = " ".repeat(indent);
    let inner = " ".repeat(indent + margin_width + number_width + 4);
    for ((at, moment), margin) in trace.positions().zip(&trace.moments).zip(&margins) {
        let fill = " ".repeat(margin_width - margin.width());
        let margin = format!("{}{fill}", display.paint.mark(margin));
        let label = match &moment.label {
            Some(label) => display.paint.bold(&model.show_label(label)),
            None => display.paint.faint("initial state"),
        };
        let violation = match marks.remark(at) {
            Some(text) => format!("  {}", display.paint.bad(&format!("← {text}"))),
            None => String::new(),
        };
        let _ = writeln!(out, "{pad}{margin}{at:>number_width$}  {label}{violation}");
        let lines = match at {
            Position::FIRST => first_lines(model, trace, display),
            _ => state_lines(model, trace, at, display),
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

/// The least number of equal labels in succession that are counted instead of repeated.
const COUNTED: usize = 4;

/// The labels of a trace as lines of up to `width` columns, where a single label is not longer; many equal ones in succession are counted:
/// `tick ×12 → ring`.
pub fn wrapped_labels(model: &Model, trace: &Trace, width: usize) -> Vec<String> {
    let labels = trace.labels().map(|label| model.show_label(label)).dedup_with_count();
    let labels = labels.flat_map(|(times, label)| match times {
        ..COUNTED => vec![label; times],
        _ => vec![format!("{label} ×{times}")],
    });
    let mut lines: Vec<String> = Vec::new();
    let mut labels = labels.peekable();
    while let Some(label) = labels.next() {
        let label = if labels.peek().is_some() { format!("{label} →") } else { label };
        match lines.last_mut() {
            Some(line) if line.width() + 1 + label.width() <= width => {
                line.push(' ');
                line.push_str(&label);
            }
            _ => lines.push(label),
        }
    }
    if lines.is_empty() {
        lines.push("an initial state (0 steps)".to_owned());
    }
    lines
}

/// The label of the step that leads to a position; `initial state` at the beginning.
pub fn label_text(model: &Model, trace: &Trace, at: Position) -> String {
    trace
        .moment(at)
        .label
        .as_ref()
        .map_or_else(|| "initial state".to_owned(), |label| model.show_label(label))
}

/// The most variables of an initial state that are all shown.
const MOST_VARIABLES: usize = 10;

/// The lines of the initial state. Of a long one, the variables that never change are only named, unless all is to be shown.
fn first_lines(model: &Model, trace: &Trace, display: &DisplayOptions) -> Vec<String> {
    let mut lines = state_lines(model, trace, Position::FIRST, display);
    let lasting = |(name, value): &(&str, &Value)| {
        trace
            .positions()
            .skip(1)
            .all(|at| visible_state(model, trace, at, display).any(|(n, v)| n == *name && v == *value))
    };
    let still: Vec<&str> =
        visible_state(model, trace, Position::FIRST, display).filter(lasting).map(|(name, _)| name).collect();
    if display.full
        || visible_state(model, trace, Position::FIRST, display).count() <= MOST_VARIABLES
        || still.len() < 2
    {
        return lines;
    }
    lines.retain(|line| line.split_once(" = ").is_none_or(|(name, _)| !still.contains(&name)));
    let folded = format!("and {} that never change (--full shows them): {}", still.len(), still.join(", "));
    lines.extend(
        wrapped(&folded, display.width.saturating_sub(10), 2).iter().map(|line| display.paint.faint(line)),
    );
    lines
}

/// The lines below a label: the state or what changed of it, and what `--show` asks for.
pub(crate) fn state_lines(
    model: &Model,
    trace: &Trace,
    at: Position,
    display: &DisplayOptions,
) -> Vec<String> {
    let mut lines: Vec<String> = if at == Position::FIRST || display.full {
        let state = visible_state(model, trace, at, display);
        state.map(|(name, value)| format!("{name} = {}", model.types.show_value(value))).collect()
    } else {
        let old = |text: &str| display.paint.faint(text);
        visible_changes(model, trace, at, display).iter().map(|c| change_text(c, old)).collect()
    };
    for shown in &display.shown {
        let value_at = |at: Position| eval_state(model, &shown.expr, trace.moment(at));
        let value = value_at(at);
        if display.full || at.previous().is_none_or(|before| value_at(before) != value) {
            lines.push(format!(
                "{} {}",
                display.paint.faint(&format!("{}:", shown.text)),
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

/// The labels of an infinite trace: `begin → [enter → leave] for ever`.
pub fn lasso_labels(model: &Model, lasso: &Lasso) -> String {
    let labels = lasso.trace.moments.iter().filter_map(|m| m.label.as_ref().map(|l| model.show_label(l)));
    let labels: Vec<String> = labels.collect();
    let (stem, round) = labels.split_at(lasso.start.steps());
    let round = format!("[{}] for ever", round.join(" → "));
    stem.iter().chain([&round]).join(" → ")
}

/// `5 steps, the last 3 for ever`.
pub fn lasso_words(lasso: &Lasso) -> String {
    let round = lasso.round();
    match (lasso.start.steps(), round) {
        (0, 1) => "1 step, for ever".to_owned(),
        (0, _) => format!("{}, for ever", steps(round)),
        (_, 1) => format!("{}, the last for ever", steps(lasso.len())),
        _ => format!("{}, the last {round} for ever", steps(lasso.len())),
    }
}

/// In a few words: `integers as bits: balance, pay.amount`. `None` where there is nothing to say.
pub fn integers_in_short(model: &Model, theory: Option<Theory>) -> Option<String> {
    const MOST: usize = 8;
    let forms = IntegerForms::of(model);
    let names = forms.binary(model);
    match theory {
        None if names.is_empty() => None,
        None => Some(format!("integers as bits: {}", some_of(&names, MOST))),
        Some(_) if names.is_empty() && forms.one_hot(model).is_empty() => None,
        Some(theory) => Some(of_theory(theory).to_owned()),
    }
}

/// Line by line, for each variable and each parameter of an action that has integers: `--verbose`.
pub fn integers_text(model: &Model, theory: Option<Theory>) -> String {
    let forms = IntegerForms::of(model);
    let (binary, one_hot) = (forms.binary(model), forms.one_hot(model));
    if binary.is_empty() && one_hot.is_empty() {
        return "the model has no integers\n".into();
    }
    if let Some(theory) = theory {
        return format!("{}\n", of_theory(theory));
    }
    let line = |what: &str, names: &[String]| match names {
        [] => String::new(),
        names => format!("  {what:<28}{}\n", some_of(names, usize::MAX)),
    };
    let lines = [line("bits", &binary), line("one literal for each value", &one_hot)];
    format!("integers for the solver\n{}", lines.concat())
}

fn of_theory(theory: Theory) -> &'static str {
    match theory {
        Theory::Int => "integers of arithmetic",
        Theory::Bv => "integers as bit vectors",
    }
}

/// The first of some names, and how many more there are.
fn some_of(names: &[String], most: usize) -> String {
    let more = match names.len().saturating_sub(most) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", names[..names.len().min(most)].join(", "))
}
