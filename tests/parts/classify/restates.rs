//! Tests of `classify::restates`.

use classify::facts::restates::Restates;
use classify::{Constraint, Options, Problem, Verdict, classify};
use kit::budget::Budget;
use lang::model::load_text;
use std::io::ErrorKind;

/// An alarm rings when the glass is broken, when somebody without a key pushes the door, and when a fuse has burnt down.
const ALARM: &str = "model alarm;
        var key : bool;
        var fuse : 0..3;
        var ringing : bool;
        init { fuse = 0; not ringing; }
        action turn { require fuse < 2; key' = not key; }
        action push { require fuse = 0; ringing' = not key; }
        action smash { require fuse = 0; ringing' = true; }
        action light { require fuse = 0 and FUSE; fuse' = 1; }
        action burn { require fuse = 1; fuse' = 2; }
        action end { require fuse = 2; ringing' = true; }
        invariant quiet: not ringing;";

/// Each class of a vocabulary with what it restates; there is a fuse, or a door.
fn classes(fuse: bool, vocabulary: &str) -> Vec<(String, Restates)> {
    classes_of(ALARM, fuse, vocabulary)
}

fn classes_of(text: &str, fuse: bool, vocabulary: &str) -> Vec<(String, Restates)> {
    let door = if fuse { text.replace("fuse = 0; ringing'", "false; ringing'") } else { text.to_owned() };
    let text = format!("{door} const FUSE : bool = {fuse}; vocabulary v = {{ {vocabulary} }};");
    let loaded = load_text("alarm.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let problem = Problem::first(&model).expect("an invariant");
    let (options, budget) = (Options::default(), Budget::unlimited());
    let result = classify(problem, &model.vocabularies[0], &options, &budget, &mut ());
    assert_eq!(result.verdict, Verdict::Complete, "{vocabulary}");
    let shown = |constraint: &Constraint| constraint.show_facts(&model, &result.atoms);
    result.classes.iter().map(|class| (shown(&class.constraint), class.restates)).collect()
}

fn one(text: &str, restates: Restates) -> (String, Restates) {
    (text.to_owned(), restates)
}

#[test]
fn facts_that_violate_the_property_in_any_states_restate_it() {
    assert_eq!(classes(false, "eq(ringing)"), [one("ringing@i = true", Restates::Property)]);
}

#[test]
fn a_last_step_that_violates_the_property_wherever_it_is_possible_is_one_step_from_it() {
    let expected =
        [one("action@i = smash", Restates::Step), one("action@i = push ∧ key@i = false", Restates::Step)];
    let mut found = classes(false, "eq(action, key)");
    found.sort_by_key(|(text, _)| text.len());
    assert_eq!(found, expected);
}

#[test]
fn absences_count_where_there_are_positions_for_sure() {
    let text = "model arbiter; var a : bool; var b : bool; init { not a; not b; }
            action ask { a' = true; } action grant { b' = true; } action free { a' = false; b' = false; }
            invariant both: not (a and b);";
    let classes = classes_of(text, false, "eq(a), absent(b), before");
    assert_eq!(classes, [one("a@j = true ∧ never b = false within (i..len(ρ)] ∧ i < j", Restates::Property)]);
}

#[test]
fn a_next_step_that_violates_the_property_whatever_it_is_is_one_step_from_it() {
    assert_eq!(classes(true, "eq(fuse), before"), [one("fuse@i = 2 ∧ i < j", Restates::Step)]);
}

#[test]
fn a_predicate_about_positions_that_lie_apart_does_not_restate_by_that() {
    let alarm = ALARM.replace("fuse < 2", "fuse = 0");
    let text = format!("{alarm} pred burnt(t1, t2: pos) = t2 = t1 + 2 and fuse@t1 = 1 and fuse@t2 = 2;");
    assert_eq!(classes_of(&text, true, "burnt"), [one("burnt(i, j)", Restates::Nothing)]);
}

#[test]
fn a_step_that_violates_the_property_in_reachable_states_only_says_more() {
    let text = ALARM
        .replace("fuse' = 1;", "fuse' = 1; lit' = true;")
        .replace("init {", "var lit : bool; init { not lit;");
    let text = text.replace("fuse = 2; ringing' = true", "fuse = 2; ringing' = lit");
    assert_eq!(classes_of(&text, true, "eq(fuse), before"), [one("fuse@i = 2 ∧ i < j", Restates::Nothing)]);
}

#[test]
fn labels_that_set_the_parts_of_a_violation_are_one_step_from_it() {
    let text = "model valve; var open : bool; var unlocked : bool; init { not open; not unlocked; }
            action turn { open' = true; } action key { unlocked' = true; }
            invariant shut: not (open and unlocked);";
    let classes = classes_of(text, false, "eq(action)");
    assert_eq!(classes, [one("action@i = turn ∧ action@j = key", Restates::Step)]);
}

#[test]
fn a_predicate_that_tells_what_came_before_says_more_than_the_step() {
    let text = "model heap; var valid : bool; var bad : bool; var fuel : 0..2;
            init { valid; not bad; fuel = 0; }
            action free { require valid; valid' = false; } action wait { require fuel < 2; fuel' = fuel + 1; }
            action use { bad' = not valid; }
            invariant safe: not bad;
            pred after_free(t1, t2: pos) = t1 < t2 and action@t1 = free and action@t2 = use and not valid@t2;
            pred uses(t: pos) = action@t = use and not valid@t;";
    assert_eq!(classes_of(text, false, "after_free"), [one("after_free(i, j)", Restates::Nothing)]);
    assert_eq!(classes_of(text, false, "uses"), [one("uses(i)", Restates::Step)]);
}
