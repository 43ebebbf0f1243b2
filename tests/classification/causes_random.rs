//! Causal trees of random small models against enumeration of all their traces, by the definitions: every violating trace contains the steps
//! of an irreducible one, no irreducible one contains another, and of none a step can be left out.

use crate::random::cases;
use crate::random_model::random_model;
use crate::ring_model::ring_model;
use crate::symmetric_model::symmetric_model;
use crate::table_model::table_model;
use cladist::budget::Budget;
use cladist::classify::Problem;
use cladist::classify::causes::kinds::{CausalKind, Way};
use cladist::classify::causes::pattern::{ArgumentParts, Pattern, Slot};
use cladist::classify::causes::reasons::{Part, guards};
use cladist::classify::causes::tree::CausalTree;
use cladist::explore::all_traces;
use cladist::model::Model;
use cladist::model::eval::{Scope, arguments, first_violation};
use cladist::model::value::{Label, Value};
use cladist::sat::{Backend, Setup};
use cladist::trace::Trace;
use itertools::Itertools;
use std::collections::BTreeMap;

const BOUND: usize = 4;
/// Models with more traces are left out.
const MOST_TRACES: usize = 60_000;
/// Models with more violating traces are left out.
const MOST_VIOLATING: usize = 2_000;

fn labels(trace: &Trace) -> Vec<&Label> {
    trace.moments.iter().filter_map(|moment| moment.label.as_ref()).collect()
}

/// The definition of containment: the last label is of the first form, earlier labels of their own for all others, and a value for each individual.
fn contains(trace: &Trace, parts: &ArgumentParts, pattern: &Pattern) -> bool {
    let labels = labels(trace);
    let Some((last, before)) = labels.split_last() else { return pattern.steps.is_empty() };
    let Some((root, others)) = pattern.steps.split_first() else { return false };
    before.iter().permutations(others.len()).any(|chosen| {
        let mut individuals: BTreeMap<usize, &Value> = BTreeMap::new();
        let pairs = std::iter::once((last, root)).chain(chosen.into_iter().zip(others));
        pairs.into_iter().all(|(label, form)| {
            label.action == form.action
                && form.slots.iter().zip(&parts.of[form.action]).all(|(slot, part)| {
                    let value = part.of(label);
                    match slot {
                        Slot::Any => true,
                        Slot::Value(wanted) => value == wanted,
                        Slot::Individual(n) => *individuals.entry(*n).or_insert(value) == value,
                    }
                })
        })
    })
}

fn ways(tree: &CausalTree) -> Vec<&Way> {
    tree.kinds.iter().flat_map(CausalKind::with_variants).flat_map(|kind| &kind.ways).collect()
}

fn tree_of(problem: Problem<'_>, parts: &ArgumentParts, backend: Backend, seed: u64) -> CausalTree {
    let solver = Setup { backend, seed };
    CausalTree::new(problem, parts, BOUND, solver, Backend::Cadical, &Budget::unlimited(), &mut ())
}

/// Checks the tree of a model; whether there was something to check.
fn check(model: &Model) -> bool {
    let Some(problem) = Problem::first(model) else { return false };
    let Ok(traces) = all_traces(model, BOUND, MOST_TRACES) else { return false };
    let ends_in_violation = |trace: &Trace| {
        first_violation(model, problem.invariant, &trace.moments).is_some_and(|at| at.steps() == trace.len())
    };
    let violating: Vec<Trace> = traces.into_iter().filter(ends_in_violation).collect();
    if violating.len() > MOST_VIOLATING {
        return false;
    }
    let parts = ArgumentParts::new(problem);
    let tree = tree_of(problem, &parts, Backend::Cadical, 0);
    assert_eq!((tree.ended, tree.complete_to), (None, Some(BOUND)));
    assert_eq!(tree.kinds.is_empty(), violating.is_empty());
    let ways = ways(&tree);
    for way in &ways {
        let Way { irreducible, .. } = way;
        assert!(violating.contains(&irreducible.trace), "no violating trace: {:?}", irreducible.trace);
        assert_eq!(irreducible.pattern.steps.len(), irreducible.trace.len());
        assert!(contains(&irreducible.trace, &parts, &irreducible.pattern));
        has_no_superfluous_step(&irreducible.trace, &violating);
        has_reasons(problem, way);
        let contained =
            ways.iter().filter(|other| contains(&irreducible.trace, &parts, &other.irreducible.pattern));
        assert!(tree.narrowed_from.is_some() || contained.count() == 1, "one contains another: {way:?}");
    }
    for trace in &violating {
        let has = |kind: &CausalKind| match tree.narrowed_from {
            Some(_) => contains(trace, &parts, &kind.deciding),
            None => kind.ways.iter().any(|way| contains(trace, &parts, &way.irreducible.pattern)),
        };
        let covered = tree.kinds.iter().flat_map(CausalKind::with_variants).any(has);
        assert!(covered, "no kind has {trace:?}");
    }
    let other = tree_of(problem, &parts, Backend::Varisat, 7);
    let shown = |tree: &CausalTree| -> Vec<Vec<Trace>> {
        let of_kind = |kind: &CausalKind| kind.ways.iter().map(|way| way.irreducible.trace.clone()).collect();
        tree.kinds.iter().map(of_kind).collect()
    };
    assert_eq!(shown(&tree), shown(&other), "the tree depends on the solver");
    !violating.is_empty()
}

/// No violating trace with the same initial state has some of the labels, in their order.
fn has_no_superfluous_step(trace: &Trace, violating: &[Trace]) {
    let whole = labels(trace);
    for other in violating.iter().filter(|other| other.len() < trace.len()) {
        if other.moments[0].state != trace.moments[0].state {
            continue;
        }
        let mut rest = whole.iter();
        let is_part = labels(other).iter().all(|label| rest.any(|own| own == label));
        assert!(!is_part, "a step of {trace:?} can be left out: {other:?}");
    }
}

/// What reasons name is so: parts of conditions that are true, due to earlier steps; and what breaks the property last.
fn has_reasons(problem: Problem<'_>, way: &Way) {
    let trace = &way.irreducible.trace;
    for (step, reasons) in way.reasons.of.iter().enumerate() {
        let label = labels(trace)[step];
        let locals = arguments(&problem.model.actions[label.action], &label.args);
        let conditions = guards(problem, label.action);
        for reason in reasons {
            assert!(!reason.steps.is_empty() && reason.steps.iter().all(|cause| *cause < step));
            match reason.part {
                Part::Breaks => assert_eq!(step + 1, trace.len()),
                Part::Guard(number) => {
                    let scope =
                        Scope::new(problem.model).with_state(&trace.moments[step].state).with_locals(&locals);
                    assert!(scope.holds(&conditions[number]));
                }
            }
        }
    }
}

#[test]
fn causes_random_models() {
    let checked = (0..cases(60)).filter(|&seed| check(&random_model(seed))).count();
    assert!(checked * 5 > usize::try_from(cases(60)).expect("few"), "too few were checked: {checked}");
}

#[test]
fn causes_random_symmetric_models() {
    let checked = (0..cases(40)).filter(|&seed| check(&symmetric_model(seed))).count();
    assert!(checked * 10 > usize::try_from(cases(40)).expect("few"), "too few were checked: {checked}");
}

#[test]
fn causes_random_tables_and_rings() {
    let tables = (0..cases(30)).filter(|&seed| check(&table_model(seed))).count();
    let rings = (0..cases(30)).filter(|&seed| check(&ring_model(seed))).count();
    assert!(
        (tables + rings) * 5 > usize::try_from(cases(60)).expect("few"),
        "too few were checked: {tables}, {rings}"
    );
}
