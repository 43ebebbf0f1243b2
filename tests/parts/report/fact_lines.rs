//! Tests of `report::classes::fact_lines`.

use crate::fixture;
use classify::{Assignment, Atoms, Fact, FactKind, PositionVar, Stretch};
use lang::model::Position;
use lang::model::value::Value;
use report::classes::fact_lines::*;

#[test]
fn a_fact_reaches_the_steps_and_places_that_it_speaks_of() {
    let (model, atoms) = (fixture::model(), Atoms::default());
    let assigned = Assignment { positions: [1, 5].map(Position::new).to_vec(), ..Assignment::default() };
    let eve = fixture::agent(&model, "Eve");
    let absent = |fact: &Fact, stretch| {
        let FactKind::Atom(atom) = fact.kind else { panic!("an atom") };
        Fact::about(FactKind::Absent(atom, stretch), vec![PositionVar::new(0), PositionVar::new(1)])
    };
    let sender = fixture::equal(&atoms, "sender", eve, 1);
    let there = fixture::equal(&atoms, "(net is some)", Value::Bool(true), 0);
    let cases = [
        (sender.clone(), "step 5", vec!["sender"]),
        (there, "step 1", vec!["net"]),
        (fixture::replay(&atoms), "steps 1 and 5", vec![]),
        (fixture::across(&atoms, "net.a", "net.b"), "steps 1 and 5", vec!["net.a", "net.b"]),
        (absent(&sender, Stretch::Between), "steps 2–4", vec!["sender"]),
    ];
    for (fact, steps, places) in cases {
        let reach = FactReach::of(&model, &atoms, &fact, &assigned, 7);
        assert_eq!(
            (reach.words().as_str(), reach.places),
            (steps, places.iter().map(ToString::to_string).collect())
        );
    }
    let reach = |steps: &[usize]| {
        let steps = steps.iter().copied().map(Position::new).collect();
        FactReach { steps, places: Vec::new() }.words()
    };
    assert_eq!(reach(&[1, 2, 4]), "steps 1, 2 and 4");
    assert_eq!(reach(&[]), "");
}
