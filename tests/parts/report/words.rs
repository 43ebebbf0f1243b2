//! Tests of `report::writing::words`.

use crate::fixture;
use classify::{
    Atoms, Constraint, Fact, FactKind, OrderRelation, PositionVar, Stretch, VariableNames, position_names,
};
use lang::model::value::Value;
use report::writing::words::*;

fn before(a: usize, b: usize) -> Fact {
    Fact::order(OrderRelation::Before, PositionVar::new(a), PositionVar::new(b))
}

/// What never holds between the position of a fact and another one.
fn absent(fact: Fact, until: usize) -> Fact {
    let FactKind::Atom(atom) = fact.kind else { panic!("a fact about a state") };
    let positions = vec![fact.positions[0], PositionVar::new(until)];
    Fact::about(FactKind::Absent(atom, Stretch::Between), positions)
}

fn next(a: usize, b: usize) -> Fact {
    Fact::order(OrderRelation::Next, PositionVar::new(a), PositionVar::new(b))
}

#[test]
fn order_facts_become_one_phrase() {
    let cases = [
        (2, vec![before(0, 1)], "i before j"),
        (3, vec![before(0, 1), before(1, 2)], "i before j before k"),
        (3, vec![before(1, 2), before(0, 1)], "i before j before k"),
        (3, vec![before(0, 1), next(1, 2)], "i before j immediately before k"),
        (2, vec![before(0, 1), next(0, 1)], "i immediately before j"),
        (3, vec![before(0, 2), before(1, 2)], "i before k; and j before k"),
        (4, vec![before(2, 0), before(1, 3)], "i3 before i1; and i2 before i4"),
    ];
    for (positions, facts, expected) in cases {
        let constraint = Constraint::ground(positions, facts);
        assert_eq!(order_words(&constraint), Some(expected.to_owned()));
    }
    assert_eq!(order_words(&Constraint::ground(1, Vec::new())), None);
}

#[test]
fn facts_read_as_sentences() {
    let model = fixture::model();
    let alice = fixture::agent(&model, "Alice");
    let names = VariableNames { positions: position_names(2), individuals: Vec::new() };
    let atoms = &Atoms::default();
    let cases = [
        (fixture::equal(atoms, "sender", alice.clone(), 0), "at i, sender is Alice"),
        (fixture::equal(atoms, "sender", Value::None, 1), "at j, sender is none"),
        (fixture::equal(atoms, "(net is some)", Value::Bool(true), 0), "at i, there is a value of net"),
        (fixture::equal(atoms, "(net is some)", Value::Bool(false), 0), "at i, net is none"),
        (fixture::equal(atoms, "busy", Value::Bool(true), 0), "at i, busy holds"),
        (fixture::equal(atoms, "busy", Value::Bool(false), 0), "at i, busy does not hold"),
        (fixture::equal(atoms, "action", alice.clone(), 0), "step i is Alice"),
        (fixture::equal(atoms, "action", Value::None, 0), "i is the initial state"),
        (fixture::member(atoms, "knows", alice.clone(), 0), "at i, knows contains Alice"),
        (fixture::across(atoms, "sender", "sender"), "sender is the same at i and at j"),
        (fixture::across(atoms, "sender", "receiver"), "sender at i is receiver at j"),
        (
            fixture::replay(atoms),
            "msgs.replay(i, j): The attacker sends again what was sent before (messages.pred:4)",
        ),
        (
            absent(fixture::equal(atoms, "sender", alice.clone(), 0), 1),
            "between i and j, sender is never Alice",
        ),
        (absent(fixture::equal(atoms, "action", alice.clone(), 0), 1), "between i and j, no step is Alice"),
        (absent(fixture::equal(atoms, "busy", Value::Bool(true), 0), 1), "between i and j, busy never holds"),
        (
            absent(fixture::equal(atoms, "busy", Value::Bool(false), 0), 1),
            "between i and j, busy always holds",
        ),
        (
            absent(fixture::member(atoms, "knows", alice.clone(), 0), 1),
            "between i and j, knows never contains Alice",
        ),
        (
            absent(fixture::equal(atoms, "(net is some)", Value::Bool(true), 0), 1),
            "between i and j, there is never a value of net",
        ),
        (before(0, 1), "i is before j"),
        (next(0, 1), "j comes right after i"),
    ];
    for (fact, expected) in cases {
        assert_eq!(fact_words(&model, atoms, &fact, &names), expected);
    }
}

#[test]
fn a_constraint_without_facts_says_so() {
    let nothing = Constraint::ground(0, Vec::new());
    let words = constraint_words(&fixture::model(), &Atoms::default(), &nothing);
    assert_eq!(words, ["no condition: every trace is a violation"]);
}

#[test]
fn an_ellipsis_stays_in_a_title() {
    let mut predicate = fixture::model().predicates.remove(0);
    predicate.doc = Some("... and\n then ...".to_owned());
    assert_eq!(predicate.title().as_deref(), Some("... and then ..."));
}
