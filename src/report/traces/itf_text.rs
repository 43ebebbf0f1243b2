//! A stored trace without its model: what its file alone tells.

use lang::trace::ItfFile;
use serde_json::Value as Json;
use std::fmt::Write;

/// A trace in ITF as text: the initial state, then what each step changed, or whole states with `full`.
/// Variables named in `hidden` are left out.
pub fn itf_text(file: &ItfFile, full: bool, hidden: &[String]) -> String {
    let mut out = String::new();
    let width = file.states.len().saturating_sub(1).to_string().len();
    let pad = " ".repeat(width + 4);
    for (at, state) in file.states.iter().enumerate() {
        let _ = writeln!(out, "{at:>width$}  {}", label(file, at));
        let before = at.checked_sub(1).map(|before| &file.states[before]).filter(|_| !full);
        for name in file.vars.iter().filter(|name| !hidden.contains(name)) {
            let value = &state[name];
            match before.map(|before| &before[name]) {
                Some(old) if old == value => {}
                Some(old) => {
                    let _ = writeln!(out, "{pad}{name}: {} → {}", show(old), show(value));
                }
                None => {
                    let _ = writeln!(out, "{pad}{name} = {}", show(value));
                }
            }
        }
    }
    if let Some(at) = file.back_to {
        let _ = writeln!(out, "{:width$}  back to state {at}, and so on for ever", "");
    }
    out
}

fn label(file: &ItfFile, at: usize) -> String {
    let Some((action, arguments)) = file.step(at) else {
        return if at == 0 { "initial state".to_owned() } else { "step".to_owned() };
    };
    let arguments: Vec<String> =
        arguments.into_iter().flatten().map(|(name, value)| format!("{name}={}", show(value))).collect();
    match arguments.as_slice() {
        [] => action.to_owned(),
        arguments => format!("{action}({})", arguments.join(",")),
    }
}

/// A value as a model would write it, as far as the file tells.
pub fn show(value: &Json) -> String {
    let list = |items: &[Json]| items.iter().map(show).collect::<Vec<_>>().join(", ");
    let Json::Object(fields) = value else {
        return match value {
            Json::String(text) => text.clone(),
            Json::Array(items) => format!("[{}]", list(items)),
            other => other.to_string(),
        };
    };
    let special = |name: &str| fields.get(name);
    if let Some(Json::String(digits)) = special("#bigint") {
        return digits.clone();
    }
    if let Some(Json::Array(items)) = special("#set") {
        return format!("{{{}}}", list(items));
    }
    if let Some(Json::Array(items)) = special("#tup") {
        return format!("({})", list(items));
    }
    if let Some(Json::Array(entries)) = special("#map") {
        let entry = |e: &Json| {
            format!("{}: {}", e.get(0).map(show).unwrap_or_default(), e.get(1).map(show).unwrap_or_default())
        };
        return format!("[{}]", entries.iter().map(entry).collect::<Vec<_>>().join(", "));
    }
    if let (Some(Json::String(tag)), value) = (special("tag"), special("value")) {
        return match (tag.as_str(), value.map(show).filter(|v| v != "()")) {
            ("None", _) => "none".to_owned(),
            ("Some", Some(value)) => value,
            (tag, None) => tag.to_owned(),
            (tag, Some(value)) => format!("{tag}({value})"),
        };
    }
    let fields: Vec<String> = fields.iter().map(|(name, value)| format!("{name}: {}", show(value))).collect();
    format!("({})", fields.join(", "))
}
