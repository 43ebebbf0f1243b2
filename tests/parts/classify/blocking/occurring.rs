//! What walks over listed states say of facts, against enumerated traces.

use super::random::{Random, cases};
use super::random_model::random_model;
use super::with_absences;
use crate::all_traces::all_traces;
use classify::automata::listing::{ListedModel, ViolationTraces};
use classify::facts::atom::Atoms;
use classify::facts::collect::Collector;
use classify::facts::constraint::Constraint;
use classify::facts::grounding::Grounding;
use classify::facts::lifting::Lifter;
use classify::facts::problem::Problem;
use kit::budget::Budget;
use lang::model::eval::first_violation;
use lang::trace::Trace;

/// What one walk over listed states says of many facts is what the enumerated traces say.
#[test]
fn listed_states_tell_which_facts_occur() {
    let budget = Budget::unlimited();
    let (mut decided, mut had, mut lacked, mut lifted) = (0, [0; 2], [0; 2], 0);
    for seed in 0..cases(50) {
        let model = random_model(seed);
        let mut rng = Random::new(seed + 23);
        let problem = Problem::first(&model).expect("random models have invariants");
        let traces = all_traces(&model, 4, 20_000).expect("random models are small");
        let vocabulary = with_absences(&model);
        let atoms = Atoms::default();
        let mut collector = Collector::new(&model, &vocabulary, &atoms);
        let lifter = Lifter::new(&model, &vocabulary, &atoms, &Grounding::Nothing);
        let mut facts: Vec<Constraint> = Vec::new();
        for _ in 0..4 {
            let source = rng.pick(&traces);
            for placed in collector.collect(&source.moments, &budget).expect("no budget") {
                facts.extend(
                    [placed.atom, lifter.shape(placed.atom)].map(|atom| Constraint::of_atom(&atoms, atom)),
                );
            }
        }
        let mut states = ListedModel::new(problem);
        let listing = states.list(&budget).expect("random models have few states");
        let occurring = listing.occurring(&atoms, facts.iter().enumerate(), &budget).expect("no budget");
        let known: Vec<usize> = occurring.all().collect();
        for violating in [false, true] {
            let least = rng.below(3);
            let asked = ViolationTraces { violating, steps: least..=rng.below(5) };
            let is_asked = |trace: &&Trace| {
                let first = first_violation(&model, problem.invariant, &trace.moments);
                let ends = first.is_some_and(|first| first.steps() == trace.len());
                asked.steps.contains(&trace.len()) && if violating { ends } else { first.is_none() }
            };
            let asked_for: Vec<&Trace> = traces.iter().filter(is_asked).collect();
            let some = |fact: usize, has: bool| {
                let matches =
                    |trace: &&Trace| facts[fact].matches(&model, &atoms, &trace.moments).is_some() == has;
                asked_for.iter().copied().any(|trace| matches(&trace))
            };
            let by_walks = [
                occurring.had(&asked, &budget).expect("no budget"),
                occurring.lacked(&asked, &budget).expect("no budget"),
            ];
            for &fact in &known {
                let text = facts[fact].show(&model, &atoms);
                assert_eq!(by_walks[0].contains(&fact), some(fact, true), "{seed}: had, {asked:?}: {text}");
                assert_eq!(
                    by_walks[1].contains(&fact),
                    some(fact, false),
                    "{seed}: lacked, {asked:?}: {text}"
                );
                decided += 1;
                had[usize::from(violating)] += usize::from(some(fact, true));
                lacked[usize::from(violating)] += usize::from(some(fact, false));
                lifted += usize::from(facts[fact].is_lifted());
            }
        }
    }
    assert!(
        decided > 330 && lifted > 33 && had.iter().chain(&lacked).all(|&n| n > 33 && n < decided / 2),
        "{decided} decided, {lifted} with individuals, {had:?} had, {lacked:?} lacked"
    );
}
