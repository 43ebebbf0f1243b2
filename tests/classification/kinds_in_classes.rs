//! The kinds by their causes that occur in the classes of random small models, by the formulas of the classes in the language of models.

use crate::linked_model::linked_model;
use crate::random::cases;
use crate::symmetric_model::symmetric_model;
use cladist::budget::Budget;
use cladist::classify::causes::kinds::CausalKind;
use cladist::classify::causes::question::{CausalProblem, CausalQuestion};
use cladist::classify::causes::tree::CausalTree;
use cladist::classify::{Class, Mode, Options, Problem, Verdict, classify};
use cladist::model::{Model, TraceFormula, load};
use cladist::sat::{Backend, Setup};
use cladist::trace::Trace;
use cladist::unroll::Lengths;
use std::collections::BTreeSet;
use std::path::Path;

/// Checks a model; returns the number of classes with some of the kinds and not with others.
fn check(model: &Model, bound: usize, mode: Mode) -> usize {
    let problem = Problem::first(model).expect("an invariant");
    let budget = Budget::unlimited();
    let options = Options { mode, ..Options::of(Lengths::UpTo(bound)) };
    let result = classify(problem, &model.vocabularies[0], &options, &budget, &mut ()).gathered();
    let causal = CausalProblem::Invariant(problem);
    let (parts, solver) = (causal.parts(), Setup { backend: Backend::Cadical, seed: 0 });
    let question =
        CausalQuestion { problem: causal, parts: &parts, bound, solver, most: usize::MAX, budget: &budget };
    let tree = CausalTree::new(&question, Backend::Cadical, &mut ());
    let listed = tree.in_classes(model, &parts, &result);
    let formulas_of = |class: &Class| -> Vec<TraceFormula> {
        let read = |class: &Class| TraceFormula::read(model, &class.constraint.formula(model, &result.atoms));
        class.with_images().map(|class| read(class).expect("it is in the language")).collect()
    };
    let formulas: Vec<Vec<TraceFormula>> = result.classes.iter().map(formulas_of).collect();
    let classes_of = |trace: &Trace| -> BTreeSet<usize> {
        let has = |class: &usize| formulas[*class].iter().any(|f| f.matches(model, &trace.moments).is_some());
        (0..formulas.len()).filter(has).collect()
    };
    let mut shown = vec![BTreeSet::new(); listed.len()];
    for (number, kind) in (1..).zip(&tree.kinds) {
        let ways = kind.with_variants().flat_map(|part: &CausalKind| &part.ways);
        let classes: Vec<BTreeSet<usize>> = ways.map(|way| classes_of(&way.trace)).collect();
        classes.iter().flatten().for_each(|&class| _ = shown[class].insert(number));
        let is_complete = result.verdict == Verdict::Complete;
        assert!(
            !is_complete || classes.iter().all(|of| !of.is_empty()),
            "a trace of kind {number} in no class"
        );
    }
    for ((class, kinds), shown) in result.classes.iter().zip(&listed).zip(&shown) {
        let has_steps = |number: &usize| {
            let mut ways = tree.kinds[number - 1].with_variants().flat_map(|part| &part.ways);
            ways.any(|way| {
                let formula = way.pattern.formula(model, &parts);
                let formula = TraceFormula::read(model, &formula).expect("it is in the language");
                formula.matches(model, &class.representative.moments).is_some()
            })
        };
        match shown.is_empty() {
            true => assert!(!kinds.is_empty() && kinds.iter().all(has_steps)),
            false => assert!(kinds.iter().eq(shown)),
        }
    }
    listed.iter().filter(|kinds| !kinds.is_empty() && kinds.len() < tree.kinds.len()).count()
}

#[test]
fn each_kind_is_listed_in_exactly_the_classes_of_its_traces() {
    let mut telling = 0;
    for seed in 0..cases(150) {
        let mode = if seed % 2 == 0 { Mode::Sufficient } else { Mode::Cover };
        let model = if seed % 3 == 0 { linked_model(seed) } else { symmetric_model(seed) };
        telling += check(&model, 3, mode);
    }
    assert!(telling > 0, "{telling} classes have some of the kinds only");
}

#[test]
fn the_classes_of_the_web_shop_have_kinds_of_their_own() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/web_shop.sts");
    let mut model = load(&path, &[]).model.expect("a model");
    let own = model.vocabulary("own").expect("it exists");
    model.vocabularies.swap(0, own);
    assert_eq!(check(&model, 6, Mode::Sufficient), 2);
}
