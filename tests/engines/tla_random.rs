//! Random specifications in TLA+ against an evaluator written from the definitions of its operators.

mod evaluate;
mod generate;
mod tree;

use crate::random::{Random, seeds};
use cladist::budget::Budget;
use cladist::explore::Graph;
use cladist::limits::ValueLimits;
use cladist::model::eval::Scope;
use cladist::model::expr::Expr;
use cladist::model::value::State;
use cladist::model::{LoadOptions, Model, load_written};
use cladist::readers::RESULT;
use cladist::tla::import_text;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use tree::Spec;

/// Larger systems take too long.
const MOST_STATES: usize = 1500;

enum Outcome {
    Compared,
    /// A step has no value, or one beyond bounds: no answer is given.
    NoResult,
    Large,
    /// A formula is decided by a constant here, and TLC evaluates other parts of it that have no value.
    Decided,
    Refused(String),
}

fn depth(model: &Model, graph: &Graph, invariant: &Expr) -> Option<usize> {
    graph.depth_of(&mut |state: &State| !Scope::new(model).with_state(state).holds(invariant))
}

fn compare(spec: &Spec, seed: u64) -> Outcome {
    let (module, config) = (spec.module(), spec.config());
    let beside = |name: &str| match name {
        "M.cfg" => Ok((name.to_owned(), config.clone())),
        _ => Err(ErrorKind::NotFound.into()),
    };
    let Some(known) = evaluate::explore(spec, MOST_STATES) else { return Outcome::Large };
    let imported = match import_text("M", "M.tla", &module, &ValueLimits::default(), &beside) {
        Ok(imported) => imported,
        Err(refused) => {
            return Outcome::Refused(refused.diagnostics[0].message.clone());
        }
    };
    let shown = || format!("seed {seed}\n{module}\n{config}\n{}", imported.text);
    let loaded = load_written("M", &imported.text, &LoadOptions::default());
    let Some(model) = loaded.model else {
        return Outcome::Refused(loaded.diagnostics[0].message.clone());
    };
    let graph = match Graph::explore(&model, None, 4 * MOST_STATES, &Budget::unlimited()) {
        Ok(graph) => graph,
        Err(_) => return Outcome::Large,
    };
    let mut fault = None;
    let mut depths = BTreeMap::new();
    for property in &model.properties {
        let found = depth(&model, &graph, property.invariant().expect("only invariants"));
        match property.name.ends_with(RESULT) {
            true => fault = [fault, found].into_iter().flatten().min(),
            false => _ = depths.insert(property.name.clone(), found),
        }
    }
    let beyond = known.depths["TypeOK"];
    if known.fault.is_some() || beyond.is_some() {
        let first = [known.fault, beyond].into_iter().flatten().min();
        let found = [fault, depths["TypeOK"]].into_iter().flatten().min();
        let (Some(first), Some(found)) = (first, found) else { return Outcome::Decided };
        // A value beyond the bounds is told in the state before it.
        assert!(found <= first && first <= found + 1, "{found} instead of {first} steps\n{}", shown());
        return Outcome::NoResult;
    }
    if fault.is_some() {
        return Outcome::Refused("a value beyond bounds".into());
    }
    for (name, own) in &known.depths {
        let found = depths[name];
        if found.is_none() && known.unknown.contains(name) {
            return Outcome::Decided;
        }
        assert_eq!(found, *own, "{name}\n{}", shown());
    }
    assert_eq!(graph.states.len(), known.states, "{}", shown());
    Outcome::Compared
}

#[test]
fn random_specifications_mean_what_the_definitions_say() {
    let (mut compared, mut without, mut decided, mut refused) = (0, 0, 0, BTreeMap::<String, usize>::new());
    for seed in seeds(200) {
        let spec = generate::specification(&mut Random::new(seed));
        match compare(&spec, seed) {
            Outcome::Compared => compared += 1,
            Outcome::NoResult => without += 1,
            Outcome::Large => {}
            Outcome::Decided => decided += 1,
            Outcome::Refused(message) => *refused.entry(message).or_default() += 1,
        }
    }
    let all: usize = refused.values().sum();
    assert!(
        all < 2 * compared && decided * 50 < compared + 50 && without > 0,
        "{compared} compared, {without} without a result, {decided} decided, refused: {refused:#?}"
    );
}
