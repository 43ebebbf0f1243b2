//! Traces as text: the initial state, then what each step does and what it changes.

use super::{Trace, differences, value_differences};
use crate::model::eval::eval_state;
use crate::model::value::Value;
use crate::model::{Model, Observable};

/// Options for printing a trace.
#[derive(Debug, Clone, Copy, Default)]
pub struct TextOptions<'a> {
    /// True if to print all variables after each step instead of only the changes.
    pub full: bool,
    /// Further expressions to print for each state; `hide` does not apply to them.
    pub columns: &'a [Observable],
    /// Names of variables that are not printed.
    pub hide: &'a [String],
}

/// Prints a trace; every line ends with a line feed. Step `n` leads to state `n`.
///
/// ```text
/// state 0
///   phase = [Alice: Idle, Bob: Idle]
/// step 1: start(b=Eve)
///   phase[Alice]: Idle -> Waiting
/// ```
///
/// With `full`, the whole state follows each step, in the form of state 0.
pub fn to_text(model: &Model, trace: &Trace, options: &TextOptions<'_>) -> String {
    let mut text = String::new();
    let mut columns_before: Vec<Value> = Vec::new();
    for (at, moment) in trace.positions().zip(&trace.moments) {
        let columns: Vec<Value> =
            options.columns.iter().map(|c| eval_state(model, &c.expr, moment)).collect();
        text += &match &moment.label {
            None => format!("state {at}\n"),
            Some(label) => format!("step {at}: {}\n", model.show_label(label)),
        };
        let lines: Vec<String> = if let Some(before) = at.previous().filter(|_| !options.full) {
            let hidden = |place: &String| options.hide.iter().any(|name| name == variable_of(place));
            let mut changed = differences(model, trace.state(before), &moment.state);
            changed.retain(|d| !hidden(&d.place));
            let extra = options.columns.iter().zip(columns_before.iter().zip(&columns));
            let extra = extra.flat_map(|(c, (a, b))| value_differences(&model.types, &c.text, a, b));
            let lines: Vec<String> = changed.into_iter().chain(extra).map(|d| d.to_string()).collect();
            if lines.is_empty() { vec!["(nothing changes)".into()] } else { lines }
        } else {
            let variables = model.variables.iter().zip(&moment.state.0);
            let shown = variables.filter(|(v, _)| !options.hide.contains(&v.name));
            let shown = shown.map(|(v, value)| (&v.name, value));
            let extra = options.columns.iter().map(|c| &c.text).zip(&columns);
            shown.chain(extra).map(|(name, v)| format!("{name} = {}", model.types.show_value(v))).collect()
        };
        for line in lines {
            text += &format!("  {line}\n");
        }
        columns_before = columns;
    }
    text
}

fn variable_of(place: &str) -> &str {
    place.split(['.', '[']).next().unwrap_or(place)
}
