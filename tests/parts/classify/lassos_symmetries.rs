//! Tests of `classify::lassos::symmetries`.

use classify::lassos::options::LassoProblem;
use classify::lassos::symmetries::*;
use engines::ltl::Fairness;
use kit::budget::Budget;
use lang::model::{PropertyKind, load_text};
use std::io::ErrorKind;

/// What moves in the symmetries of beacons around a bay with a property, and conditions of fairness.
fn found(property: &str, fairness: &str) -> Vec<String> {
    let text = format!(
        "model beacons; type Beacon = enum {{ A, B, C, D }}; var lit : map Beacon to bool;
             def next_to(b: Beacon, c: Beacon): bool =
                 b = A and c = B or b = B and c = C or b = C and c = D or b = D and c = A;
             init {{ forall b in Beacon: not lit[b]; }}
             action turn(b: Beacon) {{
                 require forall c in Beacon: next_to(b, c) => not lit[c]; lit'[b] = not lit[b];
             }}
             {fairness}
             ltl p: {property};"
    );
    let loaded = load_text("beacons.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let PropertyKind::Ltl(formula) = &model.properties[0].kind else { panic!("a property of ltl") };
    let fairness = Fairness::of_model(&model);
    let problem = LassoProblem { model: &model, formula, fairness: &fairness };
    let found = symmetries(problem, &[], |_| true, &Budget::unlimited());
    found.all().map(|by| by.show(&model.types)).collect()
}

#[test]
fn rotations_keep_what_is_said_of_each() {
    let each = "forall b, c in Beacon: next_to(b, c) => always eventually not (lit[b] and lit[c])";
    let whole = "always eventually exists b in Beacon: lit[b]";
    let around = ["A, B, C, D in turn"];
    for fairness in [
        "",
        "fairness action turn(b);",
        "fairness strong action turn;",
        "fairness exists b in Beacon: lit[b];",
    ] {
        assert_eq!(found(each, fairness), around, "{fairness}");
        assert_eq!(found(whole, fairness), around, "{fairness}");
    }
    let of_all = "fairness lit[A]; fairness lit[B]; fairness lit[C]; fairness lit[D];";
    assert_eq!(found(each, of_all), around);
}

/// What is said with a conditional is kept if the solver says so.
#[test]
fn conditionals_are_proved_to_be_kept() {
    let after = |b: &str| format!("(if {b} = A then B else if {b} = B then C else if {b} = C then D else A)");
    let side = format!("exists b in Beacon: lit[b] and lit[{}]", after("b"));
    let around = ["A, B, C, D in turn"];
    assert_eq!(found(&format!("eventually always not {side}"), ""), around);
    assert_eq!(found(&format!("always eventually {side}"), &format!("fairness not ({side});")), around);
    assert_eq!(found(&format!("always eventually ({side} and b != A)"), ""), [""; 0]);
    let once = format!("lit[A] and ({side})");
    assert_eq!(found(&format!("always eventually ({once})"), ""), [""; 0]);
}

#[test]
fn what_singles_out_a_value_is_not_kept() {
    let each = "forall b in Beacon: always eventually lit[b]";
    assert_eq!(found(&format!("({each}) or always lit[A]"), ""), [""; 0]);
    assert_eq!(found("always (lit[A] => eventually lit[C])", ""), [""; 0]);
    assert_eq!(found(each, "fairness lit[A];"), [""; 0]);
    // Half a turn is a symmetry, but none of those that are tried.
    assert_eq!(found(each, "fairness lit[A]; fairness lit[C];"), [""; 0]);
}
