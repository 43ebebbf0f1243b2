//! Kinds of infinite violation by their causes, on random models, against all lassos of up to a few steps: each violating lasso has the pattern of one
//! of them by the definition of formulas, and of none a step of the stem can be left out.

use crate::ltl_random::{fairness, formula, lassos};
use crate::random::{Random, seeds};
use crate::ring_model::ring_model;
use crate::symmetric_model::symmetric_model;
use cladist::budget::Budget;
use cladist::classify::causes::defences::Defence;
use cladist::classify::causes::kinds::CausalKind;
use cladist::classify::causes::lasso_replay::irreducible_lasso;
use cladist::classify::causes::pattern::ArgumentParts;
use cladist::classify::causes::question::{CausalProblem, CausalQuestion, ChangedProperty, EveryTrace};
use cladist::classify::causes::tree::CausalTree;
use cladist::classify::causes::way::Way;
use cladist::classify::lassos::LassoProblem;
use cladist::diagnostics::Span;
use cladist::explore::Graph;
use cladist::ltl::{Fairness, is_fair, satisfies};
use cladist::model::expr::Formula;
use cladist::model::value::{Label, Value};
use cladist::model::{Constant, LassoFormula, Model};
use cladist::sat::{Backend, Setup};
use cladist::trace::Lasso;

const STEPS: usize = 4;
/// The kinds of lassos of so many steps are compared with longer ones.
const SHORT: usize = 2;
const MODELS: u64 = 30;
const FORMULAS: u64 = 3;
/// Models with more lassos are left out.
const MOST_LASSOS: usize = 20_000;

fn tree_of(problem: LassoProblem<'_>, parts: &ArgumentParts, backend: Backend, seed: u64) -> CausalTree {
    let (solver, budget) = (Setup { backend, seed }, Budget::unlimited());
    let problem = CausalProblem::Linear(problem);
    let question = CausalQuestion { problem, parts, bound: STEPS, solver, most: usize::MAX, budget: &budget };
    CausalTree::new(&question, Backend::Cadical, &mut ())
}

fn ways(tree: &CausalTree) -> Vec<&Way> {
    tree.kinds.iter().flat_map(CausalKind::with_variants).flat_map(|kind| &kind.ways).collect()
}

/// True if a lasso has the same initial state and the same loop as a way, and some of the labels of its stem, in their order.
fn lacks_steps(lasso: &Lasso, of: &Lasso) -> bool {
    fn parts(lasso: &Lasso) -> (Vec<&Label>, Vec<&Label>) {
        let mut labels: Vec<&Label> = lasso.trace.labels().collect();
        let round = labels.split_off(lasso.start.steps());
        (labels, round)
    }
    let ((stem, round), (whole, own)) = (parts(lasso), parts(of));
    let mut rest = whole.iter();
    stem.len() < whole.len()
        && round == own
        && lasso.trace.moments[0] == of.trace.moments[0]
        && stem.iter().all(|label| rest.any(|own| own == label))
}

/// Of the kinds of short lassos: longer ones are of these kinds, or the shortest that is not has the number of steps that is said.
fn every_length_is_right(
    problem: LassoProblem<'_>,
    parts: &ArgumentParts,
    bad: &[&Lasso],
) -> Option<EveryTrace> {
    let (solver, budget) = (Setup { backend: Backend::Cadical, seed: 0 }, Budget::unlimited());
    let model = problem.model;
    let problem = CausalProblem::Linear(problem);
    let question = CausalQuestion { problem, parts, bound: SHORT, solver, most: usize::MAX, budget: &budget };
    let mut tree = CausalTree::new(&question, Backend::Cadical, &mut ());
    let read = |kind: &CausalKind| LassoFormula::read(model, &kind.deciding.recurrence(model, parts));
    let patterns: Vec<LassoFormula> = tree.all().map(|kind| read(kind).expect("a formula")).collect();
    let is_other = |lasso: &&&Lasso| {
        !patterns.iter().any(|pattern| pattern.holds(model, &lasso.trace.moments, lasso.start))
    };
    let shortest = bad.iter().filter(is_other).map(|lasso| lasso.len()).min();
    let mut decide = |limit: usize| {
        tree.find_every_length(&question, limit);
        match tree.every_length {
            None => {}
            Some(EveryTrace::Longer(steps)) if steps <= STEPS => assert_eq!(shortest, Some(steps)),
            Some(_) => assert_eq!(shortest, None),
        }
        tree.every_length
    };
    let (listed, proved) = (decide(1_000), decide(0));
    match (listed, proved) {
        (Some(EveryTrace::Covered { .. }), Some(EveryTrace::Covered { .. })) | (None, Some(_)) => {}
        _ => assert_eq!(listed, proved, "by listing and by proof"),
    }
    listed
}

/// The actions of a lasso, and the beginning of its loop.
fn word(lasso: &Lasso) -> (Vec<usize>, usize) {
    (lasso.trace.labels().map(|label| label.action).collect(), lasso.start.steps())
}

/// A constant whose other value makes the property another one stops exactly the kinds of which no lasso violates that one; only if nothing does, it
/// suffices. Returns the number of kinds that it stops.
fn defences_are_right(
    (model, tree): (&Model, &CausalTree),
    (formula, fairness): (&Formula, &[Fairness]),
    (changed, bad): (&ChangedProperty, &[&Lasso]),
) -> usize {
    let (solver, budget) = (Setup { backend: Backend::Cadical, seed: 0 }, Budget::unlimited());
    let ty = cladist::model::types::Type::Bool;
    let constant = Constant { name: "CHANGED".into(), ty, value: Value::Bool(false), span: Span::default() };
    let with_constant = Model { constants: vec![constant], ..model.clone() };
    let problem = CausalProblem::Linear(LassoProblem { model: &with_constant, formula, fairness });
    let parts = problem.parts();
    let question =
        CausalQuestion { problem, parts: &parts, bound: STEPS, solver, most: usize::MAX, budget: &budget };
    let mut tree = tree.clone();
    tree.find_defences(&question, &|set| {
        assert_eq!(set, [Defence { constant: "CHANGED".into(), value: true }]);
        Some((model.clone(), changed.clone()))
    });
    let Some(found) = &tree.defences else { return 0 };
    assert_eq!(found.ended, None);
    let suffices: Vec<Vec<usize>> = if bad.is_empty() { vec![vec![0]] } else { Vec::new() };
    assert_eq!(found.sufficient, suffices);
    let words: Vec<(Vec<usize>, usize)> = bad.iter().map(|lasso| word(lasso)).collect();
    let mut stopped = 0;
    for (kind, stops) in tree.kinds.iter().zip(&found.stopping) {
        let happens = kind.ways.iter().any(|way| words.contains(&word(&way.as_lasso().expect("a loop"))));
        assert!(!happens || stops.is_empty(), "a lasso of a kind that is said to be stopped violates");
        assert!(!bad.is_empty() || !stops.is_empty(), "nothing violates, and a kind is not stopped");
        stopped += stops.len();
    }
    stopped
}

/// The numbers of properties with violations, with kinds that are all of every length, with longer lassos of other kinds, and of kinds that a change stops.
type Seen = [usize; 4];

/// Checks the trees of a model.
fn check(model: &Model, seed: u64) -> Seen {
    let graph = Graph::explore(model, None, 1_000, &Budget::unlimited());
    let Ok(graph) = graph else { return [0; 4] };
    let Some(all) = lassos(&graph, STEPS, MOST_LASSOS) else { return [0; 4] };
    let mut seen = [0; 4];
    let mut before: Option<(ChangedProperty, Vec<&Lasso>)> = None;
    for number in 0..FORMULAS {
        let rng = &mut Random::new(seed * 1_000 + number);
        let depth = 1 + rng.below(3);
        let formula = formula(rng, model, depth);
        let fairness = fairness(rng, model, &graph);
        let problem = LassoProblem { model, formula: &formula, fairness: &fairness };
        let is_bad = |lasso: &&Lasso| is_fair(model, &fairness, lasso) && !satisfies(model, &formula, lasso);
        let bad: Vec<&Lasso> = all.iter().filter(is_bad).collect();
        let parts = ArgumentParts::of_lassos(problem);
        let tree = tree_of(problem, &parts, Backend::Cadical, 0);
        assert_eq!((tree.ended, tree.complete_to), (None, Some(STEPS)), "seed {seed}, {number}");
        assert_eq!(tree.kinds.is_empty(), bad.is_empty(), "seed {seed}, {number}");
        let mut patterns = Vec::new();
        for way in ways(&tree) {
            let lasso = way.as_lasso().expect("a loop");
            assert!(bad.contains(&&lasso), "seed {seed}, {number}: no violation: {lasso:?}");
            let superfluous = bad.iter().find(|other| lacks_steps(other, &lasso));
            assert!(
                superfluous.is_none() || tree.narrowed_from.is_some(),
                "seed {seed}, {number}: {lasso:?} has more steps than {superfluous:?}"
            );
            let text = way.told(tree.narrowed_from.is_some()).recurrence(model, &parts);
            let pattern = LassoFormula::read(model, &text).expect("a formula");
            let moments = &lasso.trace.moments;
            assert!(pattern.holds(model, moments, lasso.start), "seed {seed}, {number}: {text:?}");
            patterns.push(pattern);
        }
        for lasso in &bad {
            let has = |pattern: &LassoFormula| pattern.holds(model, &lasso.trace.moments, lasso.start);
            assert!(patterns.iter().any(has), "seed {seed}, {number}: no kind has {lasso:?}");
            let part = irreducible_lasso(problem, lasso);
            assert!(part.len() <= lasso.len() && bad.contains(&&part), "seed {seed}, {number}: {part:?}");
        }
        let other = tree_of(problem, &parts, Backend::Varisat, 7);
        let shown = |tree: &CausalTree| ways(tree).into_iter().map(|way| way.as_lasso()).collect::<Vec<_>>();
        assert_eq!(shown(&tree), shown(&other), "seed {seed}, {number}: the tree depends on the solver");
        let every = every_length_is_right(problem, &parts, &bad);
        let is_covered = matches!(every, Some(EveryTrace::Covered { .. }));
        let is_longer = matches!(every, Some(EveryTrace::Longer(_)));
        let stopped = before.as_ref().map_or(0, |(changed, bad)| {
            defences_are_right((model, &tree), (&formula, &fairness), (changed, bad))
        });
        let now = [usize::from(!bad.is_empty()), usize::from(is_covered), usize::from(is_longer), stopped];
        seen = std::array::from_fn(|at| seen[at] + now[at]);
        before = Some((ChangedProperty::Linear(formula, fairness), bad));
    }
    seen
}

/// Checks models; fails if too few were of one of these sorts.
fn check_all(model: fn(u64) -> Model) {
    let seen = seeds(MODELS)
        .map(|seed| check(&model(seed), seed))
        .fold([0; 4], |sum, one| std::array::from_fn(|at| sum[at] + one[at]));
    let models = seeds(MODELS).count();
    let least = [models.div_ceil(2), models.div_ceil(4), models / 30, models.div_ceil(4)];
    assert!(seen.iter().zip(least).all(|(seen, least)| *seen >= least), "too few were checked: {seen:?}");
}

#[test]
fn causes_of_lassos_of_rings() {
    check_all(ring_model);
}

#[test]
fn causes_of_lassos_of_symmetric_models() {
    check_all(symmetric_model);
}

/// A kind that has variants, and becomes a variant of another one, loses none of them.
#[test]
fn variants_of_variants_stay() {
    let seen = [check(&ring_model(5050), 5050), check(&symmetric_model(5051), 5051)];
    assert!(seen.iter().all(|[violated, ..]| *violated > 0), "{seen:?}");
}
