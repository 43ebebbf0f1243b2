//! What is said of traces beyond the bound, on random small models against enumeration of longer traces.

use crate::all_traces::all_traces;
use crate::random::cases;
use crate::random_model::random_model;
use crate::symmetric_model::symmetric_model;
use cladist::budget::Budget;
use cladist::classify::{
    BeyondBound, Class, Classification, Constraint, Longer, Mode, Options, Problem, Verdict, classify,
};
use cladist::model::{Model, eval, load};
use cladist::trace::Trace;
use cladist::unroll::Lengths;
use std::path::Path;

/// How many models of either kind.
const MODELS: u64 = 60;
/// How far longer traces go beyond the bound.
const FARTHER: usize = 2;

/// What was met, so that the test cannot pass without it.
#[derive(Default)]
struct Met {
    resting: usize,
    lasting: usize,
    uncovered: usize,
    covered: usize,
    others: usize,
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
        let farther = BeyondBound { steps: bound + FARTHER, states };
        result.horizon = None;
        result.look_beyond(problem, &options, farther, &Budget::unlimited()).expect("no budget");
        let left_over = result.verdict == Verdict::Remainder;
        assert_eq!(result.horizon.is_some(), left_over || result.verdict == Verdict::Complete, "seed {seed}");
        let Some(horizon) = &result.horizon else { return };
        let expected = if states == 0 || left_over { Some(bound + FARTHER) } else { None };
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
        // Where a cover leaves something over, other things of the vocabulary count.
        let others = result.cover.iter().flat_map(|cover| &cover.others);
        let others: Vec<&Constraint> = others.filter(|_| left_over).collect();
        let happens = |t: &Trace| {
            let other =
                |constraint: &&Constraint| constraint.matches(model, &result.atoms, &t.moments).is_some();
            !left_over || others.iter().any(other)
        };
        let outside = |t: &&Trace| {
            first(t) == Some(t.last()) && !(0..result.classes.len()).any(|class| has(class, t)) && happens(t)
        };
        let shortest = traces.iter().filter(outside).map(Trace::len).min();
        met.others += usize::from(left_over && shortest.is_some());
        assert_eq!(within(&horizon.uncovered), shortest, "seed {seed}");
        if let Some(Longer { trace: Some(trace), .. }) = &horizon.uncovered {
            assert!(outside(&trace), "seed {seed}");
        }
        met.uncovered += usize::from(shortest.is_some());
        met.covered += usize::from(shortest.is_none());
    }
}

/// What became of classes that depend on the bound.
#[derive(Default)]
struct Replaced {
    better: usize,
    kept: usize,
}

/// Checks the classes that are preferred to those that depend on the bound, against all traces up to a greater one.
fn prefer(seed: u64, model: &Model, states: usize, replaced: &mut Replaced) {
    let bound = 1 + (seed % 2) as usize;
    let longest = bound + FARTHER;
    let invariant = model.properties[0].invariant().expect("an invariant");
    let Ok(traces) = all_traces(model, longest, 60_000) else { return };
    let first = |t: &Trace| eval::first_violation(model, invariant, &t.moments);
    let keep_redundant = seed.is_multiple_of(5);
    let options = Options { keep_redundant, ..Options::of(Lengths::UpTo(bound)) };
    let (problem, vocabulary) = (Problem::first(model).expect("an invariant"), &model.vocabularies[0]);
    let (farther, budget) = (BeyondBound { steps: longest, states }, Budget::unlimited());
    let mut result = classify(problem, vocabulary, &options, &budget, &mut ());
    result.look_beyond(problem, &options, farther, &budget).expect("no budget");
    let before = result.clone();
    result.prefer_lasting(problem, vocabulary, &options, farther, &budget, &mut ()).expect("no budget");
    let kept = |result: &Classification| result.classes.iter().filter(|class| !class.redundant).count();
    let resting = |result: &Classification| {
        let rests = |n: &usize| !result.classes[*n].redundant && result.rests_on_bound(*n).is_some();
        (0..result.classes.len()).filter(rests).count()
    };
    let Some(sufficient_up_to) = result.horizon.as_ref().and_then(|horizon| horizon.sufficient_up_to) else {
        assert_eq!(result, before, "seed {seed}");
        replaced.kept += usize::from(resting(&result) > 0);
        return;
    };
    replaced.better += 1;
    assert!(sufficient_up_to >= longest, "seed {seed}");
    assert!(resting(&result) < resting(&before) && kept(&result) <= kept(&before), "seed {seed}");
    let has = |class: &Class, t: &Trace| class.constraint.matches(model, &result.atoms, &t.moments).is_some();
    for (number, class) in result.classes.iter().enumerate() {
        let accepted = traces.iter().find(|t| first(t).is_none() && has(class, t));
        assert_eq!(accepted, None, "seed {seed}, class {number}");
        assert_eq!(class.needed.len(), class.constraint.facts.len(), "seed {seed}");
        for (fact, trace) in class.needed.iter().enumerate() {
            let rest = class.constraint.without(fact);
            let holds = |constraint: &Constraint| constraint.matches(model, &result.atoms, &trace.moments);
            assert!(first(trace).is_none() && trace.len() <= sufficient_up_to, "seed {seed}");
            assert!(holds(&rest).is_some() && holds(&class.constraint).is_none(), "seed {seed}");
        }
        let Some(canonical) = &class.canonical else { continue };
        let mut others =
            result.classes.iter().enumerate().filter(|(other, class)| *other != number && !class.redundant);
        assert!(has(class, canonical) && others.all(|(_, other)| !has(other, canonical)), "seed {seed}");
        assert!(canonical.len() <= bound && first(canonical) == Some(canonical.last()), "seed {seed}");
    }
    let mut violating = traces.iter().filter(|t| t.len() <= bound && first(t) == Some(t.last()));
    assert!(violating.all(|t| result.classes.iter().any(|class| has(class, t))), "seed {seed}");
}

#[test]
fn classes_that_last_are_preferred() {
    let mut replaced = Replaced::default();
    for seed in 0..cases(3 * MODELS / 2) {
        for states in [20_000, 0] {
            prefer(seed, &random_model(seed), states, &mut replaced);
            prefer(seed, &symmetric_model(seed), states, &mut replaced);
        }
    }
    let Replaced { better, kept } = replaced;
    eprintln!("{better} classifications got better, {kept} depend on the bound as before");
    assert!(better > 2, "{better}");
}

/// What is said of a model of the repository at a bound of 8 steps: each class, with a mark where it rests on that.
fn at_eight_steps(file: &str, vocabulary: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs").join(file);
    let model = load(&path, &[]).model.expect("no mistakes");
    let (problem, budget) = (Problem::first(&model).expect("an invariant"), Budget::unlimited());
    let vocabulary = model.vocabularies.iter().find(|v| v.name == vocabulary).expect("a vocabulary");
    let options = Options::of(Lengths::UpTo(8));
    let farther = BeyondBound::than(8);
    let mut result = classify(problem, vocabulary, &options, &budget, &mut ());
    result.look_beyond(problem, &options, farther, &budget).expect("no budget");
    result.prefer_lasting(problem, vocabulary, &options, farther, &budget, &mut ()).expect("no budget");
    let show = |(index, class): (usize, &Class)| {
        let mark = if result.rests_on_bound(index).is_some() { " (rests)" } else { "" };
        format!("{}{mark}", class.constraint.show(&model, &result.atoms))
    };
    result.classes.iter().enumerate().map(show).collect()
}

#[test]
fn a_key_is_named_where_forging_alone_rests_on_the_bound() {
    assert_eq!(
        at_eight_steps("ns_symmetric.sts", "labels"),
        ["∃ i, j ∈ [0..len(ρ)] : action@i = forge ∧ accept.k@j = K1 ∧ i < j"]
    );
}

#[test]
fn fewer_classes_that_last_take_the_place_of_more() {
    let classes = at_eight_steps("paper/tcp.sts", "labels_absent");
    assert_eq!(classes.len(), 3);
    assert!(classes.iter().all(|class| !class.ends_with("(rests)")), "{classes:?}");
}

#[test]
fn what_has_no_better_words_keeps_its_mark() {
    let [class] = &at_eight_steps("paper/tcp.sts", "with_senders")[..] else { panic!("one class") };
    assert!(class.ends_with("(rests)"), "{class}");
}

/// From 8 to 12 steps the same things happen in the violations of cache coherence, or the trace that shows another one is known.
#[test]
fn what_else_happens_beyond_the_bound_of_a_cover_is_shown() {
    let Some(folder) = std::env::var_os("CLADIST_TEST_DATA") else {
        println!("skipped: CLADIST_TEST_DATA is not set");
        return;
    };
    let loaded = load(&Path::new(&folder).join("models/cache_coherence.sts"), &[]);
    let model = loaded.model.expect("no mistakes");
    let (problem, budget) = (Problem::first(&model).expect("an invariant"), Budget::unlimited());
    let labels = model.vocabularies.iter().find(|v| v.name == "labels").expect("a vocabulary");
    let mut evicted = None;
    for bound in 8..=12 {
        let options = Options { mode: Mode::Cover, ..Options::of(Lengths::UpTo(bound)) };
        let mut result = classify(problem, labels, &options, &budget, &mut ());
        let farther = BeyondBound { steps: 12, ..BeyondBound::than(bound) };
        result.look_beyond(problem, &options, farther, &budget).expect("no budget");
        let show = |class: &Class| class.constraint.show_facts(&model, &result.atoms);
        let classes: Vec<String> = result.classes.iter().map(show).collect();
        let uncovered = result.horizon.expect("it was looked beyond the bound").uncovered;
        if bound < 10 {
            assert_eq!(classes, ["inv.c@i = c"]);
            let trace = uncovered.and_then(|longer| longer.trace).expect("the next class has a trace");
            assert_eq!(trace.len(), 10);
            evicted = Some(trace);
        } else {
            assert_eq!(classes, ["inv.c@i = c", "evict.c@i = c"]);
            assert_eq!(uncovered, None);
            assert_eq!(result.classes[1].canonical, evicted);
        }
    }
}

#[test]
fn longer_traces_are_those_of_enumeration() {
    let mut met = Met::default();
    for seed in 0..cases(2 * MODELS) {
        compare(seed, &random_model(seed), &mut met);
        compare(seed, &symmetric_model(seed), &mut met);
    }
    let Met { resting, lasting, uncovered, covered, others } = met;
    assert!(
        [resting, lasting, uncovered, covered, others].iter().all(|&met| met > 0),
        "{resting} {lasting} {uncovered} {covered} {others}"
    );
}
