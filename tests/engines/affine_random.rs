//! Invariants that follow from affine relations, against all states of random models.

use crate::random::Random;
use cladist::budget::Budget;
use cladist::explore::{ReachabilityResult, visit};
use cladist::model::{Model, load_text};
use cladist::prove::{InvariantEvidence, by_relations};
use std::io::ErrorKind;

fn loaded(text: &str) -> Model {
    let loaded = load_text("sums.sts", text, &[], &|_| Err(ErrorKind::NotFound.into()));
    loaded.model.unwrap_or_else(|| panic!("{text}\n{:?}", loaded.diagnostics))
}

fn relations(model: &Model) -> Option<Vec<String>> {
    let invariant = model.properties[0].invariant().expect("an invariant");
    match by_relations(model, invariant, &Budget::unlimited())? {
        InvariantEvidence::Affine { relations } => Some(relations),
        other => panic!("{other:?}"),
    }
}

/// A model with the statements of two actions and an invariant.
fn text(actions: &[Vec<String>], invariant: &str) -> String {
    let mut text = "model sums;
        type P = 1..3;
        var x: 0..6; var y: 0..6; var v: map P to 0..4; var on: bool;
        // Few states are listed instead.
        var unused: 0..9;
        init { x = 3; y = 3; v = map p in P: 2; not on; unused = 0; }\n"
        .to_owned();
    for (number, statements) in actions.iter().enumerate() {
        text += &format!("action a{number}(i: P, j: P, m: 0..2) {{ {} }}\n", statements.join(" "));
    }
    text + &format!("invariant holds: {invariant};\n")
}

/// Random statements, in which many sums stay the same.
fn statements(random: &mut Random) -> Vec<String> {
    let guards = ["", "", "require i != j;", "require on;", "require v[i] > 0;", "require i = 1 and j != 1;"];
    let mut all = vec![(*random.pick(&guards)).to_owned()];
    all.push(
        match random.below(9) {
            0 => "x' = x - m; y' = y + m;",
            1 => "v'[i] = v[i] - m; v'[j] = v[j] + m;",
            2 => "v'[i] = v[i] - 1; x' = x + 1;",
            3 => "if on { x' = x - 1; y' = y + 1; } else { x' = x + 1; y' = y - 1; }",
            4 => "v' = map p in P: if p = i then v[p] - m else if p = j then v[p] + m else v[p];",
            5 => "x' = y; y' = x;",
            6 => "v' = map p in P: if v[p] > m then v[p] - 1 else v[p] + 1;",
            7 => "let d = x - y; x' = x - d; y' = y + d;",
            _ => "x' = if on then y else x; v'[i] = if on then v[j] else v[i];",
        }
        .to_owned(),
    );
    all.push((*random.pick(&["", "on' = not on;", "on' in { true, false };", "on' = (x = y);"])).to_owned());
    all
}

/// Relations prove nothing that some state violates, and prove many invariants.
#[test]
fn no_state_violates_an_invariant_that_relations_prove() {
    let sides = [
        "x + y",
        "sum p in P: v[p]",
        "x + sum p in P: v[p]",
        "v[1] + v[2] + v[3]",
        "2 * x - y",
        "x - y",
        "v[2] + v[3]",
    ];
    let mut proved = 0;
    for seed in 0..crate::random::cases(400) {
        let mut random = Random::new(seed);
        let actions: Vec<Vec<String>> = (0..1 + random.below(2)).map(|_| statements(&mut random)).collect();
        let (side, op) = (*random.pick(&sides), *random.pick(&["=", "=", "<=", "<"]));
        let initial = match side {
            "x + y" | "sum p in P: v[p]" | "v[1] + v[2] + v[3]" => 6,
            "x + sum p in P: v[p]" => 9,
            "2 * x - y" => 3,
            "x - y" => 0,
            _ => 4,
        };
        let text = text(&actions, &format!("({side}) {op} {}", initial + random.below(2) as i64));
        let model = loaded(&text);
        if relations(&model).is_none() {
            continue;
        }
        proved += 1;
        let invariant = model.properties[0].invariant().expect("an invariant");
        let all = visit(&model, invariant, 100_000, &Budget::unlimited());
        assert!(matches!(all, ReachabilityResult::Holds(_)), "seed {seed}: {all:?}\n{text}");
    }
    assert!(proved > 30, "only {proved} were proved");
}

#[test]
fn relations_that_others_need_are_found() {
    let model = loaded(
        "model chain; var a: 0..1000; var b: 0..1000; var c: 0..1000; var d: 0..1000;
         init { a = 1; b = a; c = 2; d = 2; }
         action grow { a' = a + c; b' = b + d; c' = c + 1; d' = d + 1; }
         action move(n: 0..500) { c' = c - n; d' = d - n; }
         invariant equal: a = b;",
    );
    assert_eq!(relations(&model).expect("a proof"), ["a = b", "c = d"]);
}

#[test]
fn a_bound_is_proved_by_the_value_that_a_sum_keeps() {
    let model = loaded(
        "model lent; type Shelf = 1..4; var here: map Shelf to 0..900; var lent: 0..900;
         init { here = map s in Shelf: 5; lent = 0; }
         action lend(s: Shelf, n: 1..300) { require here[s] >= n; here'[s] = here[s] - n; lent' = lent + n; }
         action back(s: Shelf, n: 1..300) { here'[s] = here[s] + n; lent' = lent - n; }
         invariant few: lent + (sum s in Shelf: here[s]) < 21;",
    );
    let expected = ["here[1] + here[2] + here[3] + here[4] + lent = 20"];
    assert_eq!(relations(&model).expect("a proof"), expected);
}

/// Copies of a definition bind the same names, here one to a constant and one to a value of the state.
#[test]
fn copies_of_a_definition_have_names_of_their_own() {
    let model = loaded(
        "model copies; var x: -9000..9000; var y: 0..900; var z: 0..900;
         def twice(a: 0..900): 0..9000 = let t = a, u = t in t + u + y;
         init { x = 0; y = 0; z = 0; }
         action step { x' = x + twice(1) - twice(z); }
         action turn(n: 0..900) { z' = n; }
         invariant same: x = 0;",
    );
    assert_eq!(relations(&model), None);
    let sums = loaded(
        "model sums; type P = 1..3; var v: map P to 0..900; var x: 0..900;
         def all(a: 0..9000): 0..90000 = sum p in P: v[p] + p + a;
         init { v = map p in P: 0; x = 0; }
         action step(p: P) { v'[p] = 1; x' = x + all(all(p)) - all(all(1)); }
         invariant same: x = 0;",
    );
    assert_eq!(relations(&sums), None);
}
