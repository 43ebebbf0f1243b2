//! Numbers of traces from one of each orbit against those of all.

use super::linked_model::linked_model;
use super::random::cases;
use super::symmetric_model::symmetric_model;
use classify::facts::problem::Problem;
use classify::oracles::numbers::numbers_of_orbits;
use classify::oracles::one_of_each::OneOfEach;
use classify::oracles::orbit::InterchangeableValues;
use classify::{CountMethod, CountQuery, Obstacle, Options, TraceNumbers, classify, numbers_by};
use kit::budget::Budget;
use solvers::unroll::Lengths;

#[test]
fn one_trace_of_each_orbit_stands_for_all_of_them() {
    let (mut compared, mut classes, mut traces) = (0, 0, num_bigint::BigUint::ZERO);
    for seed in 0..cases(200) {
        let model = if seed % 3 == 0 { linked_model(seed) } else { symmetric_model(seed) };
        let problem = Problem::first(&model).expect("an invariant");
        let budget = Budget::unlimited();
        let Some(exchange) = InterchangeableValues::find(problem, &budget) else { continue };
        let lengths = if seed % 2 == 0 { Lengths::UpTo(4) } else { Lengths::Exactly(3) };
        let result = classify(problem, &model.vocabularies[0], &Options::of(lengths), &budget, &mut ());
        let (classes_of, atoms) = (&result.classes, &result.atoms);
        if !classes_of.iter().all(|class| exchange.preserves(&model.types, atoms, &class.constraint)) {
            continue;
        }
        let counted = CountQuery { problem, classes: classes_of, atoms, lengths };
        let list = CountMethod::List(1_000_000);
        let Ok(TraceNumbers { counts: all, .. }) = numbers_by(list, counted, &budget) else { continue };
        let one_of_each = OneOfEach::new(problem, &exchange).expect("small automata");
        for method in [list, CountMethod::Diagrams] {
            match numbers_of_orbits(method, counted, &one_of_each, &budget) {
                // What a class remembers can be too much for diagrams.
                Err(Obstacle::Class(..)) if method == CountMethod::Diagrams => {}
                numbers => assert_eq!(numbers.expect("few states").counts, all, "seed {seed}, {method:?}"),
            }
        }
        compared += 1;
        classes += classes_of.len();
        traces += all.iter().map(|count| count.violating.total()).sum::<num_bigint::BigUint>();
    }
    eprintln!("{compared} compared, {classes} classes, {traces} violating traces");
    assert!(compared > 100 && classes > 13 && traces > 16_000_u32.into());
}
