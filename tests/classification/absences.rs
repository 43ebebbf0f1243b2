//! Absences over stretches that are empty in the counterexample, and marks of classes about initial states.

use cladist::budget::Budget;
use cladist::classify::{Classification, Options, Problem, Restates, Verdict, classify};
use cladist::model::{Model, load_text};
use cladist::unroll::Lengths;
use std::io::ErrorKind;

fn model(text: &str) -> Model {
    let loaded = load_text("model.sts", text, &[], &|_| Err(ErrorKind::NotFound.into()));
    loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}

fn classified(model: &Model, lengths: Lengths) -> Classification {
    let problem = Problem::first(model).expect("an invariant");
    classify(problem, &model.vocabularies[0], &Options::of(lengths), &Budget::unlimited(), &mut ())
}

fn constraints(model: &Model, result: &Classification) -> Vec<String> {
    result.classes.iter().map(|class| class.constraint.show_facts(model, &result.atoms)).collect()
}

/// `a, c, b` is accepted and has all facts of `a, b` but that nothing happens in between.
#[test]
fn an_absence_over_an_empty_stretch_tells_traces_apart() {
    let model = model(
        "model m; var n: 0..2; init { n = 0; }
        action a { require n = 0; n' = 1; }
        action b { n' = if n = 1 then 2 else n; }
        action c { require n = 1; n' = 0; }
        invariant i: n < 2;
        vocabulary v = { eq(action), absent(action), before };",
    );
    let result = classified(&model, Lengths::UpTo(5));
    assert_eq!(result.verdict, Verdict::Complete);
    assert_eq!(
        constraints(&model, &result),
        ["action@i = a ∧ action@j = b ∧ never action = c within (i..j) ∧ i < j"]
    );
}

/// What `eq(x)` says of an integer with many values does not tell that it is not 57.
#[test]
fn facts_about_many_values_do_not_tell_what_is_absent() {
    let with = |items: &str| {
        model(&format!(
            "model m; type Mark = enum {{ Start, P, Mid, Q }};
            var mark : Mark; var x : 0..60; var seen : bool; var bad : bool;
            init {{ mark = Start; x = 0; not seen; not bad; }}
            action p {{ require mark = Start; mark' = P; x' = 1; }}
            action hit {{ require mark = P; mark' = Mid; x' = 57; seen' = true; }}
            action miss {{ require mark = P; mark' = Mid; x' = 55; }}
            action q {{ require mark = Mid; mark' = Q; x' = 2; bad' = not seen; }}
            invariant safe: not bad;
            vocabulary v = {{ {items}, before }};"
        ))
    };
    for items in ["eq(mark), absent(x)", "eq(mark, x), absent(x)"] {
        assert_eq!(classified(&with(items), Lengths::UpTo(6)).verdict, Verdict::Complete, "{items}");
    }
}

/// Without `before`, the places of an accepted trace can lie in another order, and what is empty in one trace is not in the other.
#[test]
fn a_known_weakness_says_nothing_of_absences_where_places_change_their_order() {
    let text = "model m; var p : bool; var since : bool; var q : bool; var x : bool; var bad : bool;
        init { not p; not since; not q; not x; not bad; }
        action P { require not bad; p' = true; since' = false; bad' = q; x' = q and not p; }
        action A { require not bad; since' = true; }
        action Q { require not bad; q' = true; bad' = p and not since; x' = p and not since; }
        invariant safe: not bad;";
    let with = |items: &str| model(&format!("{text} vocabulary v = {{ {items} }};"));
    let (weak, strong) = (with("eq(action, x)"), with("eq(action), absent(action)"));
    let lengths = Lengths::UpTo(7);
    let Verdict::TooWeak(pair) = classified(&weak, lengths).verdict else { panic!("not too weak") };
    assert!(!pair.positions.is_sorted(), "{:?}", pair.positions);
    let remains = pair.remains_with(&strong, &strong.vocabularies[0], lengths, &Budget::unlimited());
    assert_eq!(remains, Ok(false));
    assert_eq!(classified(&strong, lengths).verdict, Verdict::Complete);
}

/// In a trace of given length, that nothing happens after the last position is a fact as well.
#[test]
fn an_absence_after_the_last_position_tells_traces_of_given_length_apart() {
    let model = model(
        "model m; var n: 0..3; var begun: bool; init { n = 0; not begun; }
        action begin { require n = 0; n' = 1; begun' = true; }
        action tick { require n > 0 and n < 3; n' = n + 1; begun' = false; }
        action rest { require n > 0; begun' = false; }
        invariant i: n < 3;
        vocabulary v = { eq(begun), absent(action) };",
    );
    let result = classified(&model, Lengths::Exactly(3));
    assert_eq!(result.verdict, Verdict::Complete);
    let [class] = constraints(&model, &result).try_into().expect("one class");
    assert!(class.contains("never action = rest within (i..len(ρ)]"), "{class}");
}

/// An initial state, in which no step was taken, has the label `none` among arbitrary states as well.
#[test]
fn that_no_step_was_taken_restates_no_property() {
    let model = model(
        "model m; var x: 0..1; var y: 0..1; init { x <= y; y = 1; }
        action idle { y' = 0; }
        action t { require y = 0; x' = 1; }
        invariant i: x = 0 or y = 0;
        vocabulary v = { eq(action, x) };",
    );
    let result = classified(&model, Lengths::UpTo(3));
    assert_eq!(constraints(&model, &result), ["action@i = none ∧ x@i = 1"]);
    assert_eq!(result.classes[0].restates, Restates::Step);
}
