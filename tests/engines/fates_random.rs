//! Lost, safe and open states of random models: the formulas that stand for them, and the predicates of the words in
//! vocabularies, against the fates of listed states.

use crate::all_traces::all_traces;
use crate::random_model;

use cladist::budget::Budget;
use cladist::explore::ListedFates;
use cladist::lts::StateId;
use cladist::lts::decisive::{FateCounts, StateFate};
use cladist::model::eval::{eval_state, eval_trace};
use cladist::model::expr::Expr;
use cladist::model::fates::{FatePredicate, FateWord};
use cladist::model::types::Type;
use cladist::model::value::{Moment, State, Value};
use cladist::model::{ActionSteps, Environment, Local, Model, Predicate, PredicateId};
use random_model::random_model;
use std::collections::HashMap;

const MODELS: u64 = 150;

/// The model of a seed; every second one has an environment, that of its first action.
fn model(seed: u64) -> Model {
    let mut model = random_model(seed);
    if seed % 2 == 1 {
        let first = ActionSteps { action: 0, with: Vec::new() };
        model.environment = Some(Environment { steps: vec![first] });
    }
    model
}

fn listed(model: &Model) -> ListedFates {
    let invariant = model.properties[0].invariant().expect("an invariant");
    ListedFates::new(model, invariant, None, usize::MAX, &Budget::unlimited()).expect("few states")
}

fn moment(state: &State) -> Moment {
    Moment { label: None, state: state.clone() }
}

#[test]
fn formulas_are_exact_for_all_reachable_states() {
    let mut seen = FateCounts::default();
    for seed in 0..MODELS {
        let model = model(seed);
        let listed = listed(&model);
        let formulas = listed.formulas(&model, &Budget::unlimited()).expect("no limit");
        let invariant = model.properties[0].invariant().expect("an invariant");
        for (number, state) in listed.states.iter().enumerate() {
            let (number, moment) = (StateId::new(number), moment(state));
            let is = |formula: &Expr| eval_state(&model, formula, &moment).is_true();
            let fate = listed.fates.of(number);
            assert_eq!(is(&formulas.lost), fate == StateFate::Lost, "{seed}: {number}");
            assert_eq!(is(&formulas.safe), fate == StateFate::Safe, "{seed}: {number}");
            assert_eq!(listed.fates.is_violating(number), !is(invariant), "{seed}: {number}");
        }
        let counts = listed.fates.count(listed.lts.state_ids().take(listed.states.len()));
        seen.lost += counts.lost;
        seen.safe += counts.safe;
        seen.open += counts.open;
    }
    assert!(seen.lost > 100 && seen.safe > 100 && seen.open > 100, "{seen:?}");
}

/// Declares the predicate of a word, as the checker does.
fn declare(model: &mut Model, word: FateWord, values: Vec<Type>) -> PredicateId {
    let types = (0..word.positions()).map(|_| Type::Pos).chain(values);
    let mut params = Vec::new();
    for ty in types {
        let local = cladist::model::expr::LocalId(model.locals);
        model.locals += 1;
        params.push(Local { name: "p".into(), local, ty });
    }
    let predicate = PredicateId(model.predicates.len() as u32);
    model.predicates.push(Predicate {
        name: "word".into(),
        doc: None,
        params,
        body: Expr::bool(false, Default::default()),
        library: None,
        added: None,
        span: Default::default(),
    });
    model.fates.push(FatePredicate { word, predicate });
    predicate
}

#[test]
fn words_mean_what_the_states_of_a_trace_say() {
    let mut decisive_steps = 0;
    for seed in 0..MODELS / 3 {
        let mut model = model(seed);
        let listed = listed(&model);
        let action = Type::Enum(model.action_enum);
        let of_first = FateWord::DecisiveOf(0);
        let arguments: Vec<Type> = model.actions[0].params.iter().map(|p| p.ty.clone()).collect();
        let state_words = [FateWord::Lost, FateWord::Safe, FateWord::Open];
        let state_words = state_words.map(|word| declare(&mut model, word, Vec::new()));
        let decisive = declare(&mut model, FateWord::Decisive, Vec::new());
        let by_action = declare(&mut model, FateWord::DecisiveAction, vec![action]);
        let by_label = declare(&mut model, of_first, arguments);
        model.set_fates(&listed.formulas(&model, &Budget::unlimited()).expect("no limit"));
        let numbers: HashMap<&State, usize> = listed.states.iter().enumerate().map(|(n, s)| (s, n)).collect();
        for trace in all_traces(&model, 2, 100_000).expect("few traces") {
            let fate = |at: usize| listed.fates.of(StateId::new(numbers[&trace.moments[at].state]));
            let holds = |id: PredicateId, args: Vec<Value>| {
                let predicate = &model.predicates[id.0 as usize];
                let bound: Vec<_> = predicate.params.iter().map(|p| p.local).zip(args).collect();
                eval_trace(&model, &predicate.body, &trace.moments, &bound).is_true()
            };
            let position = |at: usize| Value::Int(at as i64);
            for at in 0..trace.moments.len() {
                for (word, expected) in
                    state_words.into_iter().zip([StateFate::Lost, StateFate::Safe, StateFate::Open])
                {
                    assert_eq!(holds(word, vec![position(at)]), fate(at) == expected, "{seed}");
                }
                for to in 0..trace.moments.len() {
                    let expected = to == at + 1 && fate(at) == StateFate::Open && fate(to) == StateFate::Lost;
                    let places = vec![position(at), position(to)];
                    assert_eq!(holds(decisive, places.clone()), expected, "{seed}");
                    decisive_steps += usize::from(expected);
                    let Some(label) = &trace.moments[to].label else { continue };
                    let taken = Value::Enum(model.action_enum, label.action as u32);
                    assert_eq!(holds(by_action, [places.clone(), vec![taken]].concat()), expected, "{seed}");
                    if label.action == 0 {
                        assert_eq!(
                            holds(by_label, [places, label.args.clone()].concat()),
                            expected,
                            "{seed}"
                        );
                    } else if model.actions[0].params.is_empty() {
                        assert!(!holds(by_label, places), "{seed}");
                    }
                }
            }
        }
    }
    assert!(decisive_steps > 50, "{decisive_steps}");
}
