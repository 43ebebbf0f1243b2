//! Causal trees of random small models against enumeration of all their traces, by the definitions: every violating trace contains the steps
//! of an irreducible one, no irreducible one contains another, and of none a step can be left out.

use crate::all_traces::all_traces;
use crate::random::cases;
use crate::random_model::random_model;
use crate::ring_model::ring_model;
use crate::symmetric_model::symmetric_model;
use crate::table_model::table_model;
use cladist::budget::Budget;
use cladist::classify::Problem;
use cladist::classify::causes::kinds::CausalKind;
use cladist::classify::causes::pattern::{ArgumentParts, ArgumentSlot, CausePattern};
use cladist::classify::causes::question::{CausalProblem, CausalQuestion, EveryTrace};
use cladist::classify::causes::reasons::{ConditionPart, guards};
use cladist::classify::causes::replay::{irreducible, shorter_violation};
use cladist::classify::causes::tree::CausalTree;
use cladist::classify::causes::way::Way;
use cladist::model::eval::{Scope, arguments, first_violation};
use cladist::model::value::{Label, Value};
use cladist::model::{Action, Model, TraceFormula, UpdateValue};
use cladist::sat::{Backend, Setup};
use cladist::trace::Trace;
use itertools::Itertools;
use std::collections::BTreeMap;

const BOUND: usize = 4;
/// The kinds of traces of so many steps are compared with longer traces.
const SHORT: usize = 2;
/// Models with more traces are left out.
const MOST_TRACES: usize = 60_000;
/// Models with more violating traces are left out.
const MOST_VIOLATING: usize = 2_000;

/// The definition of containment: the last label is of the first form, earlier labels of their own for all others, and a value for each individual.
fn contains(trace: &Trace, parts: &ArgumentParts, pattern: &CausePattern) -> bool {
    let labels: Vec<&Label> = trace.labels().collect();
    let Some((last, before)) = labels.split_last() else { return pattern.steps.is_empty() };
    let Some((root, others)) = pattern.steps.split_first() else { return false };
    before.iter().permutations(others.len()).any(|chosen| {
        let mut individuals: BTreeMap<usize, &Value> = BTreeMap::new();
        let mut pairs = std::iter::once((last, root)).chain(chosen.into_iter().zip(others));
        let fits = pairs.all(|(label, form)| {
            label.action == form.action
                && form.slots.iter().zip(&parts.of[form.action]).all(|(slot, part)| {
                    let value = part.of(label);
                    match slot {
                        ArgumentSlot::Any => true,
                        ArgumentSlot::Value(wanted) => value == wanted,
                        ArgumentSlot::Individual(n) => *individuals.entry(*n).or_insert(value) == value,
                    }
                })
        });
        fits && pattern.different.iter().all(|(one, other)| individuals[one] != individuals[other])
    })
}

fn ways(tree: &CausalTree) -> Vec<&Way> {
    tree.kinds.iter().flat_map(CausalKind::with_variants).flat_map(|kind| &kind.ways).collect()
}

fn tree_of(problem: Problem<'_>, parts: &ArgumentParts, backend: Backend, seed: u64) -> CausalTree {
    let (solver, budget) = (Setup { backend, seed }, Budget::unlimited());
    let problem = CausalProblem::Invariant(problem);
    let question = CausalQuestion { problem, parts, bound: BOUND, solver, most: usize::MAX, budget: &budget };
    CausalTree::new(&question, Backend::Cadical, &mut ())
}

/// The numbers of models with violations, with kinds that are all in traces of every length, and with longer traces of other kinds.
type Seen = [usize; 3];

/// Checks the tree of a model. Names in formulas are those of the text of a model, if it was read from one.
fn check(model: &Model, is_text: bool) -> Seen {
    let Some(problem) = Problem::first(model) else { return [0; 3] };
    let Ok(traces) = all_traces(model, BOUND, MOST_TRACES) else { return [0; 3] };
    let ends_in_violation = |trace: &Trace| {
        first_violation(model, problem.invariant, &trace.moments).is_some_and(|at| at.steps() == trace.len())
    };
    let violating: Vec<Trace> = traces.into_iter().filter(ends_in_violation).collect();
    if violating.len() > MOST_VIOLATING {
        return [0; 3];
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
    // Ways that differ in a role are told by what they have in common.
    for kind in tree.kinds.iter().flat_map(CausalKind::with_variants) {
        for way in &kind.ways {
            assert!(contains(&way.trace, &parts, &kind.deciding), "{way:?} is not {:?}", kind.deciding);
        }
    }
    for trace in &violating {
        let has = |kind: &CausalKind| match tree.narrowed_from {
            Some(_) => contains(trace, &parts, &kind.deciding),
            None => kind.ways.iter().any(|way| contains(trace, &parts, &way.pattern)),
        };
        let covered = tree.kinds.iter().flat_map(CausalKind::with_variants).any(has);
        assert!(covered, "no kind has {trace:?}");
    }
    for trace in violating.iter().step_by(violating.len() / 50 + 1) {
        let part = irreducible(problem, trace);
        assert!(violating.contains(&part) && part.labels().next_back() == trace.labels().next_back());
        let mut rest = trace.labels();
        assert!(part.labels().all(|label| rest.any(|own| own == label)), "{part:?} is no part of {trace:?}");
        // Values that a step leaves open are those of the trace when it runs again.
        if is_determined(model) {
            has_no_superfluous_step(problem, &part, &violating);
        }
    }
    let every = every_length_is_right(problem, &parts, &violating);
    let other = tree_of(problem, &parts, Backend::Varisat, 7);
    let shown = |tree: &CausalTree| -> Vec<Vec<Trace>> {
        let of_kind = |kind: &CausalKind| kind.ways.iter().map(|way| way.trace.clone()).collect();
        tree.kinds.iter().map(of_kind).collect()
    };
    assert_eq!(shown(&tree), shown(&other), "the tree depends on the solver");
    let is_covered = matches!(every, Some(EveryTrace::Covered { .. }));
    let is_longer = matches!(every, Some(EveryTrace::Longer(_)));
    [!violating.is_empty(), is_covered, is_longer].map(usize::from)
}

/// True if no action leaves a value open.
fn is_determined(model: &Model) -> bool {
    let is_open = |action: &Action| {
        let mut updates = action.updates.iter();
        !action.modifies.is_empty() || updates.any(|update| matches!(update.value, UpdateValue::In(_)))
    };
    !model.actions.iter().any(is_open)
}

/// Checks models; fails if too few were of one of these sorts.
fn check_all(models: impl Iterator<Item = Model>, is_text: bool, least: Seen) {
    let seen = models
        .map(|model| check(&model, is_text))
        .fold([0; 3], |sum, one| std::array::from_fn(|at| sum[at] + one[at]));
    assert!(seen.iter().zip(least).all(|(seen, least)| *seen >= least), "too few were checked: {seen:?}");
}

/// Of the kinds of short traces: longer ones are of these kinds, or the shortest that is not has the number of steps that is said.
fn every_length_is_right(
    problem: Problem<'_>,
    parts: &ArgumentParts,
    violating: &[Trace],
) -> Option<EveryTrace> {
    let (solver, budget) = (Setup { backend: Backend::Cadical, seed: 0 }, Budget::unlimited());
    let problem = CausalProblem::Invariant(problem);
    let question = CausalQuestion { problem, parts, bound: SHORT, solver, most: usize::MAX, budget: &budget };
    let mut tree = CausalTree::new(&question, Backend::Cadical, &mut ());
    let is_other = |trace: &&Trace| !ways(&tree).iter().any(|way| contains(trace, parts, &way.deciding));
    let shortest = violating.iter().filter(is_other).map(Trace::len).min();
    let mut decide = |limit: usize| {
        tree.find_every_length(&question, limit);
        match tree.every_length {
            None => {}
            Some(EveryTrace::Longer(steps)) if steps <= BOUND => assert_eq!(shortest, Some(steps)),
            Some(_) => assert_eq!(shortest, None),
        }
        (tree.every_length, tree.always_in_all)
    };
    let (listed, proved) = (decide(100_000), decide(0));
    let covered = |every| matches!(every, Some(EveryTrace::Covered { .. }));
    match (listed, proved) {
        ((None, _), (Some(_), _)) => {}
        ((listed, always), proved) if covered(listed) && covered(proved.0) => assert_eq!(always, proved.1),
        _ => assert_eq!(listed, proved, "by listing and by proof"),
    }
    listed.0
}

/// The formula of a pattern is true of the traces that contain it.
fn means_its_formula(model: &Model, parts: &ArgumentParts, pattern: &CausePattern, violating: &[Trace]) {
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
                ConditionPart::Breaks => assert_eq!(step + 1, trace.len()),
                ConditionPart::Guard(number) => {
                    let scope =
                        Scope::new(problem.model).with_state(&trace.moments[step].state).with_locals(&locals);
                    assert!(scope.holds(&conditions[number]));
                }
                ConditionPart::Fair(_) => panic!("a finite trace is not fair"),
            }
        }
    }
}

/// A part of some cases, at least one.
fn part(usual: u64, divisor: u64) -> usize {
    usize::try_from((cases(usual) / divisor).max(1)).expect("few")
}

#[test]
fn causes_random_models() {
    check_all((0..cases(60)).map(random_model), false, [part(60, 5), part(60, 10), part(60, 60)]);
}

#[test]
fn causes_random_symmetric_models() {
    check_all((0..cases(40)).map(symmetric_model), true, [part(40, 10), part(40, 20), 0]);
}

#[test]
fn causes_random_tables_and_rings() {
    let models = (0..cases(30)).flat_map(|seed| [table_model(seed), ring_model(seed)]);
    check_all(models, true, [part(60, 5), part(60, 20), 0]);
}
