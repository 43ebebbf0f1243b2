//! Tests of `classify::permuted`.

use classify::facts::permuted::*;
use engines::explore::Graph;
use kit::budget::Budget;
use lang::model::eval::Scope;
use lang::model::permutation::{NameType, Permutation};
use lang::model::types::Type;
use lang::model::value::Value;
use lang::model::{Model, load_text};
use std::io::ErrorKind;

/// A model of four nodes in a ring, with these properties.
fn ring(properties: &[&str]) -> Model {
    let properties: Vec<String> =
        properties.iter().zip(1..).map(|(formula, n)| format!("invariant p{n}: {formula};")).collect();
    let text = format!(
        "model ring; type Node = 1..4; var at : Node; var age : 0..5; var lit : map Node to bool;
             def is_two(n: 0..5): bool = n = 2 or n = 0;
             def is_age(n: 0..5): bool = n = age;
             def are_lit(a: Node, b: Node): bool = lit[a] and lit[b];
             init {{ at = 1; age = 0; forall n in Node: not lit[n]; }}
             action go(n: Node) {{ at' = n; lit'[n] = not lit[n]; }}
             action grow {{ require age < 5; age' = age + 1; }}
             {}",
        properties.join("\n")
    );
    let loaded = load_text("ring.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
    loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}

/// The image of a formula says of the images of states what it says of these.
#[test]
fn images_of_formulas_are_true_of_images_of_states() {
    let model = ring(&[
        "at = 2",
        "is_two(at)",
        "is_age(at)",
        "age = 2",
        "let n = at in n = 2 and lit[n]",
        "let n = 2 in lit[n]",
        "let n = 2 in n = at or lit[n]",
        "are_lit(1, 2)",
        "are_lit(at, 3)",
        "are_lit(4, at) and not is_two(at)",
        "forall n in Node: lit[n] => is_two(n)",
        "exists n in {1, 2}: lit[n]",
    ]);
    let ty = NameType::of(&Type::Int { lo: 1, hi: 4 }).expect("names");
    let turn = (1..=4).map(|n| (Value::Int(n), Value::Int(n % 4 + 1))).collect();
    let turn = Permutation::of([(ty, turn)].into()).expect("a permutation");
    let graph = Graph::explore(&model, None, 1_000, &Budget::unlimited()).expect("few states");
    assert_eq!(graph.states.len(), 384);
    let mut known = Vec::new();
    for (property, n) in model.properties.iter().zip(1..) {
        let formula = property.invariant().expect("an invariant");
        let Some(image) = permuted(&model.types, &turn, formula) else { continue };
        known.push(n);
        for state in &graph.states {
            let moved = turn.state(&model, state);
            let holds = |formula, state| Scope::new(&model).with_state(state).holds(formula);
            assert_eq!(holds(formula, state), holds(&image, &moved), "property {n}: {formula:?}");
        }
    }
    // A node is compared with what is none, and the members of a set are written, in what is left out.
    assert_eq!(known, [1, 2, 4, 5, 6, 7, 8, 9, 10, 11]);
}
