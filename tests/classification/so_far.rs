//! Partial results, which observers hear of before a result is complete.

use crate::specs::model;
use cladist::budget::{Budget, Observer, Progress};
use cladist::classify::lassos::{Infinite, LassoProblem, classify_lassos};
use cladist::classify::{Classification, Mode, Options, Problem, Verdict, Why, classify};
use cladist::model::{Model, PropertyKind, Vocabulary};
use cladist::unroll::Lengths;
use std::any::Any;

/// Keeps every partial result of a type.
struct Heard<R>(Vec<R>);

impl<R: 'static> Observer for Heard<R> {
    fn progress(&mut self, _: &Progress) {}

    fn found(&mut self, so_far: &dyn Fn() -> Box<dyn Any>) {
        self.0.push(*so_far().downcast().expect("of the type of the result"));
    }
}

fn vocabulary<'m>(model: &'m Model, name: &str) -> &'m Vocabulary {
    &model.vocabularies[model.vocabulary(name).expect("a vocabulary of the model")]
}

fn shown(model: &Model, result: &Classification) -> Vec<String> {
    result.classes.iter().map(|class| class.constraint.show(model, &result.atoms)).collect()
}

#[test]
fn classes_are_heard_of_before_the_result() {
    for (mode, name, bound) in [(Mode::Sufficient, "courses", 8), (Mode::Cover, "courses", 8)] {
        let model = model("mutex", &[]);
        let options = Options { mode, ..Options::of(Lengths::UpTo(bound)) };
        let problem = Problem::first(&model).expect("an invariant");
        let mut heard: Heard<Classification> = Heard(Vec::new());
        let vocabulary = vocabulary(&model, name);
        let result = classify(problem, vocabulary, &options, &Budget::unlimited(), &mut heard);
        assert!(matches!(result.verdict, Verdict::Complete | Verdict::Remainder), "{:?}", result.verdict);
        // Hearing of them changes nothing.
        let alone = classify(problem, vocabulary, &options, &Budget::unlimited(), &mut ());
        assert_eq!(shown(&model, &result), shown(&model, &alone));
        for partial in &heard.0 {
            assert!(matches!(partial.verdict, Verdict::Partial(_)) && !partial.classes.is_empty());
            assert_eq!(partial.cover.is_some(), mode == Mode::Cover);
            for class in &partial.classes {
                let holds = class.constraint.show(&model, &partial.atoms);
                assert!(class.representative.len() <= bound, "{holds}");
            }
        }
        let last = heard.0.last().expect("there are classes");
        assert_eq!(last.classes.len(), result.classes.len(), "{mode:?}");
        let mut said = [shown(&model, last), shown(&model, &result)];
        said.iter_mut().for_each(|classes| classes.sort());
        assert_eq!(said[0], said[1], "{mode:?}");
    }
}

#[test]
fn classes_of_infinite_traces_are_heard_of_before_the_result() {
    let model = model("liveness/starvation", &[]);
    let property = &model.properties[model.property("p_enters").expect("a property of the model")];
    let PropertyKind::Ltl(formula) = &property.kind else { panic!("a property of ltl") };
    let problem = LassoProblem { model: &model, formula, fairness: &[] };
    for mode in [Mode::Sufficient, Mode::Cover] {
        let options = Options { mode, ..Options::of_lassos(6, 8) };
        let mut heard: Heard<Classification<Infinite>> = Heard(Vec::new());
        let vocabulary = vocabulary(&model, "kinds");
        let result = classify_lassos(problem, vocabulary, &options, &Budget::unlimited(), &mut heard);
        let shown = |result: &Classification<Infinite>| {
            let shown = result.classes.iter().map(|class| class.constraint.show(&model, &result.atoms));
            let mut shown: Vec<String> = shown.collect();
            shown.sort();
            shown
        };
        assert!(heard.0.iter().all(|partial| matches!(partial.verdict, Verdict::Partial(Why::Exhausted(_)))));
        let last = heard.0.last().expect("there are classes");
        assert_eq!(shown(last), shown(&result), "{mode:?}");
    }
}
