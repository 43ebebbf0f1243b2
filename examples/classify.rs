//! The kinds of violation of a model's first invariant: `cargo run --release --example classify`.

use cladist::budget::Budget;
use cladist::classify::{Options, Problem, classify};
use cladist::model;

fn main() {
    let loaded = model::load("specs/mutex.sts".as_ref(), &[]);
    let model = loaded.model.expect("a model without mistakes");
    let problem = Problem::first(&model).expect("an invariant");
    let (options, budget) = (Options::default(), Budget::unlimited());
    let result = classify(problem, &model.vocabularies[0], &options, &budget, &mut ());
    for class in &result.classes {
        println!("{} steps: {}", class.representative.len(), class.constraint.show(&model, &result.atoms));
    }
}
