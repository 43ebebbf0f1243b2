//! Tests of `report::traces::itf_text`.

use crate::fixture;
use lang::trace::ItfFile;
use report::traces::itf_text::*;

#[test]
fn what_was_written_can_be_shown_without_the_model() {
    let stored = lang::trace::to_itf(&fixture::model(), &fixture::violating());
    let expected = "\
0  initial state
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
            "0  initial state\n     action_taken__ = go\n1  step\n",
        ),
        ("action_taken", r#""action_taken": "go", "parameters": {"n": 1}"#, "{}", "0  go(n=1)\n1  go(n=1)\n"),
        (
            "action_taken",
            r#""action_taken": "go", "parameters": 1"#,
            r#"{"action": "run"}"#,
            "0  run\n     action_taken = go\n     parameters = 1\n1  run\n",
        ),
    ] {
        let vars = if state.contains("parameters") { format!("{vars}\", \"parameters") } else { vars.into() };
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
