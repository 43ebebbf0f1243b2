//! Causal trees of random small models against enumeration of all their traces, by the definitions: every violating trace contains the steps
//! of an irreducible one, no irreducible one contains another, and of none a step can be left out.

use crate::random::cases;
use crate::random_model::random_model;
use crate::ring_model::ring_model;
use crate::symmetric_model::symmetric_model;
use crate::table_model::table_model;
use cladist::budget::Budget;
use cladist::classify::Problem;
use cladist::classify::causes::enumeration::CausalQuestion;
use cladist::classify::causes::every_length::EveryTrace;
use cladist::classify::causes::kinds::CausalKind;
use cladist::classify::causes::pattern::{ArgumentParts, Pattern, Slot};
use cladist::classify::causes::reasons::{Part, guards};
use cladist::classify::causes::replay::shorter_violation;
use cladist::classify::causes::tree::CausalTree;
use cladist::classify::causes::way::Way;
use cladist::explore::all_traces;
use cladist::model::eval::{Scope, arguments, first_violation};
use cladist::model::value::{Label, Value};
use cladist::model::{Model, TraceFormula};
use cladist::sat::{Backend, Setup};
use cladist::trace::Trace;
use itertools::Itertools;
use std::collections::BTreeMap;

const BOUND: usize = 4;
/// What is said of every length is compared with traces of so many more steps.
const FURTHER: usize = 2;
/// Models with more traces are left out.
const MOST_TRACES: usize = 60_000;
/// Models with more violating traces are left out.
const MOST_VIOLATING: usize = 2_000;

/// The definition of containment: the last label is of the first form, earlier labels of their own for all others, and a value for each individual.
fn contains(trace: &Trace, parts: &ArgumentParts, pattern: &Pattern) -> bool {
    let labels: Vec<&Label> = trace.labels().collect();
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
    let (solver, budget) = (Setup { backend, seed }, Budget::unlimited());
    let question = CausalQuestion { problem, parts, bound: BOUND, solver, most: usize::MAX, budget: &budget };
    CausalTree::new(&question, Backend::Cadical, &mut ())
}

/// Checks the tree of a model; whether there was something to check. Names in formulas are those of the text of a model, if it was read from one.
fn check(model: &Model, is_text: bool) -> bool {
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
        let Way { trace, pattern, .. } = way;
        assert!(violating.contains(trace), "no violating trace: {trace:?}");
        assert_eq!(pattern.steps.len(), trace.len());
        assert!(contains(trace, &parts, pattern));
        if is_text {
            means_its_formula(model, &parts, pattern, &violating);
        }
        has_no_superfluous_step(problem, trace, &violating);
        has_reasons(problem, way);
        let contained = ways.iter().filter(|other| other.pattern.is_rooted_in(pattern));
        assert!(tree.narrowed_from.is_some() || contained.count() == 1, "one contains another: {way:?}");
    }
    for trace in &violating {
        let has = |kind: &CausalKind| match tree.narrowed_from {
            Some(_) => contains(trace, &parts, &kind.deciding),
            None => kind.ways.iter().any(|way| contains(trace, &parts, &way.pattern)),
        };
        let covered = tree.kinds.iter().flat_map(CausalKind::with_variants).any(has);
        assert!(covered, "no kind has {trace:?}");
    }
    every_length_is_right(problem, &parts, &tree);
    let other = tree_of(problem, &parts, Backend::Varisat, 7);
    let shown = |tree: &CausalTree| -> Vec<Vec<Trace>> {
        let of_kind = |kind: &CausalKind| kind.ways.iter().map(|way| way.trace.clone()).collect();
        tree.kinds.iter().map(of_kind).collect()
    };
    assert_eq!(shown(&tree), shown(&other), "the tree depends on the solver");
    !violating.is_empty()
}

/// Traces that are longer than the bound are of one of the kinds, or the shortest that is not has the number of steps that is said.
fn every_length_is_right(problem: Problem<'_>, parts: &ArgumentParts, tree: &CausalTree) {
    let (solver, budget) = (Setup { backend: Backend::Cadical, seed: 0 }, Budget::unlimited());
    let question = CausalQuestion { problem, parts, bound: BOUND, solver, most: usize::MAX, budget: &budget };
    let mut tree = tree.clone();
    tree.find_every_length(&question, 100_000);
    let Ok(longer) = all_traces(problem.model, BOUND + FURTHER, MOST_TRACES) else { return };
    let is_other = |trace: &&Trace| {
        let first = first_violation(problem.model, problem.invariant, &trace.moments);
        let has = |way: &&Way| contains(trace, parts, &way.deciding);
        first.is_some_and(|at| at.steps() == trace.len()) && !ways(&tree).iter().any(has)
    };
    let shortest = longer.iter().filter(is_other).map(Trace::len).min();
    match tree.every_length {
        None => {}
        Some(EveryTrace::Covered { .. }) => assert_eq!(shortest, None),
        Some(EveryTrace::Longer(steps)) if steps <= BOUND + FURTHER => assert_eq!(shortest, Some(steps)),
        Some(EveryTrace::Longer(_)) => assert_eq!(shortest, None),
    }
}

/// The formula of a pattern is true of the traces that contain it.
fn means_its_formula(model: &Model, parts: &ArgumentParts, pattern: &Pattern, violating: &[Trace]) {
    let text = pattern.formula(model, parts);
    let formula = TraceFormula::read(model, &text).unwrap_or_else(|why| panic!("{text:?}: {why:?}"));
    for trace in violating.iter().step_by(violating.len() / 20 + 1) {
        let has = formula.matches(model, &trace.moments).is_some();
        assert_eq!(has, contains(trace, parts, pattern), "{text:?} of {trace:?}");
    }
}

/// No violating trace with the same initial state and the same last label has some of the labels, in their order. Where one with another last
/// label is said to have, there is one.
fn has_no_superfluous_step(problem: Problem<'_>, trace: &Trace, violating: &[Trace]) {
    let whole: Vec<&Label> = trace.labels().collect();
    let is_part = |other: &&Trace| {
        let mut rest = whole.iter();
        other.len() < trace.len()
            && other.moments[0].state == trace.moments[0].state
            && other.labels().all(|label| rest.any(|own| *own == label))
    };
    let mut parts = violating.iter().filter(is_part);
    let superfluous = parts.clone().find(|other| other.labels().next_back() == trace.labels().next_back());
    assert!(superfluous.is_none(), "a step of {trace:?} can be left out: {superfluous:?}");
    if let Some(step) = shorter_violation(problem, trace) {
        assert!(
            parts.any(|other| other.labels().next_back() == Some(whole[step])),
            "no part of {trace:?} violates"
        );
    }
}

/// Reasons are parts of conditions that are true, due to earlier steps; the violation is a reason of the last step only.
fn has_reasons(problem: Problem<'_>, way: &Way) {
    let trace = &way.trace;
    let labels: Vec<&Label> = trace.labels().collect();
    for (step, reasons) in way.reasons.of.iter().enumerate() {
        let label = labels[step];
        let locals = arguments(&problem.model.actions[label.action], &label.args);
        let conditions = guards(problem.model, label.action);
        for reason in reasons {
            assert!(!reason.steps.is_empty() && reason.steps.iter().all(|cause| *cause < step));
            match reason.part {
                Part::Breaks => assert_eq!(step + 1, trace.len()),
                Part::Guard(number) => {
                    let scope =
                        Scope::new(problem.model).with_state(&trace.moments[step].state).with_locals(&locals);
                    assert!(scope.holds(&conditions[number]));
                }
                Part::Fair(_) => panic!("a finite trace is not fair"),
            }
        }
    }
}

#[test]
fn causes_random_models() {
    let checked = (0..cases(60)).filter(|&seed| check(&random_model(seed), false)).count();
    assert!(checked * 5 > usize::try_from(cases(60)).expect("few"), "too few were checked: {checked}");
}

#[test]
fn causes_random_symmetric_models() {
    let checked = (0..cases(40)).filter(|&seed| check(&symmetric_model(seed), true)).count();
    assert!(checked * 10 > usize::try_from(cases(40)).expect("few"), "too few were checked: {checked}");
}

#[test]
fn causes_random_tables_and_rings() {
    let tables = (0..cases(30)).filter(|&seed| check(&table_model(seed), true)).count();
    let rings = (0..cases(30)).filter(|&seed| check(&ring_model(seed), true)).count();
    assert!(
        (tables + rings) * 5 > usize::try_from(cases(60)).expect("few"),
        "too few were checked: {tables}, {rings}"
    );
}
