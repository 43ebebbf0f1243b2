//! The explorer against brute force over the reference semantics, on random models.

use crate::all_traces::all_traces;
use crate::explore_cases::shortest_violation;
use crate::random_model;

use crate::random::{Random, cases};
use cladist::budget::Budget;
use cladist::explore::{ReachabilityResult, initial_states, reachable, successors, visit};
use cladist::model::Model;
use cladist::model::eval::{Scope, allows_step, check_trace, first_violation, is_initial};
use cladist::model::value::{Label, State, Value};
use cladist::trace::{from_itf, to_itf};
use random_model::{STATES, STEPS, TRACES, random_model, random_start};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

const MODELS: u64 = 120;

fn models() -> &'static [Model] {
    static ALL: OnceLock<Vec<Model>> = OnceLock::new();
    ALL.get_or_init(|| (0..MODELS).map(random_model).collect())
}

/// All states that the types allow.
fn all_states(model: &Model) -> Vec<State> {
    let columns: Vec<Vec<Value>> = model.variables.iter().map(|v| model.types.values(&v.ty)).collect();
    rows(&columns).into_iter().map(State).collect()
}

fn all_labels(model: &Model) -> Vec<Label> {
    let labels = model.actions.iter().enumerate().flat_map(|(action, a)| {
        let columns: Vec<Vec<Value>> = a.params.iter().map(|p| model.types.values(&p.ty)).collect();
        rows(&columns).into_iter().map(move |args| Label { action, args })
    });
    labels.collect()
}

fn rows(columns: &[Vec<Value>]) -> Vec<Vec<Value>> {
    columns.iter().fold(vec![vec![]], |rows, column| {
        rows.iter().flat_map(|row| column.iter().map(|v| [row.clone(), vec![v.clone()]].concat())).collect()
    })
}

#[test]
fn initial_states_are_those_of_the_reference_semantics() {
    for (seed, model) in models().iter().enumerate() {
        let expected: Vec<State> = all_states(model).into_iter().filter(|s| is_initial(model, s)).collect();
        assert_eq!(initial_states(model, 100_000).expect("few"), expected, "seed {seed}");
    }
}

#[test]
fn initial_states_of_large_formulas_are_those_of_the_reference_semantics() {
    for seed in 0..1_200 {
        let model = random_start(seed);
        let mut expected = all_states(&model);
        expected.retain(|s| is_initial(&model, s));
        assert_eq!(initial_states(&model, 100_000).unwrap(), expected, "seed {seed}");
    }
}

#[test]
fn successors_are_those_of_the_reference_semantics() {
    for (seed, model) in models().iter().enumerate() {
        let (states, labels) = (all_states(model), all_labels(model));
        assert!(states.len() as u64 <= STATES);
        // All reachable states (up to a few) and some that are not.
        let mut rng = Random::new(seed as u64);
        let reached = reachable(model, 10, &Budget::unlimited()).states;
        let sample: BTreeSet<&State> =
            reached.iter().chain((0..5).map(|_| &states[rng.below(states.len())])).collect();
        for before in sample {
            let mut expected = Vec::new();
            for label in &labels {
                let after = states.iter().filter(|after| allows_step(model, before, label, after));
                expected.extend(after.map(|after| (label.clone(), after.clone())));
            }
            assert_eq!(successors(model, before, 100_000).unwrap(), expected, "seed {seed}, {before:?}");
        }
    }
}

/// Exploring runs a compiled model; this is the same search with the steps of [`successors`], which the test above holds
/// against the reference semantics.
fn explored_by_reference(model: &Model) -> (Vec<State>, Vec<(usize, Label, usize)>) {
    let mut states = initial_states(model, 100_000).expect("few");
    let mut numbers: BTreeMap<State, usize> = states.iter().cloned().zip(0..).collect();
    let mut edges = Vec::new();
    let mut from = 0;
    while from < states.len() {
        for (label, after) in successors(model, &states[from].clone(), 100_000).expect("few") {
            let next = states.len();
            let to = *numbers.entry(after.clone()).or_insert(next);
            if to == next {
                states.push(after);
            }
            edges.push((from, label, to));
        }
        from += 1;
    }
    (states, edges)
}

#[test]
fn compiled_steps_are_those_of_the_reference_semantics() {
    for seed in 0..cases(200) {
        let mut model = random_model(seed);
        if seed % 2 == 1 {
            // Any state that the types allow, not only those that are reachable.
            model.init.clear();
        }
        let (states, edges) = explored_by_reference(&model);
        let explored = reachable(&model, 100_000, &Budget::unlimited());
        assert!(explored.complete());
        assert_eq!(explored.states, states, "seed {seed}");
        let found: Vec<_> = explored.edges.into_iter().map(|e| (e.from, e.label, e.to)).collect();
        assert_eq!(found, edges, "seed {seed}");
        let invariant = model.properties[0].invariant().unwrap();
        let bad = |s: &State| !Scope::new(&model).with_state(s).holds(invariant);
        let expected = match states.iter().position(bad) {
            Some(first) => ReachabilityResult::Violated(explored.depths[first]),
            None => ReachabilityResult::Holds(states.len()),
        };
        assert_eq!(visit(&model, invariant, 100_000, &Budget::unlimited()), expected, "seed {seed}");
    }
}

#[test]
fn reachable_states_and_traces_agree() {
    for (seed, model) in models().iter().enumerate() {
        let everything = reachable(model, 100_000, &Budget::unlimited());
        assert!(everything.complete());
        for (i, state) in everything.states.iter().enumerate().take(20) {
            let trace = everything.trace_to(i);
            assert_eq!(&trace.moments.last().unwrap().state, state);
            assert_eq!(trace.len(), everything.depths[i]);
            check_trace(model, &trace.moments).unwrap();
        }
        let traces = all_traces(model, STEPS, TRACES as usize).unwrap();
        let distinct: BTreeSet<_> = traces.iter().map(|t| &t.moments).collect();
        assert_eq!(distinct.len(), traces.len(), "seed {seed}");
        assert!(traces.windows(2).all(|pair| pair[0].len() <= pair[1].len()));
        for trace in traces.iter().step_by(17) {
            check_trace(model, &trace.moments).unwrap();
            assert_eq!(from_itf(model, &to_itf(model, trace)).as_ref(), Ok(trace));
        }
        let within: BTreeSet<&State> =
            traces.iter().flat_map(|t| &t.moments).map(|moment| &moment.state).collect();
        let nearby = everything.states.iter().zip(&everything.depths).filter(|(_, d)| **d <= STEPS);
        assert_eq!(within, nearby.map(|(s, _)| s).collect(), "seed {seed}");

        let invariant = model.properties[0].invariant().unwrap();
        let shortest = shortest_violation(model, invariant, STEPS);
        let by_brute_force = traces
            .iter()
            .filter(|t| first_violation(model, invariant, &t.moments).is_some())
            .map(|t| t.len());
        assert_eq!(shortest.as_ref().map(|t| t.len()), by_brute_force.min(), "seed {seed}");
        if let Some(trace) = shortest {
            check_trace(model, &trace.moments).unwrap();
            assert_eq!(first_violation(model, invariant, &trace.moments), Some(trace.last()));
        }
    }
}

#[test]
fn random_models_are_worth_testing_with() {
    let (mut violated, mut later, mut many_states, mut choices) = (0, 0, 0, 0);
    for model in models() {
        let invariant = model.properties[0].invariant().unwrap();
        let violation = shortest_violation(model, invariant, STEPS);
        violated += u64::from(violation.is_some());
        later += u64::from(violation.is_some_and(|t| t.len() >= 2));
        let everything = reachable(model, 100_000, &Budget::unlimited());
        assert!(everything.states.len() >= 4);
        many_states += u64::from(everything.states.len() >= 6);
        choices += u64::from(everything.initial >= 2);
    }
    let percent = |n: u64| n * 100 / MODELS;
    println!(
        "violated {}%, not before 2 steps {}%, at least 6 states {}%, several initial states {}%",
        percent(violated),
        percent(later),
        percent(many_states),
        percent(choices)
    );
    assert!((40..=60).contains(&percent(violated)));
    assert!(percent(later) >= 20);
    assert!(percent(many_states) >= 50);
    assert!(percent(choices) >= 20);
}

#[test]
fn a_seed_always_gives_the_same_model() {
    for seed in [0, 7, MODELS - 1] {
        assert_eq!(format!("{:?}", random_model(seed)), format!("{:?}", models()[seed as usize]));
    }
}
