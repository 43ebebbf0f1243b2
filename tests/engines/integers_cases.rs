//! Models with integers of large ranges, through all engines.

use cladist::budget::Budget;
use cladist::classify::{Options, Problem, Verdict, classify};
use cladist::diagnostics::render;
use cladist::explore::{initial_states, reachable, successors};
use cladist::model::value::{State, Value};
use cladist::model::{Model, load_text};
use cladist::prove::{AlwaysHolds, Method, ObservedModel, ProofEffort, ProofResult, prove};
use cladist::sat::Backend;
use cladist::unroll::{BoundedResult, IntegerForms, Lengths, check};
use std::io::ErrorKind;

fn read(text: &str) -> Result<Model, String> {
    let loaded = load_text("large.sts", text, &[], &|_| Err(ErrorKind::NotFound.into()));
    let shown = || loaded.diagnostics.iter().map(|d| render(d, &loaded.sources, false)).collect::<String>();
    loaded.model.ok_or_else(shown)
}

fn model(text: &str) -> Model {
    read(text).unwrap_or_else(|errors| panic!("{text}\n{errors}"))
}

fn checked(model: &Model, bound: usize) -> BoundedResult {
    let invariant = model.properties[0].invariant().expect("an invariant");
    check(model, invariant, Lengths::UpTo(bound), Backend::Cadical, &Budget::unlimited(), &mut ())
}

/// An account that is overdrawn after three steps at the earliest.
const ACCOUNT: &str = "model account;
    type Amount = -2147483648..2147483648;
    var balance : Amount;
    var last : option 0..1000000000;
    init { balance = 1500000000; last = none; }
    action withdraw(amount: 1..1000000000) {
        require amount mod 100000000 = 0 and last != 900000000;
        balance' = balance - amount; last' = amount;
    }
    invariant covered: balance >= 0 and balance in Amount and balance in -2000000000..2000000000;
    vocabulary v = { eq(last, withdraw.amount), before };";

#[test]
fn the_shortest_violation_of_a_large_range_is_found_and_its_values_are_least() {
    let text = ACCOUNT.replace("last != 900000000", "amount <= 700000000");
    let model = model(&text);
    let BoundedResult::Violated(trace) = checked(&model, 5) else { panic!("it is violated") };
    let balances: Vec<&Value> = trace.moments.iter().map(|moment| &moment.state.0[0]).collect();
    let expected = [1_500_000_000, 1_300_000_000, 600_000_000, -100_000_000].map(Value::Int);
    assert_eq!(balances, expected.iter().collect::<Vec<_>>());
    assert_eq!(trace.moments[0].state.0[1], Value::None);
}

#[test]
fn the_encoding_is_chosen_by_what_is_computed() {
    let model = model(
        "model forms; type Key = 1..100;
         var key : Key; var m : map Key to 0..20; var few : 0..5; var copy : 0..20; var phase : 0..300;
         action look(k: Key) { key' = k; copy' = m[k]; }
         action add(n: 0..3) { m'[key] = m[key] + few; few' = n; if phase < 300 { phase' = phase + 1; } }
         invariant i: key = 3 or copy < 7;",
    );
    assert_eq!(IntegerForms::of(&model).binary(&model), ["m", "copy", "phase"]);
}

#[test]
fn open_first_states_and_arguments_of_large_ranges_end_at_their_limits() {
    let open = model("model open; var x : 0..2000000000; var y : 0..2000000000; init { x > 5; }");
    assert!(initial_states(&open, 100_000).is_err());
    let fixed = model(
        "model fixed; var x : -2000000000..2000000000; var y : option 0..2000000000;
         init { x = -123456789; y = 7 - x or y is none and x < 0; x + 1 < y or y is none; }",
    );
    let states = initial_states(&fixed, 100_000).expect("two");
    let found: Vec<&Value> = states.iter().map(|state| &state.0[1]).collect();
    assert_eq!(found, [&Value::None, &Value::Int(123_456_796)]);
    let account = model(&ACCOUNT.replace("vocabulary v = { eq(last, withdraw.amount), before };", ""));
    let first = State(vec![Value::Int(1_500_000_000), Value::None]);
    assert!(successors(&account, &first, 100_000).is_err());
    assert!(!reachable(&account, 1_000, &Budget::unlimited()).complete());
    let listed = model(
        "model listed; var x : 0..2000000000; init { x = 1999999999; } action go { x' = (x * 3) mod 1000; }",
    );
    assert!(reachable(&listed, 10_000, &Budget::unlimited()).complete());
}

#[test]
fn invariants_of_large_ranges_are_proved() {
    let timer = model(
        "model timer; var left : 0..1000000; var since : 0..1000000; init { left = 1000000; since = 0; }
         action tick { require left > 400000; left' = left - 1; since' = since + 1; }
         invariant bounded: left >= 400000;",
    );
    let invariant = timer.properties[0].invariant().expect("an invariant");
    let watch = AlwaysHolds(invariant);
    let system = ObservedModel::new(&timer, &watch);
    for method in [Method::Both, Method::Ic3] {
        let budget = Budget::unlimited();
        let effort = ProofEffort { backend: Backend::Cadical, budget: &budget, observer: &mut () };
        assert!(matches!(prove(&system, method, effort), ProofResult::Holds(_)), "{method:?}");
    }
}

#[test]
fn violations_of_large_ranges_are_classified() {
    let text = ACCOUNT;
    let text = text.replace("last != 900000000", "last != 900000000 and amount >= 800000000");
    let model = model(&text);
    let options = Options::of(Lengths::UpTo(3));
    let problem = Problem::first(&model).expect("an invariant");
    let result = classify(problem, &model.vocabularies[0], &options, &Budget::unlimited(), &mut ());
    assert_eq!(result.verdict, Verdict::Complete);
    assert!(result.checked_by.is_some() && !result.classes.is_empty());
}

#[test]
fn what_is_listed_is_still_limited() {
    let cases = [
        ("var m : map 0..5000 to bool;", "too many for the keys of a map"),
        ("var s : set of 0..5000;", "too many for the elements of a set"),
        ("var x : 0..5000; invariant i: forall n in 0..5000: n = x;", "too many for a set"),
        ("type T = 0..5000; var x : T; invariant i: exists n in T: n = x;", "too many for a domain"),
        ("symmetric type T = 0..5000; var x : T;", "cannot be symmetric: it has too many values"),
        (
            "var x : 0..5000; action a(n: 0..5000) { x' = n; } invariant i: enabled(a);",
            "would try too many values of `n`",
        ),
        ("var x : -9223372036854775807..0;", "is not within"),
    ];
    for (items, message) in cases {
        let errors = read(&format!("model limits;\n{items}\n")).expect_err("it is too large");
        assert!(errors.contains(message), "{items}\n{errors}");
    }
}
