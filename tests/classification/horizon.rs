//! What is said of traces beyond the bound, on random small models against enumeration of longer traces.

use crate::random::cases;
use crate::random_model::random_model;
use crate::symmetric_model::symmetric_model;
use cladist::budget::Budget;
use cladist::classify::{Farther, Longer, Mode, Options, Problem, Verdict, classify};
use cladist::explore::all_traces;
use cladist::model::{Model, eval};
use cladist::trace::Trace;
use cladist::unroll::Lengths;

/// How many models of either kind.
const MODELS: u64 = 120;
/// How far longer traces go beyond the bound.
const FARTHER: usize = 2;

/// What was met, so that the test cannot pass without it.
#[derive(Default)]
struct Met {
    resting: usize,
    lasting: usize,
    uncovered: usize,
    covered: usize,
}

fn compare(seed: u64, model: &Model, met: &mut Met) {
    let bound = 1 + (seed % 2) as usize;
    let invariant = model.properties[0].invariant().expect("an invariant");
    let Ok(traces) = all_traces(model, bound + FARTHER, 60_000) else { return };
    let first = |t: &Trace| eval::first_violation(model, invariant, &t.moments);
    let mode = if seed.is_multiple_of(3) { Mode::Cover } else { Mode::Sufficient };
    let options = Options { mode, ..Options::of(Lengths::UpTo(bound)) };
    let problem = Problem::first(model).expect("an invariant");
    let mut result = classify(problem, &model.vocabularies[0], &options, &Budget::unlimited(), &mut ());
    // Both ways: over the list of states, and by the solver.
    for states in [20_000, 0] {
        let farther = Farther { steps: bound + FARTHER, states };
        result.horizon = None;
        result.look_beyond(problem, &options, farther, &Budget::unlimited()).expect("no budget");
        assert_eq!(result.horizon.is_some(), result.verdict == Verdict::Complete, "seed {seed}");
        let Some(horizon) = &result.horizon else { return };
        let expected = if states == 0 { Some(bound + FARTHER) } else { None };
        assert_eq!(horizon.steps, expected, "seed {seed}: the models are small");
        let has = |class: usize, t: &Trace| {
            result.classes[class].constraint.matches(model, &result.atoms, &t.moments).is_some()
        };
        let within = |longer: &Option<Longer>| {
            longer.as_ref().map(|longer| longer.steps).filter(|steps| *steps <= bound + FARTHER)
        };
        for (class, longer) in horizon.resting.iter().enumerate() {
            let accepted = traces.iter().filter(|t| first(t).is_none() && has(class, t));
            let shortest = accepted.map(Trace::len).min().filter(|_| result.classes[class].sufficient);
            assert_eq!(within(longer), shortest, "seed {seed}, class {class}");
            if let Some(Longer { steps, trace: Some(trace) }) = longer {
                assert_eq!(trace.len(), *steps);
                assert!(first(trace).is_none() && has(class, trace), "seed {seed}, class {class}");
            }
            met.resting += usize::from(shortest.is_some());
            met.lasting += usize::from(shortest.is_none());
        }
        let outside =
            |t: &&Trace| first(t) == Some(t.len()) && !(0..result.classes.len()).any(|class| has(class, t));
        let shortest = traces.iter().filter(outside).map(Trace::len).min();
        assert_eq!(within(&horizon.uncovered), shortest, "seed {seed}");
        if let Some(Longer { trace: Some(trace), .. }) = &horizon.uncovered {
            assert!(outside(&trace), "seed {seed}");
        }
        met.uncovered += usize::from(shortest.is_some());
        met.covered += usize::from(shortest.is_none());
    }
}

#[test]
fn longer_traces_are_those_of_enumeration() {
    let mut met = Met::default();
    for seed in 0..cases(MODELS) {
        compare(seed, &random_model(seed), &mut met);
        compare(seed, &symmetric_model(seed), &mut met);
    }
    let Met { resting, lasting, uncovered, covered } = met;
    assert!(
        resting.min(lasting).min(uncovered).min(covered) > 0,
        "{resting} {lasting} {uncovered} {covered}"
    );
}
