//! Constraints that suffice because symmetries take one that does to each of their instances, against the solver.

use super::linked_model::linked_model;
use super::random::cases;
use super::space;
use super::symmetric_model::symmetric_model;
use classify::facts::atom::Atoms;
use classify::facts::grounding::Grounding;
use classify::facts::index::PositionVar;
use classify::facts::lifting::{Lifter, ValueRelation};
use classify::facts::problem::Problem;
use classify::oracles::orbit::{Alike, InterchangeableValues};
use classify::oracles::sat::Sufficiency;
use classify::oracles::work::Work;
use classify::results::options::{Necessity, Options};
use classify::search::engine::classify_by;
use classify::search::generalise::{all_values, freely, relations};
use kit::budget::Budget;
use solvers::unroll::Lengths;

const LENGTHS: Lengths = Lengths::UpTo(3);

#[test]
fn what_symmetries_show_to_suffice_does() {
    let (mut shown, mut others) = (0, 0);
    for seed in 0..cases(300) {
        let model = if seed % 2 == 0 { linked_model(seed) } else { symmetric_model(seed) };
        let (problem, vocabulary) = (Problem::first(&model).expect("an invariant"), &model.vocabularies[0]);
        let budget = Budget::unlimited();
        let Some(exchange) = InterchangeableValues::find(problem, &budget) else { continue };
        let atoms = Atoms::default();
        let options = Options {
            grounding: Grounding::Everything,
            necessity: Necessity::Unasked,
            ..Options::of(LENGTHS)
        };
        let mut nobody = ();
        let work = Work::new(problem, &atoms, &options, &budget, &mut nobody);
        let result = classify_by(work, vocabulary, &options);
        let lifter = Lifter::new(&model, vocabulary, &atoms, &Grounding::default());
        let mut solver = space(problem, &atoms, LENGTHS);
        solver.grow_to(LENGTHS.bound()).expect("no budget");
        for class in result.classes.iter().filter(|class| class.sufficient) {
            let ground = &class.constraint;
            let Some(alike) =
                Alike::of(&exchange, &model, &lifter, &atoms, ground, all_values(&lifter, ground))
            else {
                continue;
            };
            let values = all_values(&lifter, ground);
            let apart = relations(&values);
            let tied: Vec<ValueRelation> =
                lifter.ties(&values).into_iter().map(ValueRelation::Tied).chain(apart.clone()).collect();
            // All values, each of them, and all of one type.
            let mut parts = vec![values.clone()];
            parts.extend(values.iter().map(|value| vec![value.clone()]));
            parts.extend(values.iter().map(|of| {
                values.iter().filter(|value| value.domain == of.domain).cloned().collect::<Vec<_>>()
            }));
            for freed in parts {
                for relations in [Vec::new(), apart.clone(), tied.clone()] {
                    let general = freely(&lifter, ground, &freed, &relations);
                    if !general.constraint.is_lifted() {
                        continue;
                    }
                    if !alike.have_every_instance(
                        &model,
                        &atoms,
                        &general.constraint,
                        &|named, individuals| general.stands_for(&lifter, named, individuals),
                    ) {
                        others += 1;
                        continue;
                    }
                    shown += 1;
                    let used: Vec<PositionVar> = general.constraint.variables().collect();
                    let answer = solver.sufficiency(&general.constraint.facts, &used).expect("no budget");
                    assert!(
                        matches!(answer, Sufficiency::Sufficient(_)),
                        "seed {seed}: {} because of {}",
                        general.constraint.show(&model, &atoms),
                        ground.show(&model, &atoms)
                    );
                }
            }
        }
    }
    eprintln!("{shown} shown to suffice, {others} not");
    assert!(shown > 100 && others > 100, "{shown} and {others}");
}
