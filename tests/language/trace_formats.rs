//! Differences, text, ITF and sequence diagrams of traces.

use crate::postbox;

use crate::build::*;
use cladist::model::Position;
use cladist::trace::{
    ItfFile, ItfTrace, Lasso, Trace, differences, from_itf, lasso_to_itf, sequence_diagram, stored_from_itf,
    to_itf,
};
use postbox::*;

fn trace() -> Trace {
    Trace { moments: walk() }
}

#[test]
fn differences_go_down_to_parts() {
    let m = postbox();
    let cases = [
        (start(), start(), vec![]),
        (
            start(),
            state(message(0, 1), phases([1, 0, 0]), agents(&[2]), 0),
            vec![
                "net: none -> Message(sender: Alice, receiver: Bob, urgent: none)",
                "phase[Alice]: Idle -> Busy",
            ],
        ),
        (
            state(message(0, 1), phases([1, 0, 0]), agents(&[2]), 0),
            state(message(2, 1), phases([0, 0, 1]), agents(&[0, 1]), 2),
            vec![
                "net.sender: Alice -> Eve",
                "phase[Alice]: Busy -> Idle",
                "phase[Eve]: Idle -> Busy",
                "knows loses Eve",
                "knows gains Alice",
                "knows gains Bob",
                "count: 0 -> 2",
            ],
        ),
    ];
    for (a, b, expected) in cases {
        let found: Vec<String> = differences(&m, &a, &b).iter().map(|d| d.to_string()).collect();
        assert_eq!(found, expected);
    }
}

#[test]
fn itf_comes_back_as_it_was() {
    let m = postbox();
    assert_eq!(from_itf(&m, &to_itf(&m, &trace())), Ok(trace()));
    let first = Trace { moments: walk()[..1].to_vec() };
    assert_eq!(from_itf(&m, &to_itf(&m, &first)), Ok(first));
}

#[test]
fn infinite_traces_come_back_as_they_were() {
    let m = postbox();
    let mut trace = trace();
    let mut again = trace.moments[1].clone();
    again.label = trace.moments[2].label.clone();
    trace.moments.push(again);
    let lasso = Lasso { trace, start: Position::new(1) };
    assert_eq!(stored_from_itf(&m, &lasso_to_itf(&m, &lasso)), Ok(ItfTrace::Infinite(lasso.clone())));
    // Other tools do not repeat the state: what leads back is the step that leads to it.
    let mut document: serde_json::Value = serde_json::from_str(&lasso_to_itf(&m, &lasso)).unwrap();
    assert_eq!(document["loop"], 2);
    document["states"].as_array_mut().unwrap().pop();
    let mut shorter = lasso.trace.moments;
    shorter.pop();
    shorter.push(shorter[2].clone());
    let expected = Lasso { trace: Trace { moments: shorter }, start: Position::new(2) };
    assert_eq!(stored_from_itf(&m, &document.to_string()), Ok(ItfTrace::Infinite(expected)));
    document["loop"] = 0.into();
    let error = stored_from_itf(&m, &document.to_string()).unwrap_err().to_string();
    assert_eq!(error, "`loop`: the step back to the initial state has no label in the file");
}

#[test]
fn itf_is_what_other_tools_expect() {
    let m = postbox();
    let document: serde_json::Value = serde_json::from_str(&to_itf(&m, &trace())).unwrap();
    assert_eq!(document["#meta"]["format"], "ITF");
    let vars: Vec<&str> = document["vars"].as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect();
    assert_eq!(vars, ["net", "phase", "knows", "count"]);
    let expected = serde_json::json!({
        "#meta": { "index": 1, "action": "send", "parameters": { "a": "Alice", "b": "Bob" } },
        "net": { "tag": "Some", "value": {
            "sender": "Alice", "receiver": "Bob", "urgent": { "tag": "None", "value": { "#tup": [] } },
        } },
        "phase": { "#map": [["Alice", "Busy"], ["Bob", "Idle"], ["Eve", "Idle"]] },
        "knows": { "#set": ["Eve"] },
        "count": { "#bigint": "0" },
    });
    assert_eq!(document["states"][1], expected);
    assert_eq!(document["states"][0]["#meta"]["action"], "init");
}

#[test]
fn itf_with_plain_numbers_and_variants_and_foreign_names_is_read() {
    let m = postbox();
    let text = to_itf(&m, &trace())
        .replace("{\n        \"#bigint\": \"1\"\n      }", "1")
        .replace("\"sender\": \"Alice\"", r##""sender": { "tag": "Alice", "value": { "#tup": [] } }"##)
        .replace("\"knows\":", "\"mbt::foreign\": 3, \"knows\":");
    assert!(text.contains("\"count\": 1,") && text.contains("\"tag\": \"Alice\"") && text.contains("mbt::"));
    assert_eq!(from_itf(&m, &text), Ok(trace()));
}

#[test]
fn labels_in_itf_keep_clear_of_variables() {
    let mut m = postbox();
    m.variables[2].name = "action_taken".into();
    m.variables[3].name = "parameters".into();
    assert_eq!(from_itf(&m, &to_itf(&m, &trace())), Ok(trace()));
    let file = ItfFile::parse(&to_itf(&m, &trace())).unwrap();
    assert_eq!(file.vars, ["net", "phase", "action_taken", "parameters"]);
    let steps: Vec<_> = (0..3).map(|at| file.step(at).map(|(action, _)| action)).collect();
    assert_eq!(steps, [None, Some("send"), Some("learn")]);
}

#[test]
fn itf_of_earlier_versions_is_read() {
    let mut m = postbox();
    for (name, label) in
        [("count", ["action_taken", "parameters"]), ("parameters", ["action_taken", "parameters_"])]
    {
        m.variables[3].name = name.into();
        let mut document: serde_json::Value = serde_json::from_str(&to_itf(&m, &trace())).unwrap();
        document["vars"].as_array_mut().unwrap().extend(label.map(Into::into));
        for state in document["states"].as_array_mut().unwrap() {
            let meta = state["#meta"].as_object_mut().unwrap();
            let parts = ["action", "parameters"].map(|key| meta.remove(key).unwrap());
            for (name, value) in label.iter().zip(parts) {
                state[*name] = value;
            }
        }
        assert_eq!(from_itf(&m, &document.to_string()), Ok(trace()), "{label:?}");
        document["states"][1][label[0]] = "fly".into();
        let error = from_itf(&m, &document.to_string()).unwrap_err().to_string();
        assert_eq!(error, "state 1: `action_taken`: the model has no action \"fly\"");
    }
}

#[test]
fn mistakes_in_itf_are_located() {
    let m = postbox();
    let good: serde_json::Value = serde_json::from_str(&to_itf(&m, &trace())).unwrap();
    let mut with_tax = good["states"][3].clone();
    with_tax["tax"] = 1.into();
    let big = serde_json::json!({ "#bigint": "100000000000000000000" });
    let cases: [(&str, &str, serde_json::Value); 16] = [
        ("/states/1/count", "state 1: `count`: 100000000000000000000 is not in 0..2", big),
        ("/states/1/count", "state 1: `count`: 7 is not in 0..2", 7.into()),
        ("/states/1/count", "state 1: `count`: expected a value of 0..2, found \"x\"", "x".into()),
        (
            "/states/2/net/value/sender",
            "state 2: `net`: in `.sender`: expected a value of Agent, found \"Mallory\"",
            "Mallory".into(),
        ),
        ("/states/2/net", "state 2: `net`: expected a value of Message, found 3", 3.into()),
        ("/states/0/phase/#map/1/0", "state 0: `phase`: the map has two entries for Alice", "Alice".into()),
        (
            "/states/0/phase/#map/1",
            "state 0: `phase`: expected a value of map Agent to Phase, found \
             {\"#map\":[[\"Alice\",\"Idle\"],[],[\"Eve\",\"Idle\"]]}",
            serde_json::json!([]),
        ),
        ("/states/0/phase/#map", "state 0: `phase`: the entry for Alice is missing", serde_json::json!([])),
        (
            "/states/0/phase/#map/2/1",
            "state 0: `phase`: in `[Eve]`: expected a value of Phase, found true",
            true.into(),
        ),
        ("/states/1/#meta/action", "state 1: `#meta.action`: the model has no action \"fly\"", "fly".into()),
        (
            "/states/0/#meta/action",
            "state 0: `#meta.action`: no step leads to the initial state; expected \"init\", \
             found \"send\"",
            "send".into(),
        ),
        (
            "/states/1/#meta/parameters",
            "state 1: `#meta.parameters`: the value of `b` is missing",
            serde_json::json!({ "a": "Alice" }),
        ),
        (
            "/states/2/#meta/parameters",
            "state 2: `#meta.parameters`: action `learn` has no parameter `x`",
            serde_json::json!({ "x": 1 }),
        ),
        ("/states/3", "state 3: `net`: it is in `vars`, but has no value", serde_json::json!({})),
        ("/states", "`states` is empty; a trace has at least one state", serde_json::json!([])),
        ("/states/3", "state 3: `tax`: the model has no such variable", with_tax),
    ];
    for (place, expected, value) in cases {
        let mut document = good.clone();
        *document.pointer_mut(place).unwrap() = value;
        let error = from_itf(&m, &document.to_string()).unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert_eq!(error.help().contains("wider range"), expected.contains(" is not in 0..2"), "{expected}");
    }
    let mut without_label = good.clone();
    without_label["states"][2]["#meta"].as_object_mut().unwrap().remove("action");
    let error = from_itf(&m, &without_label.to_string()).unwrap_err().to_string();
    assert_eq!(error, "state 2: `#meta.action`: it is missing; it names the action that was taken");
    let mut lasso = good.clone();
    lasso["loop"] = 1.into();
    let error = from_itf(&m, &lasso.to_string()).unwrap_err().to_string();
    assert_eq!(error, "this trace is infinite, and a finite one is needed");
    assert!(from_itf(&m, "{").unwrap_err().to_string().starts_with("this is not JSON: "));
    assert_eq!(from_itf(&m, "[]").unwrap_err().to_string(), "the list `vars` is missing");
}

#[test]
fn states_of_tlc_are_read_in_their_order() {
    let first = "State 1: <Initial predicate>\n/\\ x = 0\n/\\ y = {}\n\n";
    let second = "State 2: <Up line 3>\n/\\ x = 1\n/\\ y = {1..2}\n\n";
    for (rest, states, back_to) in [
        ("", 2, None),
        ("State 3: Up\n/\\ x = 2\n/\\ y = {}\n", 3, None),
        ("State 3: Stuttering\n", 3, Some(2)),
        ("Back to state 1: <Up line 3>\n", 3, Some(1)),
        ("1: Back to state: <Up line 3>\n", 3, Some(1)),
        ("12:30:01 done\n", 2, None),
    ] {
        let file =
            ItfFile::parse(&format!("{first}{second}{rest}")).unwrap_or_else(|why| panic!("{rest}: {why}"));
        assert_eq!((file.states.len(), file.back_to), (states, back_to), "{rest}");
    }
    let crowd = format!("State 1: <I>\n/\\ x = {{{}1}}\n", "1..10000,".repeat(20));
    let long = format!("State 1: <I>\n/\\ x = {{}} {}\n", "long".repeat(100));
    for (text, part) in [
        (format!("{first}State 3: <x>\n/\\ x = 3\n/\\ y = {{}}\n"), "state 3 follows state 1"),
        (format!("{first}{second}State 2: <x>\n/\\ x = 3\n/\\ y = {{}}\n"), "state 2 follows state 2"),
        (format!("{first}{second}{first}{second}"), "a second trace begins"),
        (second.to_owned(), "the trace begins with state 2"),
        (format!("{first}Back to state 99\n"), "no state 99"),
        (format!("{first}Back to state 0\n"), "no state 0"),
        (format!("{first}{second}3: Back to state: <x>\n"), "no state 3"),
        (format!("{first}Back to state: <x>\n"), "has no number"),
        (format!("{first}State 3: Stuttering\n"), "state 3 follows state 1"),
        (format!("{first}State 2: Stuttering\n{second}"), "goes on after its end"),
        ("State 1: <I>\n/\\ x = 0 + 7\n/\\ y = {}\n".to_owned(), "expected the end of the line, found `+ 7`"),
        ("State 1: <I>\n/\\ x = 0\n/\\ x = 1\n".to_owned(), "`x` has two values"),
        ("State 1: <I>\n/\\ x = {\n".to_owned(), "found the end"),
        (crowd, "more than 100000 values"),
        (long, "long…"),
        ("hello".to_owned(), "not JSON"),
    ] {
        let fault = ItfFile::parse(&text).map(|_| ()).expect_err(part);
        let said = fault.to_string();
        assert!(said.contains(part) && said.len() < 200, "{part}: {said}");
        assert!(fault.state.is_some() || fault.help().contains("TLC"), "{part}: {}", fault.help());
    }
}

#[test]
fn messages_show_the_beginning_of_long_values() {
    let text = to_itf(&postbox(), &trace()).replacen("\"#set\"", "\"#bag\"", 1);
    let long = text.replacen("\"#bag\": [", &format!("\"#bag\": [{}", "\"Alice\", ".repeat(1000)), 1);
    assert_ne!(text, long, "there is a set");
    let fault = from_itf(&postbox(), &long).map(|_| ()).expect_err("no set").to_string();
    assert!(fault.ends_with('…') && fault.len() < 200, "{fault}");
}

#[test]
fn sequence_diagrams() {
    let m = postbox();
    let expected = "\
sequenceDiagram
    participant Alice
    participant Bob
    participant Eve
    Alice->>Bob: 1. none
    Note over Alice,Eve: 2. learn
    Note over Alice,Eve: 3. tick
    Bob->>Eve: 4. none
";
    assert_eq!(sequence_diagram(&m, &m.diagrams[0], &trace()), expected);
}

#[test]
fn sequence_diagrams_of_difficult_names() {
    let mut m = postbox();
    m.types.enums[1].variants[0] = "end".into();
    m.diagrams[0].content = var(&m, "net");
    let text = sequence_diagram(&m, &m.diagrams[0], &Trace { moments: walk()[..2].to_vec() });
    let expected = "\
sequenceDiagram
    participant p0_ as #101;nd
    participant Bob
    p0_->>Bob: 1. Message(sender: end, receiver: Bob, urgent: none)
";
    assert_eq!(text, expected);
    let nobody = sequence_diagram(&m, &m.diagrams[0], &Trace { moments: walk()[..1].to_vec() });
    assert_eq!(nobody, "sequenceDiagram\n    participant system\n");
}
