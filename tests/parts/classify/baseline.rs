//! Tests of `classify::baseline`.

use classify::facts::problem::Problem;
use classify::oracles::baseline::*;
use classify::{Options, classify};
use kit::budget::Budget;
use lang::model::load;
use lang::trace::Trace;
use solvers::unroll::Lengths;
use std::path::Path;

#[test]
fn only_the_class_that_was_not_known_is_new() {
    for (name, vocabulary, bound) in
        [("running_example", "messages", 5), ("increment_decrement", "both", 3), ("mutex", "steps", 6)]
    {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs").join(name).with_extension("sts");
        let model = load(&path, &[]).model.expect("no mistakes");
        let vocabulary = &model.vocabularies[model.vocabulary(vocabulary).expect("it exists")];
        let problem = Problem::first(&model).expect("an invariant");
        let options = Options::of(Lengths::UpTo(bound));
        let result = classify(problem, vocabulary, &options, &Budget::unlimited(), &mut ());
        // Under other texts, so that the solver is asked.
        let all: Vec<KnownClass> = result
            .classes
            .iter()
            .enumerate()
            .map(|(index, class)| KnownClass {
                id: index + 1,
                text: String::new(),
                constraint: Some(class.constraint.clone()),
            })
            .collect();
        let ask = |known: &[KnownClass]| result.novelties(problem, known, &options, &Budget::unlimited());
        assert!(ask(&all).iter().all(|novelty| *novelty == Novelty::Covered), "{name}");
        for left_out in 0..all.len() {
            let mut known = all.clone();
            known.remove(left_out);
            for (index, novelty) in ask(&known).into_iter().enumerate() {
                let canonical = result.classes[index].canonical.as_ref().map(Trace::len);
                match novelty {
                    Novelty::New(trace) if index == left_out => {
                        assert_eq!(Some(trace.len()), canonical, "{name}");
                    }
                    novelty => assert!(index != left_out && novelty == Novelty::Covered, "{name}"),
                }
            }
        }
        let named = KnownClass {
            id: 7,
            text: result.classes[0].constraint.show(&model, &result.atoms),
            constraint: None,
        };
        assert_eq!(ask(&[named])[0], Novelty::Same(7));
    }
}
