//! Counterexamples that follow by symmetry, by the reference semantics.

use super::linked_model::linked_model;
use super::random::cases;
use super::space;
use super::symmetric_model::symmetric_model;
use classify::facts::atom::Atoms;
use classify::facts::problem::Problem;
use classify::oracles::orbit::InterchangeableValues;
use kit::budget::Budget;
use lang::model::eval::{check_trace, first_violation};
use solvers::unroll::Lengths;

#[test]
fn images_violate_the_property_where_the_counterexample_does() {
    let (mut images, mut others) = (0, 0);
    for seed in 0..cases(200) {
        let model = if seed % 3 == 0 { linked_model(seed) } else { symmetric_model(seed) };
        let problem = Problem::first(&model).expect("an invariant");
        let Some(exchange) = InterchangeableValues::find(problem, &Budget::unlimited()) else { continue };
        let atoms = Atoms::default();
        let mut space = space(problem, &atoms, Lengths::UpTo(4));
        space.grow_to(4).expect("no budget");
        let Some(trace) = space.first_from(0, &[]).expect("no budget") else { continue };
        let violated = first_violation(&model, problem.invariant, &trace.moments);
        assert!(violated.is_some());
        for image in exchange.images(&model, &trace) {
            check_trace(&model, &image.moments).expect("a trace");
            assert_eq!(first_violation(&model, problem.invariant, &image.moments), violated, "seed {seed}");
            images += 1;
            others += usize::from(image != trace);
        }
    }
    assert!(images > 50 && others > 20, "{images} images, {others} of them another trace");
}
