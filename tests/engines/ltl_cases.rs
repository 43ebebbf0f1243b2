//! Linear time on small models with known answers, and every `ltl` property of `specs/` in both engines.

use cladist::budget::Budget;
use cladist::decide::{LinearOptions, LinearResult, NotListed, linear};
use cladist::ltl::{Bounded, Fairness, bounded};
use cladist::model::expr::Formula;
use cladist::model::{Model, PropertyKind, load, load_fairness, load_text};
use cladist::prove::{InvariantEvidence, InvariantMethod};
use cladist::sat::Backend;
use cladist::unroll::Lengths;
use std::io::ErrorKind;
use std::path::Path;

/// Longer lassos are not searched for with a solver.
const LONGEST: usize = 14;

/// Constants with their values.
type Set = &'static [(&'static str, &'static str)];

/// The numbers of steps of a shortest violation, all and those of the stem; `None` if there is none.
type Size = Option<(usize, usize)>;

fn model(text: &str) -> Model {
    let loaded = load_text("m.sts", text, &[], &|_| Err(ErrorKind::NotFound.into()));
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    loaded.model.expect("no mistakes")
}

fn spec(name: &str, set: &[(&str, &str)]) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs").join(name).with_extension("sts");
    let set: Vec<(String, String)> = set.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    let loaded = load(&path, &set);
    assert!(loaded.diagnostics.is_empty(), "{name}: {:?}", loaded.diagnostics);
    loaded.model.expect("no mistakes")
}

fn formula<'a>(model: &'a Model, name: &str) -> &'a Formula {
    match &model.properties[model.property(name).expect("a property of that name")].kind {
        PropertyKind::Ltl(formula) => formula,
        other => panic!("{other:?}"),
    }
}

/// What both engines say.
fn decided(model: &Model, name: &str, fairness: &[Fairness]) -> Size {
    let (formula, budget) = (formula(model, name), Budget::unlimited());
    let options = LinearOptions::default();
    let listed = match linear(model, formula, fairness, options, &budget, &mut ()) {
        LinearResult::Holds { .. } => None,
        LinearResult::Violated { lasso, is_shortest, .. } => {
            assert!(is_shortest, "{name}");
            Some((lasso.len(), lasso.start.steps()))
        }
        other => panic!("{name}: {other:?}"),
    };
    let bound = listed.map_or(8, |(steps, _)| steps);
    if bound <= LONGEST {
        for backend in [Backend::Cadical, Backend::Varisat] {
            let lengths = Lengths::UpTo(bound);
            let found = match bounded(model, formula, fairness, lengths, backend, &budget, &mut ()) {
                Bounded::Holds => None,
                Bounded::Violated(lasso) => Some((lasso.len(), lasso.start.steps())),
                Bounded::Undecided { .. } => panic!("the budget is unlimited"),
            };
            assert_eq!(found, listed, "{name}");
        }
    }
    listed
}

fn fair(model: &Model) -> Vec<Fairness> {
    Fairness::of_model(model)
}

#[test]
fn operators_mean_what_they_say() {
    let model = model(
        "model m;
         var n : 0..3;
         init { n = 0; }
         action up { require n < 3; n' = n + 1; }
         action back { require n = 3; n' = 2; }
         ltl gets_there: eventually n = 3;
         ltl stays: eventually always n = 3;
         ltl comes_back: always eventually n = 2;
         ltl second: next next n = 2;
         ltl not_third: next next next n != 3;
         ltl until_two: n < 2 until n = 2;
         ltl until_never: n < 2 until n = 1 and n = 2;
         ltl either: always (n = 2 => (next n = 3 or always n = 2));
         ltl both: (eventually n = 3) <=> (next eventually n = 0);",
    );
    for (name, expected) in [
        ("gets_there", None),
        ("stays", Some((4, 2))),
        ("comes_back", None),
        ("second", None),
        ("not_third", Some((4, 2))),
        ("until_two", None),
        ("until_never", Some((4, 2))),
        ("either", None),
        ("both", Some((4, 2))),
    ] {
        assert_eq!(decided(&model, name, &[]), expected, "{name}");
    }
}

#[test]
fn a_trace_that_ends_violates_nothing() {
    let model = model(
        "model m; var n : 0..2; init { n = 0; }
         action up { require n < 2; n' = n + 1; }
         ltl never: eventually n = 0 and n = 1;",
    );
    let options =
        LinearOptions { way: InvariantMethod::Explicit, max_states: 10, ..LinearOptions::default() };
    let budget = Budget::unlimited();
    let found = linear(&model, formula(&model, "never"), &[], options, &budget, &mut ());
    let LinearResult::Holds { of, is_vacuous } = found else { panic!("{found:?}") };
    assert!(is_vacuous);
    assert_eq!((of.states, of.dead_ends), (3, 1));
    let few = LinearOptions { max_states: 2, ..options };
    let found = linear(&model, formula(&model, "never"), &[], few, &budget, &mut ());
    assert_eq!(found, LinearResult::Unknown(NotListed::States(2)));
    let bound = LinearOptions { bound: Some(3), ..few };
    let found = linear(&model, formula(&model, "never"), &[], bound, &budget, &mut ());
    assert_eq!(found, LinearResult::HoldsUpToBound(NotListed::States(2)));
    let by_proof = LinearOptions { way: InvariantMethod::Auto, ..few };
    let found = linear(&model, formula(&model, "never"), &[], by_proof, &budget, &mut ());
    assert!(matches!(found, LinearResult::Proved(InvariantEvidence::OfLoops(_))), "{found:?}");
}

#[test]
fn fairness_of_actions_is_weak_or_strong_and_for_each_argument() {
    let text = |fairness: &str| {
        format!(
            "model m;
             var open : bool; var served : set of 1..2;
             init {{ not open; served = {{}}; }}
             action turn {{ open' = not open; }}
             action serve(c: 1..2) {{ require open; served' = served union {{c}}; }}
             {fairness}
             ltl first: eventually 1 in served;
             ltl some_one: eventually served != {{}};"
        )
    };
    // Serving is possible again and again, but not all the time.
    for (fairness, first, some_one) in [
        ("", Some((2, 0)), Some((2, 0))),
        ("fairness action serve;", Some((2, 0)), Some((2, 0))),
        ("fairness action serve(c);", Some((2, 0)), Some((2, 0))),
        ("fairness strong action serve;", Some((3, 2)), None),
        ("fairness strong action serve(c);", None, None),
        ("fairness open; fairness action turn;", Some((2, 0)), Some((2, 0))),
    ] {
        let model = model(&text(fairness));
        assert_eq!(decided(&model, "first", &fair(&model)), first, "{fairness}");
        assert_eq!(decided(&model, "some_one", &fair(&model)), some_one, "{fairness}");
    }
}

#[test]
fn fairness_given_beside_a_model_means_what_a_declaration_does() {
    let plain = model(
        "model m;
         var open : bool; var served : set of 1..2;
         init { not open; served = {}; }
         action turn { open' = not open; }
         action serve(c: 1..2) { require open; served' = served union {c}; }
         ltl first: eventually 1 in served;
         ltl some_one: eventually served != {};",
    );
    let given = |text: &str, is_strong: bool| load_fairness(&plain, "--fair", text, is_strong);
    for (text, is_strong, first, some_one) in [
        ("serve", true, Some((3, 2)), None),
        ("serve(c)", true, None, None),
        ("serve(c)", false, Some((2, 0)), Some((2, 0))),
        ("2 in served", false, Some((3, 2)), None),
    ] {
        let (states, actions) = given(text, is_strong).found.expect("no mistakes");
        let states = states.into_iter().map(Fairness::Again);
        let all: Vec<Fairness> = states.chain(actions.into_iter().map(Fairness::Action)).collect();
        assert_eq!(decided(&plain, "first", &all), first, "{text}");
        assert_eq!(decided(&plain, "some_one", &all), some_one, "{text}");
    }
    for (text, is_strong, expected) in [
        ("wait", false, "unknown name `wait`"),
        ("serve(d)", false, "action `serve` has no parameter `d`"),
        ("open", true, "unknown action `open`"),
        ("open and 1 in served", true, "strong fairness is about an action"),
    ] {
        let loaded = given(text, is_strong);
        let messages: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
        assert_eq!((messages, loaded.found.is_none()), (vec![expected], true), "{text}");
    }
}

#[test]
fn mistakes_in_fairness_of_actions_have_a_place() {
    for (fairness, expected) in [
        ("fairness action wait;", "unknown action `wait`"),
        ("fairness strong action go(m);", "action `go` has no parameter `m`"),
        ("fairness action go(n, n);", "`n` is given twice"),
        ("fairness action go(n);", "`n` has too many values for a condition each"),
    ] {
        let text =
            format!("model m; var x : 0..99; init {{ x = 0; }} action go(n: 0..99) {{ x' = n; }} {fairness}");
        let loaded = load_text("m.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
        let messages: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
        assert_eq!(messages, [expected], "{fairness}");
        assert!(loaded.diagnostics[0].span.is_some() && loaded.model.is_none());
    }
}

#[test]
fn every_ltl_property_of_the_specifications_is_decided_in_both_ways() {
    let expected: &[(&str, Set, &str, bool, Size)] = &[
        ("mutex", &[], "p_enters", true, None),
        ("mutex", &[("FIXED", "true")], "p_enters", true, None),
        ("tcp_handshake", &[], "b_recovers", true, Some((5, 4))),
        ("spin_lock", &[], "p_enters", true, Some((4, 1))),
        ("spin_lock", &[], "q_enters", true, None),
        ("spin_lock", &[], "q_enters", false, Some((4, 1))),
        ("spin_lock", &[], "in_order", true, None),
        ("dining_philosophers", &[], "first_eats", true, None),
        ("dining_philosophers", &[], "first_eats", false, Some((5, 1))),
        ("dining_philosophers", &[("LEFT_HANDED", "true")], "first_eats", true, None),
        ("dining_philosophers", &[("LEFT_HANDED", "true")], "first_eats", false, Some((5, 1))),
    ];
    for (name, set, property, is_fair, expected) in expected {
        let model = spec(name, set);
        let fairness = if *is_fair { fair(&model) } else { Vec::new() };
        assert_eq!(decided(&model, property, &fairness), *expected, "{name} {property}");
    }
}
