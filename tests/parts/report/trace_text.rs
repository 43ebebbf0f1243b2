//! Tests of `report::traces::trace_text`.

use crate::fixture;
use lang::model::expr::VarId;
use lang::model::value::Value;
use lang::model::{Position, Variable};
use lang::trace::Trace;
use report::DisplayOptions;
use report::traces::trace_text::*;
use report::writing::marks::Marks;

#[test]
fn shows_labels_changes_positions_and_the_violation() {
    let marks = Marks {
        positions: [("i", 1), ("j", 3), ("k", 3)].map(|(name, at)| (name, Position::new(at))).to_vec(),
        remarks: vec![(Position::new(3), "violates `safe`".into())],
    };
    let text = trace_text(&fixture::model(), &fixture::violating(), &marks, &DisplayOptions::plain(80), 2);
    let expected = [
        "      0  initial state",
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
    let view = DisplayOptions { full: true, hidden: vec![VarId(1)], ..DisplayOptions::plain(80) };
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
    assert_eq!(labels_line(&model, &initial), "an initial state (0 steps)");
}

#[test]
fn of_a_long_first_state_what_never_changes_is_only_named() {
    let (mut model, mut trace) = (fixture::model(), fixture::violating());
    let more: Vec<_> = (0..9).map(|n| (format!("still{n}"), Value::Int(n))).collect();
    for (name, value) in more {
        model.variables.push(Variable { name, ..model.variables[0].clone() });
        trace.moments.iter_mut().for_each(|moment| moment.state.0.push(value.clone()));
    }
    let shown = |view: &DisplayOptions| trace_text(&model, &trace, &Marks::default(), view, 0);
    let text = shown(&DisplayOptions::plain(60));
    let expected = "     busy = [Alice: false, Eve: false]
     and 9 that never change (--full shows them):
       still0, still1, still2, still3, still4, still5,
       still6, still7, still8
1  send(a=Alice)
";
    assert!(text.contains(expected), "{text}");
    assert!(!text.contains("still0 = "));
    assert!(shown(&DisplayOptions { full: true, ..DisplayOptions::plain(60) }).contains("still0 = 0"));
}
