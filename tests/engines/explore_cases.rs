//! The explorer on hand-built models: large spaces with few answers, choices, overlaps, limits.

use crate::postbox;

use crate::all_traces::all_traces;
use crate::build::*;
use cladist::budget::Budget;
use cladist::explore::{
    ReachabilityResult, Stop, Unlabelled, first_violation, follow, initial_states, reachable, successors,
    visit,
};
use cladist::model::eval::check_trace;
use cladist::model::expr::*;
use cladist::model::types::*;
use cladist::model::value::*;
use cladist::model::{Assumption, LoadOptions, Model, PathStep, UpdateValue, load_written};
use cladist::trace::Trace;
use postbox::*;
use std::sync::Arc;

/// A model with these variables and no action.
fn still(variables: &[(&str, Type)], enums: &[&[&str]]) -> Model {
    let mut types = Types::default();
    types.enums.push(enumeration("Action", &[]));
    types.enums.extend(enums.iter().map(|variants| enumeration("E", variants)));
    let mut m = empty_model("still", types, EnumId(0));
    m.variables = variables.iter().map(|(name, ty)| variable(name, ty.clone())).collect();
    m.locals = 4;
    m
}

fn forall(l: LocalId, ty: Type, model: &Model, body: Expr) -> Expr {
    let all = Value::Set(model.types.values(&ty).into_iter().collect());
    let set = Box::new(constant(all, Type::Set(Arc::new(ty))));
    let kind = ExprKind::Quant { quantifier: Quantifier::Forall, local: l, set, body: Box::new(body) };
    expr(kind, Type::Bool)
}

/// A shortest trace of at most `steps` steps that violates an invariant, over all states.
pub fn shortest_violation(model: &Model, invariant: &Expr, steps: usize) -> Option<Trace> {
    let budget = Budget::unlimited();
    match visit(model, invariant, usize::MAX, &budget) {
        ReachabilityResult::Violated(first) if first <= steps => {
            first_violation(model, invariant, first, None, (usize::MAX, &budget))
        }
        _ => None,
    }
}

#[test]
fn listings_are_followed_to_the_end_or_to_the_limit() {
    let text =
        "model counter; var x : 0..250000; init { x = 0; } action up { x' = x + 1; } action skip { x' = x; }";
    let model = load_written("counter", text, &LoadOptions::default()).model.expect("a model");
    // `up` consumes an entry, and is the only step where it goes on.
    let found =
        follow(&model, 3, &|label, _| vec![usize::from(label.action == 0)], &|_| true).expect("a trace");
    let counts: Vec<usize> = found[0].iter().map(|(_, at)| *at).collect();
    assert_eq!((found.len(), counts), (1, vec![0, 1, 2, 3]));
    let others = |label: &Label, _| if label.action == 0 { Vec::new() } else { vec![0] };
    assert_eq!(follow(&model, 1, &others, &|_| true), Err(Unlabelled::Beyond(0)));
    // Its end is not reached either.
    let is_four = |replay: &Vec<(Moment, usize)>| {
        replay.last().is_some_and(|(last, _)| last.state.0[0] == Value::Int(4))
    };
    assert_eq!(follow(&model, 3, &|_, _| vec![1], &is_four), Err(Unlabelled::Beyond(3)));
    let four = follow(&model, 4, &|_, _| vec![1], &is_four).expect("a trace");
    assert_eq!((four.len(), four[0].len()), (1, 5));
    let cut = follow(&model, 1, &|_, _| vec![0], &|_| true).expect_err("too many states");
    assert_eq!(cut, Unlabelled::Cut(0));
    assert!(cut.to_string().contains("the search ended at its limit"), "{cut}");
    // Each number of steps up ends with another state.
    assert_eq!(follow(&model, 200, &|_, _| vec![1], &|_| true), Err(Unlabelled::Many));
}

#[test]
fn the_postbox() {
    let m = postbox();
    assert_eq!(initial_states(&m, 10_000).unwrap(), [start()]);
    let labels: Vec<String> =
        successors(&m, &start(), 10_000).unwrap().iter().map(|(label, _)| m.show_label(label)).collect();
    // From an empty net, flip gives an empty net only (a message has a sender).
    let sends = ["Alice", "Bob", "Eve"].map(|a| {
        ["Alice", "Bob", "Eve"]
            .into_iter()
            .filter(move |b| a != *b)
            .map(move |b| format!("send(a={a},b={b})"))
    });
    let mut expected: Vec<String> = sends.into_iter().flatten().collect();
    expected.extend(["tick".to_string(), "flip".into()]);
    assert_eq!(labels, expected);

    let invariant = m.properties[0].invariant().unwrap();
    let trace = shortest_violation(&m, invariant, 5).unwrap();
    let labels: Vec<String> =
        trace.moments.iter().flat_map(|moment| &moment.label).map(|l| m.show_label(l)).collect();
    assert_eq!(labels, ["send(a=Alice,b=Bob)", "learn"]);
    check_trace(&m, &trace.moments).unwrap();
    assert_eq!(shortest_violation(&m, invariant, 1), None);
}

#[test]
fn free_variables_are_enumerated_under_their_constraint() {
    let m = postbox();
    let before = &walk()[1].state;
    let flipped: Vec<State> = successors(&m, before, 10_000)
        .unwrap()
        .into_iter()
        .filter(|(label, _)| label.action == 3)
        .map(|(_, state)| state)
        .collect();
    // The sender is Bob; three receivers, three values of `urgent`.
    assert_eq!(flipped.len(), 9);
    assert!(flipped.iter().all(|s| matches!(&s.0[0], Value::Record(_, f) if f[0] == agent_value(1))));
}

/// 2^40 sets, 10^32 maps: nothing of that may be listed.
#[test]
fn large_spaces_with_few_initial_states() {
    let small = int(0, 9);
    let keys = int(0, 31);
    let map = Type::Map(Arc::new(keys.clone()), Arc::new(small.clone()));
    let set = Type::Set(Arc::new(int(0, 39)));
    let mut m = still(&[("a", map.clone()), ("b", map), ("s", set.clone()), ("n", small.clone())], &[]);
    let k = LocalId(0);
    let entry = |name: &str| index(var(&m, name), local(k, keys.clone()));
    let same = forall(k, keys.clone(), &m, eq(entry("a"), entry("b")));
    let fixed = forall(k, keys.clone(), &m, eq(entry("b"), var(&m, "n")));
    let members = Value::Set([3, 5].map(Value::Int).into());
    m.init =
        vec![same, fixed, eq(var(&m, "s"), constant(members, set)), compare(Op::Lt, var(&m, "n"), number(3))];
    let states = initial_states(&m, 200_000).unwrap();
    assert_eq!(states.len(), 3);
    let n: Vec<&Value> = states.iter().map(|s| &s.0[3]).collect();
    assert_eq!(n, [&Value::Int(0), &Value::Int(1), &Value::Int(2)]);
}

#[test]
fn whole_maps_and_maps_by_expression() {
    let keys = int(0, 19);
    let map = Type::Map(Arc::new(keys.clone()), Arc::new(int(0, 19).optional()));
    let mut m = still(&[("a", map.clone()), ("b", map.clone())], &[]);
    let id = LocalId(0);
    let identity = ExprKind::MapOf { local: id, body: Box::new(local(id, keys)) };
    m.init = vec![eq(var(&m, "a"), expr(identity, map)), eq(var(&m, "b"), var(&m, "a"))];
    let states = initial_states(&m, 200_000).unwrap();
    assert_eq!(states.len(), 1);
    assert_eq!(states[0].0[0], states[0].0[1]);
}

#[test]
fn assumptions_prune_initial_states() {
    let mut m = still(&[("x", int(0, 50)), ("y", int(0, 50))], &[]);
    let sum = arithmetic(Op::Add, var(&m, "x"), var(&m, "y"));
    m.assumptions = vec![Assumption { expr: eq(sum, number(2)), step: false, span: Default::default() }];
    assert_eq!(initial_states(&m, 10_000).unwrap().len(), 3);
}

/// What is said of a set while some of its elements are open must not be said too early.
#[test]
fn set_operators_on_open_sets() {
    let element = int(0, 3);
    let m = still(&[("s", Type::Set(Arc::new(element.clone())))], &[]);
    let literal = |values: &[i64]| set_literal(values.iter().map(|n| number(*n)).collect(), element.clone());
    let with_s = |op, values: &[i64]| set_operator(op, literal(values), var(&m, "s"));
    let cases = [
        (compare(Op::Subset, with_s(Op::Minus, &[1, 2]), literal(&[])), 4),
        (compare(Op::Subset, with_s(Op::Minus, &[1, 2]), literal(&[2])), 8),
        (eq(with_s(Op::Minus, &[0, 1]), literal(&[1])), 4),
        (eq(with_s(Op::Intersect, &[0, 1]), literal(&[0])), 4),
        (eq(with_s(Op::Union, &[0, 1]), literal(&[0, 1, 3])), 4),
        (compare(Op::Subset, var(&m, "s"), literal(&[1, 2])), 4),
        (compare(Op::Subset, literal(&[1, 2]), var(&m, "s")), 4),
    ];
    for (formula, expected) in cases {
        let m = Model { init: vec![formula], ..m.clone() };
        assert_eq!(initial_states(&m, 1000).unwrap().len(), expected, "{:?}", m.init);
    }
}

#[test]
fn contradictions_have_no_initial_state() {
    let mut m = still(&[("s", Type::Set(Arc::new(int(0, 30)))), ("x", int(0, 9))], &[]);
    m.init = vec![eq(var(&m, "x"), number(10))];
    assert_eq!(initial_states(&m, 10_000), Ok(vec![]));
}

#[test]
fn too_many_initial_states_are_an_error() {
    let free = still(&[("s", Type::Set(Arc::new(int(0, 4000))))], &[]);
    let error = initial_states(&free, 10_000).unwrap_err();
    assert_eq!(error.to_string(), "too many initial states: the search was given up after 10000 tries");
    // Here every element is mentioned, but nothing prunes.
    let mut size = free.clone();
    let n = expr(ExprKind::Size(Box::new(var(&size, "s"))), int(0, 4001));
    size.init = vec![eq(n, number(1))];
    assert!(initial_states(&size, 10_000).is_err());
    // Just enough: 2^10 states.
    let ten = still(&[("s", Type::Set(Arc::new(int(0, 9))))], &[]);
    assert_eq!(initial_states(&ten, 10_000).unwrap().len(), 1024);
}

#[test]
fn choices_that_do_not_fit_are_left_out_and_overlaps_have_to_agree() {
    let pair = Type::Record(RecordId(0));
    let mut m =
        still(&[("x", pair.clone()), ("f", Type::Map(Arc::new(int(0, 1)), Arc::new(int(0, 3))))], &[]);
    m.types.records.push(RecordDecl {
        name: "Pair".into(),
        fields: vec![("a".into(), int(0, 3)), ("b".into(), int(0, 3))],
        constructors: Vec::new(),
        collection: None,
        span: Default::default(),
    });
    m.types.enums[0] = enumeration("Action", &["choose", "both", "entries"]);
    let set = |values: &[i64]| set_literal(values.iter().map(|n| number(*n)).collect(), int(0, 9));
    let record = |a, b| expr(ExprKind::Record(vec![number(a), number(b)]), pair.clone());
    // x'.a in {1, 2, 7}; x'.b in {3}
    let mut choose = action("choose");
    choose.updates = vec![
        update(0, vec![PathStep::Field(0)], int(0, 3), UpdateValue::In(set(&[1, 2, 7]))),
        update(0, vec![PathStep::Field(1)], int(0, 3), UpdateValue::In(set(&[3]))),
    ];
    // x' in {(1, 1), (2, 1), (2, 3)}; x'.a = 2; x'.b in {1, 2}
    let mut both = action("both");
    let records = set_literal(vec![record(1, 1), record(2, 1), record(2, 3)], pair.clone());
    both.updates = vec![
        update(0, vec![PathStep::Field(0)], int(0, 3), UpdateValue::Is(number(2))),
        update(0, vec![PathStep::Field(1)], int(0, 3), UpdateValue::In(set(&[1, 2]))),
        update(0, vec![], pair.clone(), UpdateValue::In(records)),
    ];
    // f'[0] in {1, 2}; f'[x.a] in {2, 3}
    let mut entries = action("entries");
    let key = field(&m.types, var(&m, "x"), 0);
    entries.updates = vec![
        update(1, vec![PathStep::Index(number(0))], int(0, 3), UpdateValue::In(set(&[1, 2]))),
        update(1, vec![PathStep::Index(key)], int(0, 3), UpdateValue::In(set(&[2, 3]))),
    ];
    m.actions = vec![choose, both, entries];
    let pair_value = |a, b| Value::Record(RecordId(0), vec![Value::Int(a), Value::Int(b)]);
    let map = |a, b| Value::Map([(Value::Int(0), Value::Int(a)), (Value::Int(1), Value::Int(b))].into());
    let after = |x: Value, action: usize| -> Vec<Value> {
        let steps = successors(&m, &State(vec![x, map(0, 0)]), 1000).unwrap();
        let part = if action == 2 { 1 } else { 0 };
        steps.into_iter().filter(|(l, _)| l.action == action).map(|(_, s)| s.0[part].clone()).collect()
    };
    assert_eq!(after(pair_value(0, 0), 0), [pair_value(1, 3), pair_value(2, 3)]);
    assert_eq!(after(pair_value(0, 0), 1), [pair_value(2, 1)]);
    assert_eq!(after(pair_value(0, 0), 2), [map(2, 0)]);
    assert_eq!(after(pair_value(1, 0), 2), [map(1, 2), map(1, 3), map(2, 2), map(2, 3)]);
    assert_eq!(after(pair_value(2, 0), 2), [], "there is no f[2]");
}

#[test]
fn explorations_end_at_their_limits() {
    let m = postbox();
    let all = reachable(&m, 1_000_000, &Budget::unlimited());
    assert!(all.complete());
    assert_eq!(all.explored, all.states.len());
    let some = reachable(&m, 10, &Budget::unlimited());
    assert_eq!((some.states.len(), &some.stopped), (10, &Some(Stop::States(10))));
    assert_eq!(some.states, all.states[..10]);
    assert!(some.edges.iter().all(|e| e.from < some.explored));
    let stopped = Budget::unlimited();
    stopped.interrupt();
    let none = reachable(&m, 10, &stopped);
    assert!(matches!(none.stopped, Some(Stop::Budget(_))));
    assert!(all_traces(&m, 4, 100).is_err());
    assert_eq!(all_traces(&m, 1, 100).unwrap().len(), 9);
}
