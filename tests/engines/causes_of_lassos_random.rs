//! Kinds of infinite violation by their causes, on random models, against all lassos of up to a few steps: each violating lasso has the pattern of one
//! of them by the definition of formulas, and of none a step of the stem can be left out.

use crate::ltl_random::{fairness, formula, lassos};
use crate::random::{Random, seeds};
use crate::ring_model::ring_model;
use crate::symmetric_model::symmetric_model;
use cladist::budget::Budget;
use cladist::classify::causes::enumeration::CausalQuestion;
use cladist::classify::causes::kinds::CausalKind;
use cladist::classify::causes::pattern::ArgumentParts;
use cladist::classify::causes::tree::CausalTree;
use cladist::classify::causes::way::Way;
use cladist::classify::lassos::LassoProblem;
use cladist::explore::Graph;
use cladist::ltl::{is_fair, satisfies};
use cladist::model::value::Label;
use cladist::model::{LassoFormula, Model};
use cladist::sat::{Backend, Setup};
use cladist::trace::Lasso;

const STEPS: usize = 4;
const MODELS: u64 = 30;
const FORMULAS: u64 = 3;
/// Models with more lassos are left out.
const MOST_LASSOS: usize = 20_000;

fn tree_of(problem: LassoProblem<'_>, parts: &ArgumentParts, backend: Backend, seed: u64) -> CausalTree {
    let (solver, budget) = (Setup { backend, seed }, Budget::unlimited());
    let question = CausalQuestion { problem, parts, bound: STEPS, solver, most: usize::MAX, budget: &budget };
    CausalTree::of_lassos(&question, Backend::Cadical, &mut ())
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

/// Checks the trees of a model; how many of them had kinds.
fn check(model: &Model, seed: u64) -> usize {
    let graph = Graph::explore(model, None, 1_000, &Budget::unlimited());
    let Ok(graph) = graph else { return 0 };
    let Some(all) = lassos(&graph, STEPS, MOST_LASSOS) else { return 0 };
    let mut violated = 0;
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
        }
        let other = tree_of(problem, &parts, Backend::Varisat, 7);
        let shown = |tree: &CausalTree| ways(tree).into_iter().map(|way| way.as_lasso()).collect::<Vec<_>>();
        assert_eq!(shown(&tree), shown(&other), "seed {seed}, {number}: the tree depends on the solver");
        violated += usize::from(!bad.is_empty());
    }
    violated
}

#[test]
fn causes_of_lassos_of_rings() {
    let violated: usize = seeds(MODELS).map(|seed| check(&ring_model(seed), seed)).sum();
    assert!(violated * 2 > seeds(MODELS).count(), "too few were violated: {violated}");
}

#[test]
fn causes_of_lassos_of_symmetric_models() {
    let violated: usize = seeds(MODELS).map(|seed| check(&symmetric_model(seed), seed)).sum();
    assert!(violated * 2 > seeds(MODELS).count(), "too few were violated: {violated}");
}
