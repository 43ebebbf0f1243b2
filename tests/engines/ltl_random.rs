//! Linear time on random models: both engines against all lassos of up to a few steps, and against each other.

use crate::build::{and, constant, eq, or, truth, var};
use crate::random::{Random, seeds};
use crate::random_model::{STEPS, random_model};
use cladist::budget::{Budget, Exhausted};
use cladist::decide::{LinearOptions, LinearResult, linear};
use cladist::explore::Graph;
use cladist::ltl::{Bounded, Fairness, ListedSystem, LtlTruth, bounded, is_fair, satisfies};
use cladist::model::expr::{Expr, Formula};
use cladist::model::value::Value;
use cladist::model::{ActionFairness, Model, Position};
use cladist::prove::InvariantMethod;
use cladist::sat::Backend;
use cladist::syntax::ast::TemporalOp;
use cladist::trace::{Lasso, Trace};
use cladist::unroll::Lengths;
use std::time::Duration;

const MODELS: u64 = 100;
const FORMULAS: u64 = 6;

/// Questions that are also asked as questions of safety.
const AS_SAFETY: u64 = 30;

/// Some of them have proofs that take too long.
const PATIENCE: Duration = Duration::from_secs(2);

/// Lassos that the search over all states finds are compared with the bounded search up to this many steps.
const LONGEST: usize = 9;

fn atom(rng: &mut Random, model: &Model) -> Expr {
    let variable = rng.pick(&model.variables);
    let values = model.types.values(&variable.ty);
    let value = rng.pick(&values).clone();
    match (rng.below(4), model.properties[0].invariant()) {
        (0, Some(invariant)) => invariant.clone(),
        _ => eq(var(model, &variable.name), constant(value, variable.ty.clone())),
    }
}

/// A random formula of linear time over the variables of a model.
pub fn formula(rng: &mut Random, model: &Model, depth: usize) -> Formula {
    if depth == 0 {
        return Formula::Atom(atom(rng, model), Vec::new());
    }
    let below = |rng: &mut Random| {
        let depth = rng.below(depth);
        Box::new(formula(rng, model, depth))
    };
    let temporal = |op, operands: Vec<Box<Formula>>| {
        Formula::Temporal(op, operands.into_iter().map(|operand| *operand).collect())
    };
    match rng.below(14) {
        0 => Formula::Not(below(rng)),
        1 => Formula::And(below(rng), below(rng)),
        2 => Formula::Or(below(rng), below(rng)),
        3 => Formula::Implies(below(rng), below(rng)),
        4 => Formula::Iff(below(rng), below(rng)),
        5 => Formula::If(below(rng), below(rng), below(rng)),
        6 => temporal(TemporalOp::Next, vec![below(rng)]),
        7 | 8 => temporal(TemporalOp::Always, vec![below(rng)]),
        9 | 10 => temporal(TemporalOp::Eventually, vec![below(rng)]),
        11 => temporal(TemporalOp::Until, vec![below(rng), below(rng)]),
        12 => temporal(TemporalOp::WeakUntil, vec![below(rng), below(rng)]),
        _ => temporal(TemporalOp::Release, vec![below(rng), below(rng)]),
    }
}

/// In which of the reachable states a step of this kind is possible, written out.
fn enabled(model: &Model, graph: &Graph, action: usize, arguments: &[Option<Value>]) -> Expr {
    let possible = |state: &usize| {
        graph.steps[*state].iter().any(|&arrival| {
            let label = graph.moment(arrival).label.expect("a step");
            let given = arguments.iter().zip(&label.args);
            label.action == action && given.into_iter().all(|(w, v)| w.as_ref().is_none_or(|w| w == v))
        })
    };
    let described = |state: usize| {
        let values = model.variables.iter().zip(&graph.states[state].0);
        let parts = values.map(|(v, value)| eq(var(model, &v.name), constant(value.clone(), v.ty.clone())));
        parts.reduce(and).expect("a variable")
    };
    (0..graph.states.len()).filter(possible).map(described).reduce(or).unwrap_or_else(|| truth(false))
}

/// Up to three random conditions of fairness.
pub fn fairness(rng: &mut Random, model: &Model, graph: &Graph) -> Vec<Fairness> {
    let one = |rng: &mut Random| match rng.below(3) {
        0 => Fairness::Again(atom(rng, model)),
        kind => {
            let action = rng.below(model.actions.len());
            let params = model.actions[action].params.iter();
            let arguments = params.map(|p| {
                let values = model.types.values(&p.ty);
                if rng.percent(50) { Some(rng.pick(&values).clone()) } else { None }
            });
            let arguments: Vec<Option<Value>> = arguments.collect();
            let enabled = enabled(model, graph, action, &arguments);
            Fairness::Action(ActionFairness { action, arguments, enabled, strong: kind == 1 })
        }
    };
    (0..rng.below(4)).map(|_| one(rng)).collect()
}

/// All lassos of up to so many steps; `None` if there are more than `most`.
pub fn lassos(graph: &Graph, steps: usize, most: usize) -> Option<Vec<Lasso>> {
    fn extend(graph: &Graph, path: &mut Vec<u32>, (steps, most): (usize, usize), found: &mut Vec<Lasso>) {
        let last = graph.state_of(path[path.len() - 1]);
        for start in (0..path.len() - 1).filter(|&at| graph.state_of(path[at]) == last) {
            let trace = Trace { moments: path.iter().map(|&arrival| graph.moment(arrival)).collect() };
            found.push(Lasso { trace, start: Position::new(start) });
        }
        if path.len() <= steps && found.len() <= most {
            for &arrival in &graph.steps[last] {
                path.push(arrival);
                extend(graph, path, (steps, most), found);
                path.pop();
            }
        }
    }
    let mut found = Vec::new();
    for first in 0..graph.initial as u32 {
        extend(graph, &mut vec![first], (steps, most), &mut found);
    }
    (found.len() <= most).then_some(found)
}

/// The numbers of steps, all and those of the stem.
fn size(lasso: &Lasso) -> (usize, usize) {
    (lasso.len(), lasso.start.steps())
}

#[test]
fn both_engines_find_what_is_shortest_of_all_lassos() {
    let unlimited = &Budget::unlimited();
    let (mut questions, mut violated, mut fair_ones, mut longer, mut empty) = (0, 0, 0, 0, 0);
    for seed in seeds(MODELS) {
        let model = random_model(seed);
        let graph = Graph::explore(&model, None, 1_000, unlimited).expect("few states");
        let all = lassos(&graph, STEPS, usize::MAX).expect("no limit");
        for number in 0..FORMULAS {
            let rng = &mut Random::new(seed * 1_000 + number);
            let depth = 1 + rng.below(3);
            let formula = formula(rng, &model, depth);
            let fairness = fairness(rng, &model, &graph);
            let bad =
                |lasso: &&Lasso| is_fair(&model, &fairness, lasso) && !satisfies(&model, &formula, lasso);
            let expected = all.iter().filter(bad).map(size).min();
            let search = |steps: usize| {
                let (lengths, backend) = (Lengths::UpTo(steps), Backend::Cadical);
                bounded(&model, &formula, &fairness, lengths, backend, unlimited, &mut ())
            };
            let within = match search(STEPS) {
                Bounded::Holds => None,
                Bounded::Violated(lasso) => Some(size(&lasso)),
                Bounded::Undecided { .. } => panic!("the budget is unlimited"),
            };
            assert_eq!(within, expected, "seed {seed}, {number}: {formula:?}, {fairness:?}");
            let listed = ListedSystem { model: &model, graph: &graph, fairness: &fairness };
            let found = match listed.decide(&formula, unlimited).expect("a small formula") {
                LtlTruth::Holds => None,
                LtlTruth::Violated { lasso, is_shortest } => {
                    assert!(is_shortest);
                    Some(size(&lasso))
                }
            };
            assert_eq!(
                found.filter(|(steps, _)| *steps <= STEPS),
                expected,
                "seed {seed}, {number}: {formula:?}"
            );
            let fair_trace = listed.has_fair_trace(unlimited).expect("small");
            assert!(fair_trace || found.is_none());
            assert!(fair_trace || all.iter().all(|lasso| !is_fair(&model, &fairness, lasso)));
            if let Some((steps, stem)) = found.filter(|(steps, _)| (STEPS + 1..=LONGEST).contains(steps)) {
                let Bounded::Violated(lasso) = search(steps) else {
                    panic!("seed {seed}, {number}: {formula:?}")
                };
                assert_eq!(size(&lasso), (steps, stem), "seed {seed}, {number}: {formula:?}");
                longer += 1;
            }
            questions += 1;
            violated += usize::from(found.is_some());
            fair_ones += usize::from(!fairness.is_empty());
            empty += usize::from(!fair_trace);
        }
    }
    println!(
        "{questions} questions, {fair_ones} with fairness; {violated} violated, {longer} beyond {STEPS} steps; {empty} without fair traces"
    );
    assert!(violated * 5 > questions && violated * 5 < questions * 4 && longer > 0, "{violated}, {longer}");
}

#[test]
fn proofs_that_no_loop_violates_a_formula_agree_with_all_states() {
    let unlimited = &Budget::unlimited();
    let (mut proved, mut violated, mut open) = (0, 0, 0);
    for seed in seeds(AS_SAFETY) {
        let model = random_model(seed);
        let graph = Graph::explore(&model, None, 1_000, unlimited).expect("few states");
        let rng = &mut Random::new(seed + 7_000_000);
        let depth = 1 + rng.below(3);
        let formula = formula(rng, &model, depth);
        let fairness = fairness(rng, &model, &graph);
        let context = format!("seed {seed}: {formula:?}, {fairness:?}");
        let listed = ListedSystem { model: &model, graph: &graph, fairness: &fairness };
        let expected = match listed.decide(&formula, unlimited).expect("a small formula") {
            LtlTruth::Holds => None,
            LtlTruth::Violated { lasso, .. } => Some(size(&lasso)),
        };
        // With no more than one state listed, it is the third way.
        let way = *rng.pick(&[
            InvariantMethod::Ic3,
            InvariantMethod::Ic3,
            InvariantMethod::Induction,
            InvariantMethod::Auto,
        ]);
        let options = LinearOptions { way, max_states: 1, ..LinearOptions::default() };
        match linear(&model, &formula, &fairness, options, &unlimited.at_most(PATIENCE), &mut ()) {
            LinearResult::Proved(_) => {
                assert_eq!(expected, None, "{context}");
                proved += 1;
            }
            LinearResult::Violated { lasso, is_shortest, .. } => {
                assert_eq!((Some(size(&lasso)), is_shortest), (expected, true), "{context}");
                violated += 1;
            }
            LinearResult::Holds { of, .. } if of.states == 1 => assert_eq!(expected, None, "{context}"),
            LinearResult::Unproved { why: Exhausted::Time, .. } => open += 1,
            other => panic!("{context}: {other:?}"),
        }
    }
    println!("{proved} proved, {violated} violated, {open} open");
    assert!(proved > 5 && violated > 5, "{proved}, {violated}");
}
