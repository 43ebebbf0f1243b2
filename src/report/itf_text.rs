//! A stored trace without its model: what its file alone tells.

use serde_json::{Map, Value as Json};
use std::fmt::Write;

/// A trace in ITF as text: the first state, then what each step changed, or whole states with `full`.
/// Variables named in `hidden` are left out. An error says why the text is not a trace.
pub fn itf_text(text: &str, full: bool, hidden: &[String]) -> Result<String, String> {
    let document: Json = serde_json::from_str(text).map_err(|error| format!("this is not JSON: {error}"))?;
    let states = document.get("states").and_then(Json::as_array).ok_or("there is no list `states`")?;
    let order: Vec<&str> = document
        .get("vars")
        .and_then(Json::as_array)
        .into_iter()
        .flatten()
        .filter_map(Json::as_str)
        .collect();
    let mut out = String::new();
    let width = states.len().saturating_sub(1).to_string().len();
    let mut before: Option<&Map<String, Json>> = None;
    for (at, state) in states.iter().enumerate() {
        let state = state.as_object().ok_or_else(|| format!("state {at} is not an object"))?;
        let label =
            label(state).unwrap_or_else(|| if at == 0 { "first state".into() } else { "step".into() });
        let _ = writeln!(out, "{at:>width$}  {label}");
        let listed = order.iter().filter_map(|name| state.get_key_value(*name));
        let others = state.iter().filter(|(name, _)| !order.contains(&name.as_str()));
        for (name, value) in listed.chain(others) {
            if is_label(name) || name.starts_with('#') || hidden.contains(name) {
                continue;
            }
            let pad = " ".repeat(width + 4);
            match before.and_then(|b| b.get(name)).filter(|_| !full) {
                Some(old) if old == value => {}
                Some(old) => {
                    let _ = writeln!(out, "{pad}{name}: {} → {}", show(old), show(value));
                }
                None => {
                    let _ = writeln!(out, "{pad}{name} = {}", show(value));
                }
            }
        }
        before = Some(state);
    }
    Ok(out)
}

/// The names under which this program and Quint store the label of a step.
fn is_label(name: &str) -> bool {
    ["action_taken", "parameters", "mbt::actionTaken", "mbt::nondetPicks"].contains(&name)
}

fn label(state: &Map<String, Json>) -> Option<String> {
    let action = state.get("action_taken").or(state.get("mbt::actionTaken"))?.as_str()?;
    let arguments = state.get("parameters").or(state.get("mbt::nondetPicks")).and_then(Json::as_object);
    let arguments: Vec<String> =
        arguments.into_iter().flatten().map(|(name, value)| format!("{name}={}", show(value))).collect();
    Some(match (action, arguments.as_slice()) {
        ("init", []) => "first state".to_owned(),
        (action, []) => action.to_owned(),
        (action, arguments) => format!("{action}({})", arguments.join(",")),
    })
}

/// A value as a model would write it, as far as the file tells.
fn show(value: &Json) -> String {
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

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    #[test]
    fn what_was_written_can_be_shown_without_the_model() {
        let stored = crate::trace::to_itf(&fixture::model(), &fixture::violating());
        let expected = "\
0  first state
     knows = {}
     busy = [Alice: false, Eve: false]
1  send(a=Alice)
     knows: {} → {Alice}
2  idle
3  send(a=Eve)
     knows: {Alice} → {Alice, Eve}
     busy: [Alice: false, Eve: false] → [Alice: false, Eve: true]
";
        assert_eq!(itf_text(&stored, false, &["sender".to_owned()]).as_deref(), Ok(expected));
        let full = itf_text(&stored, true, &[]).expect("readable");
        assert_eq!(full.matches("sender = ").count(), 4);
    }

    #[test]
    fn values_of_other_tools_are_shown() {
        for (json, expected) in [
            (r##"{"#tup": [1, {"#bigint": "-7"}]}"##, "(1, -7)"),
            (r##"{"tag": "Ok", "value": {"#tup": []}}"##, "Ok"),
            (r##"{"tag": "Err", "value": "late"}"##, "Err(late)"),
            (r##"{"tag": "Some", "value": {"a": true}}"##, "(a: true)"),
            (r##"["x", {"#map": [[1, {"#set": []}]]}]"##, "[x, [1: {}]]"),
        ] {
            assert_eq!(show(&serde_json::from_str(json).expect("JSON")), expected);
        }
    }

    #[test]
    fn what_is_not_a_trace_says_why() {
        assert!(itf_text("{", false, &[]).is_err_and(|e| e.starts_with("this is not JSON")));
        assert!(itf_text("{}", false, &[]).is_err_and(|e| e == "there is no list `states`"));
        assert!(itf_text(r#"{"states": [1]}"#, false, &[]).is_err_and(|e| e == "state 0 is not an object"));
    }
}
