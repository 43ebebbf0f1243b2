//! Fairness of states and actions in branching time, on random models: formulas that say the same of all infinite traces as ones of linear
//! time, against the search for a fair lasso.

use crate::ltl_random::fairness;
use crate::random::{Random, seeds};
use crate::random_model::random_model;
use cladist::budget::Budget;
use cladist::ctl::{CtlVerdict, ModelFormula, PathFairness, formula_of_model};
use cladist::decide::{Basis, BranchingOptions, branching};
use cladist::explore::Graph;
use cladist::ltl::{Fairness, ListedSystem, LtlTruth};
use cladist::model::expr::{Expr, Formula, Op};
use cladist::model::{Model, Remembering};
use cladist::syntax::ast::TemporalOp;

const MODELS: u64 = 120;
const QUESTIONS: u64 = 4;

/// That a variable has a certain value.
fn atom(rng: &mut Random, model: &Model) -> Expr {
    let variable = rng.pick(&model.variables);
    let value = rng.pick(&model.types.values(&variable.ty)).clone();
    let (read, ty) = (crate::build::var(model, &variable.name), variable.ty.clone());
    Expr::binary_bool(Op::Eq, read, crate::build::constant(value, ty))
}

/// The same said in branching time and in linear time, of all paths.
fn pair(rng: &mut Random, model: &Model) -> (Formula, Formula) {
    let one = |expr: Expr| Formula::Atom(expr, Vec::new());
    let (a, b) = (one(atom(rng, model)), one(atom(rng, model)));
    let of = |op, operands: &[&Formula]| Formula::Temporal(op, operands.iter().copied().cloned().collect());
    let implies = |a: &Formula, b: Formula| Formula::Implies(Box::new(a.clone()), Box::new(b));
    let (all, each) = (TemporalOp::AllAlways, TemporalOp::Always);
    let (sure, soon) = (TemporalOp::AllEventually, TemporalOp::Eventually);
    match rng.below(5) {
        0 => (of(sure, &[&a]), of(soon, &[&a])),
        1 => (of(all, &[&a]), of(each, &[&a])),
        2 => (of(all, &[&of(sure, &[&a])]), of(each, &[&of(soon, &[&a])])),
        3 => (of(all, &[&implies(&a, of(sure, &[&b]))]), of(each, &[&implies(&a, of(soon, &[&b]))])),
        _ => (of(TemporalOp::AllUntil, &[&a, &b]), of(TemporalOp::Until, &[&a, &b])),
    }
}

/// The formula under conditions of fairness, and the model that it is about.
fn made(model: &Model, body: &Formula, fairness: &[Fairness]) -> (Model, ModelFormula) {
    let (mut remembering, mut conditions) = (Remembering::new(model), PathFairness::default());
    for condition in fairness {
        match condition {
            Fairness::Again(expr) => conditions.again.push((expr.clone(), "again".to_owned())),
            Fairness::Action(action) => conditions.add_action(&mut remembering, action),
        }
    }
    let formula = formula_of_model(body, &conditions, |_, _| "atom".to_owned());
    (remembering.model, formula)
}

#[test]
fn fair_paths_are_the_fair_infinite_traces() {
    let unlimited = &Budget::unlimited();
    let (mut held, mut violated, mut strong, mut on_diagrams) = (0, 0, 0, 0);
    for seed in seeds(MODELS) {
        let model = random_model(seed);
        let graph = Graph::explore(&model, None, 1_000, unlimited).expect("few states");
        for number in 0..QUESTIONS {
            let rng = &mut Random::new(seed * 1_000 + number);
            let fairness = fairness(rng, &model, &graph);
            // Without fairness, finite paths count for what can be reached.
            if fairness.is_empty() {
                continue;
            }
            let (body, linear) = pair(rng, &model);
            let listed = ListedSystem { model: &model, graph: &graph, fairness: &fairness };
            let expected = match listed.decide(&linear, unlimited).expect("a small formula") {
                LtlTruth::Holds => CtlVerdict::Holds,
                LtlTruth::Violated { .. } => CtlVerdict::Violated,
            };
            let (remembering, formula) = made(&model, &body, &fairness);
            for max_states in [10_000, 1] {
                let options = BranchingOptions { max_states, ..BranchingOptions::default() };
                let decided = branching(&remembering, &formula, &options, unlimited).expect("no limit");
                assert_eq!(decided.verdict, expected, "seed {seed}, {number}: {body:?}, {fairness:?}");
                on_diagrams += u32::from(matches!(decided.basis, Basis::Diagrams { .. }));
            }
            held += u32::from(expected == CtlVerdict::Holds);
            violated += u32::from(expected == CtlVerdict::Violated);
            let is_strong = |condition: &&Fairness| matches!(condition, Fairness::Action(a) if a.strong);
            strong += u32::from(fairness.iter().any(|condition| is_strong(&condition)));
        }
    }
    assert!(
        held > 50 && violated > 50 && strong > 50 && on_diagrams > 50,
        "{held} {violated} {strong} {on_diagrams}"
    );
}
