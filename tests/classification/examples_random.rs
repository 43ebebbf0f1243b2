//! Examples of predicates of random models, and predicates that tell no trace from another, against enumeration of all traces by the
//! reference semantics.

use crate::all_traces::all_traces;
use crate::random::{Random, cases};
use crate::random_model::random_model;
use cladist::budget::Budget;
use cladist::classify::facts::collect::Collector;
use cladist::classify::predicates::example::{ExampleFinding, decide};
use cladist::classify::predicates::trivial::{TrivialSearch, Triviality};
use cladist::classify::{Atom, AtomId, Atoms};
use cladist::diagnostics::Span;
use cladist::model::value::{Moment, Value};
use cladist::model::{
    ActionSteps, ArgumentValue, ExampleTraces, Model, Position, PredicateArgument, PredicateId, TraceExample,
    Vocabulary, VocabularyItem, eval,
};
use cladist::sat::Backend;
use cladist::trace::Trace;
use itertools::Itertools;
use std::collections::BTreeMap;

/// The bound of a case.
const BOUND: usize = 3;

/// The predicates of the vocabulary, each with its items.
fn predicates(model: &Model) -> BTreeMap<PredicateId, Vec<VocabularyItem>> {
    let mut found: BTreeMap<PredicateId, Vec<VocabularyItem>> = BTreeMap::new();
    for item in &model.vocabularies[0].items {
        if let VocabularyItem::Predicate(id, _) = item {
            found.entry(*id).or_default().push(item.clone());
        }
    }
    found
}

fn only(items: &[VocabularyItem]) -> Vocabulary {
    Vocabulary { name: String::new(), doc: None, items: items.to_vec(), span: Span::default() }
}

/// The places at which a predicate holds in a trace, by the reference semantics.
fn places(model: &Model, items: &[VocabularyItem], trace: &[Moment]) -> usize {
    let vocabulary = only(items);
    let atoms = Atoms::default();
    let mut collector = Collector::new(model, &vocabulary, &atoms);
    collector.collect(trace, &Budget::unlimited()).expect("no limit").len()
}

/// Steps like those of a trace: of some, arguments are left out, and now and then one is another action.
fn steps_like(rng: &mut Random, model: &Model, trace: &Trace) -> Vec<(ActionSteps, Span)> {
    let steps = trace.labels().map(|label| {
        if rng.percent(12) {
            return (
                ActionSteps { action: rng.below(model.actions.len()), with: Vec::new() },
                Span::default(),
            );
        }
        let with = label.args.iter().enumerate().filter(|_| rng.percent(60));
        let with = with.map(|(param, value)| ArgumentValue { param, value: value.clone() }).collect();
        (ActionSteps { action: label.action, with }, Span::default())
    });
    steps.collect()
}

fn is_taken(steps: &[(ActionSteps, Span)], trace: &Trace) -> bool {
    let labels: Vec<_> = trace.labels().collect();
    labels.len() == steps.len()
        && labels.iter().zip(steps).all(|(label, (steps, _))| {
            label.action == steps.action && steps.with.iter().all(|a| label.args[a.param] == a.value)
        })
}

#[test]
fn examples_of_steps_and_bounds() {
    let (mut seen, mut counts) = (0, BTreeMap::new());
    for seed in 0..cases(250) {
        let model = random_model(seed);
        let mut rng = Random::new(seed);
        let traces = all_traces(&model, BOUND, 200_000).expect("random models are small");
        for (_, items) in predicates(&model) {
            let holds: Vec<bool> = traces.iter().map(|t| places(&model, &items, &t.moments) > 0).collect();
            let like = rng.below(traces.len());
            let steps = steps_like(&mut rng, &model, &traces[like]);
            for asked in [ExampleTraces::Within(rng.below(BOUND + 1)), ExampleTraces::Steps(steps)] {
                seen += 1;
                let example = example(&items, asked.clone());
                let found = decide(&model, &example, Backend::Cadical, &Budget::unlimited());
                *counts.entry(check(&model, &traces, &holds, &asked, &found, seed)).or_insert(0) += 1;
            }
        }
    }
    assert!(seen > 200, "{seen} examples");
    assert_eq!(counts.len(), 4, "{counts:?}");
}

fn example(items: &[VocabularyItem], traces: ExampleTraces) -> TraceExample {
    TraceExample {
        counter: false,
        text: String::new(),
        doc: None,
        items: items.to_vec(),
        model: None,
        with: Vec::new(),
        traces,
        span: Span::default(),
    }
}

/// Compares a finding with what holds in each trace; gives its kind.
fn check(
    model: &Model,
    traces: &[Trace],
    holds: &[bool],
    asked: &ExampleTraces,
    found: &ExampleFinding,
    seed: u64,
) -> &'static str {
    let is_asked = |trace: &Trace| match asked {
        ExampleTraces::Within(bound) => trace.len() <= *bound,
        ExampleTraces::Steps(steps) => is_taken(steps, trace),
    };
    let of = traces.iter().zip(holds).filter(|(trace, _)| is_asked(trace));
    let shortest = of.clone().filter(|(_, holds)| **holds).map(|(trace, _)| trace.len()).min();
    match (found, asked) {
        (ExampleFinding::Somewhere(sighting), _) => {
            assert_eq!(Some(sighting.trace.len()), shortest, "seed {seed}");
            assert!(traces.contains(&sighting.trace) && is_asked(&sighting.trace), "seed {seed}");
            "somewhere"
        }
        (ExampleFinding::NowhereWithin(bound), ExampleTraces::Within(asked)) => {
            assert!(bound == asked && shortest.is_none(), "seed {seed}");
            "nowhere within"
        }
        (ExampleFinding::Nowhere(miss), _) => {
            assert!(shortest.is_none() && is_asked(&miss.trace), "seed {seed}");
            assert!(!miss.missing.is_empty(), "seed {seed}: something is missing");
            "nowhere"
        }
        (ExampleFinding::Impossible(no_step), ExampleTraces::Steps(steps)) => {
            assert_eq!(of.count(), 0, "seed {seed}");
            let longest = (0..=steps.len()).rev();
            let reached = longest.map(|n| &steps[..n]).find(|part| traces.iter().any(|t| is_taken(part, t)));
            assert_eq!(
                no_step.step,
                reached.map_or(0, |part| part.len() + 1),
                "seed {seed} {:?}",
                model.name
            );
            "impossible"
        }
        _ => panic!("seed {seed}: {found:?}"),
    }
}

#[test]
fn predicates_that_tell_no_trace_from_another() {
    let mut counts = BTreeMap::new();
    for seed in 0..cases(250) {
        let model = random_model(seed);
        let traces = all_traces(&model, BOUND, 200_000).expect("random models are small");
        let all = predicates(&model);
        let items: Vec<VocabularyItem> = all.values().flatten().cloned().collect();
        let budget = &Budget::unlimited();
        let search =
            TrivialSearch { model: &model, items: &items, bound: BOUND, backend: Backend::Cadical, budget };
        let (found, everywhere) = (search.run(), search.everywhere());
        assert_eq!((found.ended, everywhere.ended), (None, None));
        let always = found.found.iter().filter(|(_, how)| *how == Triviality::Always);
        assert_eq!(everywhere.found, always.copied().collect::<Vec<_>>(), "seed {seed}");
        for (id, items) in &all {
            let expected = expected(&model, items, &traces);
            let told = found.found.iter().find(|(other, _)| other == id).map(|(_, how)| *how);
            assert_eq!(told, expected, "seed {seed}, {}", model.predicates[id.0 as usize].name);
            *counts.entry(format!("{told:?}")).or_insert(0) += 1;
        }
    }
    assert!(counts.len() >= 3, "{counts:?}");
}

/// Whether a predicate tells no trace from another, by its definition.
fn expected(model: &Model, items: &[VocabularyItem], traces: &[Trace]) -> Option<Triviality> {
    let atoms = Atoms::default();
    // A reading for each thing that is passed; of a value that is left open, one for all of its values.
    let mut readings: BTreeMap<String, Vec<AtomId>> = BTreeMap::new();
    for item in items {
        let VocabularyItem::Predicate(id, args) = item else { continue };
        let fixed = |arg: &PredicateArgument| match arg {
            PredicateArgument::Value { any: true, .. } => "any".to_owned(),
            other => format!("{other:?}"),
        };
        let alone = only(std::slice::from_ref(item));
        let said = Collector::new(model, &alone, &atoms).instances(*id);
        readings.entry(args.iter().map(fixed).join(", ")).or_default().extend(said);
    }
    let holds = |trace: &Trace, reading: &[AtomId], at: &[Position]| {
        let bound =
            |atom: &Atom| atom.params.iter().zip(at).map(|(&p, &t)| (p, t.into())).collect::<Vec<_>>();
        reading.iter().map(|&atom| atoms.get(atom)).any(|atom| {
            eval::eval_trace(model, &atom.expr, &trace.moments, &bound(atom)) == Value::Bool(true)
        })
    };
    let throughout = readings.values().all(|reading| {
        let count = atoms.get(reading[0]).params.len();
        (1..=BOUND + 1).contains(&count)
            && traces
                .iter()
                .all(|trace| trace.positions().combinations(count).all(|at| holds(trace, reading, &at)))
    });
    let at_first = readings.values().all(|reading| {
        let count = atoms.get(reading[0]).params.len();
        let first = traces.iter().filter(|trace| trace.is_empty());
        first.clone().all(|trace| holds(trace, reading, &vec![trace.last(); count]))
    });
    let never = || traces.iter().all(|trace| places(model, items, &trace.moments) == 0);
    match () {
        () if throughout => Some(Triviality::Always),
        () if at_first => Some(Triviality::AtFirst),
        () if never() => Some(Triviality::Never),
        () => None,
    }
}
