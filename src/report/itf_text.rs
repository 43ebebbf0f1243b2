//! A stored trace without its model: what its file alone tells.

use crate::trace::ItfFile;
use serde_json::Value as Json;
use std::fmt::Write;

/// A trace in ITF as text: the first state, then what each step changed, or whole states with `full`.
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
        return if at == 0 { "first state".to_owned() } else { "step".to_owned() };
    };
    let arguments: Vec<String> =
        arguments.into_iter().flatten().map(|(name, value)| format!("{name}={}", show(value))).collect();
    match arguments.as_slice() {
        [] => action.to_owned(),
        arguments => format!("{action}({})", arguments.join(",")),
    }
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
        let file = ItfFile::parse(&stored).expect("readable");
        assert_eq!(itf_text(&file, false, &["sender".to_owned()]), expected);
        let full = itf_text(&file, true, &[]);
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
    fn labels_of_other_files_are_shown_and_variables_named_like_them_are_variables() {
        for (vars, state, meta, expected) in [
            ("mbt::actionTaken", r#""mbt::actionTaken": "go""#, "{}", "0  go\n1  go\n"),
            (
                "action_taken__",
                r#""action_taken__": "go""#,
                "{}",
                "0  first state\n     action_taken__ = go\n1  step\n",
            ),
            (
                "action_taken",
                r#""action_taken": "go", "parameters": {"n": 1}"#,
                "{}",
                "0  go(n=1)\n1  go(n=1)\n",
            ),
            (
                "action_taken",
                r#""action_taken": "go", "parameters": 1"#,
                r#"{"action": "run"}"#,
                "0  run\n     action_taken = go\n     parameters = 1\n1  run\n",
            ),
        ] {
            let vars =
                if state.contains("parameters") { format!("{vars}\", \"parameters") } else { vars.into() };
            let state = format!("{{\"#meta\": {meta}, {state}}}");
            let text = format!("{{\"vars\": [\"{vars}\"], \"states\": [{state}, {state}]}}");
            assert_eq!(itf_text(&ItfFile::parse(&text).expect("readable"), false, &[]), expected);
        }
    }

    #[test]
    fn a_loop_is_shown() {
        let text = r#"{"vars": ["x"], "states": [{"x": 1}, {"x": 2}], "loop": 1}"#;
        let shown = itf_text(&ItfFile::parse(text).expect("readable"), false, &[]);
        assert!(shown.ends_with("   back to state 1, and so on for ever\n"), "{shown}");
    }

    #[test]
    fn what_is_not_a_trace_says_why() {
        for (text, expected) in [
            ("{", "this is not JSON: EOF while parsing an object at line 1 column 1"),
            ("{}", "the list `vars` is missing"),
            (r#"{"vars": "x", "states": [{}]}"#, "`vars`: it is not a list"),
            (r#"{"vars": [], "states": {}}"#, "`states`: it is not a list"),
            (r#"{"vars": [1], "states": [{}]}"#, "`vars`: expected the name of a variable, found 1"),
            (r#"{"vars": ["x", "x"], "states": [{}]}"#, "`vars`: \"x\" is listed twice"),
            (r#"{"vars": []}"#, "the list `states` is missing"),
            (r#"{"vars": [], "states": []}"#, "`states` is empty; a trace has at least one state"),
            (r#"{"vars": [], "states": [1]}"#, "state 0: it is not a JSON object"),
            (r#"{"vars": ["x"], "states": [{"y": 1}]}"#, "state 0: `x`: it is in `vars`, but has no value"),
            (r#"{"vars": [], "states": [{}], "loop": 1}"#, "`loop`: expected the index of a state, found 1"),
        ] {
            assert_eq!(ItfFile::parse(text).expect_err(text).to_string(), expected);
        }
    }
}
