//! Tests of `classify::merge`.

use classify::{Options, Problem, Verdict, classify};
use kit::budget::Budget;
use lang::model::load_text;
use solvers::unroll::Lengths;
use std::io::ErrorKind;

/// Red is seen after one and two steps, blue after one and three, one of them alone in harmless courses. `APART` keeps
/// them from being seen together.
const LIGHTS: &str = "model lights;
        const APART : bool = false;
        type Course = enum { Both, Red, Blue };
        var course : Course;
        var clock : 0..4;
        var red : bool;
        var blue : bool;
        var over : bool;
        init { clock = 0; not red; not blue; not over; }
        action tick {
          require clock < 4;
          clock' = clock + 1;
          red' = course != Blue and (clock = 0 and not APART or clock = 1);
          blue' = course != Red and (clock = 0 or clock = 2);
          over' = clock = 3;
        }
        invariant harmless: not (over and course = Both);
        vocabulary seen = { eq(red, blue, over) };";

/// The classes, and whether there cannot be fewer.
fn classes(text: &str, set: &[(&str, &str)], keep_redundant: bool) -> (Vec<String>, bool) {
    let overrides: Vec<(String, String)> =
        set.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let loaded = load_text("lights.sts", text, &overrides, &|_| Err(ErrorKind::NotFound.into()));
    let model = loaded.model.expect("a model");
    let options = Options { keep_redundant, ..Options::of(Lengths::UpTo(7)) };
    let budget = Budget::unlimited();
    let result = classify(
        Problem::first(&model).expect("an invariant"),
        &model.vocabularies[0],
        &options,
        &budget,
        &mut (),
    );
    assert_eq!(result.verdict, Verdict::Complete);
    let apart = result.classes.iter().all(|class| class.redundant || class.canonical.is_some());
    assert!(apart, "each class has a counterexample of its own");
    (
        result.classes.iter().map(|class| class.constraint.show(&model, &result.atoms)).collect(),
        result.minimum,
    )
}

#[test]
fn what_holds_at_one_place_is_said_of_one_position() {
    let class = "∃ i, j ∈ [0..len(ρ)] : red@i = true ∧ blue@i = true ∧ over@j = true";
    for keep_redundant in [false, true] {
        assert_eq!(classes(LIGHTS, &[], keep_redundant), (vec![class.to_owned()], true));
    }
}

#[test]
fn what_holds_at_two_places_is_not() {
    let class = "∃ i, j, k ∈ [0..len(ρ)] : red@i = true ∧ blue@j = true ∧ over@k = true";
    assert_eq!(classes(LIGHTS, &[("APART", "true")], false), (vec![class.to_owned()], true));
}

/// A model that runs through one of several courses; `seen` says what is seen after so many steps of a course.
fn courses(count: usize, seen: &[(usize, usize, &str)], bad: &str) -> String {
    let seen = seen.iter().map(|(course, clock, what)| {
        format!("union (if course = {course} and clock = {clock} then {{{what}}} else {{}})")
    });
    format!(
        "model courses;
             type Light = enum {{ K1, K2, K3, K4, K5, K6, A, B, C, D, E, Over }};
             var course : 1..{count};
             var clock : 0..7;
             var seen : set of Light;
             init {{ clock = 0; seen = {{}}; }}
             action tick {{
               require clock < 7;
               clock' = clock + 1;
               seen' = (if clock = 9 then {{Over}} else {{}}) {};
             }}
             invariant harmless: not ({bad});
             vocabulary v = {{ eq(seen) }};",
        seen.collect::<Vec<_>>().join(" ")
    )
}

#[test]
fn pairs_are_merged_one_by_one() {
    // A and B are seen together in both bad courses, C and D in one of them.
    let text = courses(
        6,
        &[
            (1, 0, "A, B"),
            (1, 1, "C, D"),
            (1, 2, "A"),
            (1, 3, "B"),
            (1, 4, "C"),
            (1, 5, "D"),
            (1, 6, "Over"),
            (2, 0, "A, B"),
            (2, 2, "A"),
            (2, 3, "B"),
            (2, 4, "C"),
            (2, 5, "D"),
            (2, 6, "Over"),
            (3, 1, "C, D"),
            (3, 2, "A"),
            (3, 4, "C"),
            (3, 5, "D"),
            (3, 6, "Over"),
            (4, 1, "C, D"),
            (4, 3, "B"),
            (4, 6, "Over"),
            (5, 0, "A, B"),
            (5, 4, "C"),
            (5, 6, "Over"),
            (6, 0, "A, B"),
            (6, 5, "D"),
            (6, 6, "Over"),
        ],
        "course <= 2 and clock >= 7",
    );
    let (classes, minimum) = classes(&text, &[], false);
    assert_eq!(classes.len(), 1, "{classes:?}");
    assert!(
        classes[0].starts_with("∃ i, j, k, l ∈") || classes[0].starts_with("∃ i1, i2, i3, i4 ∈"),
        "{classes:?}"
    );
    assert!(minimum);
}

#[test]
fn what_merging_makes_redundant_goes() {
    // Six classes of their own keep the last two from being joined. Merged, the seventh has the eighth as a part.
    let mut seen = vec![
        (7, 0, "A, B, C"),
        (7, 1, "C"),
        (7, 2, "A, B"),
        (7, 4, "Over"),
        (8, 0, "A, C"),
        (8, 1, "D"),
        (8, 5, "Over"),
        (9, 0, "A, B"),
        (9, 4, "Over"),
        (10, 0, "A"),
        (10, 1, "C"),
        (10, 4, "Over"),
        (11, 0, "B, C"),
        (11, 4, "Over"),
        (12, 0, "A"),
        (12, 1, "B"),
        (12, 2, "C"),
        (12, 4, "Over"),
    ];
    let own = ["K1", "K2", "K3", "K4", "K5", "K6"];
    seen.extend(own.iter().enumerate().map(|(index, what)| (index + 1, 0, *what)));
    let bad = "course <= 6 and clock >= 1 or course = 7 and clock >= 5 or course = 8 and clock >= 6";
    let (classes, minimum) = classes(&courses(12, &seen, bad), &[], false);
    assert_eq!(classes.len(), 7, "{classes:?}");
    assert!(!minimum, "that is not shown");
}
