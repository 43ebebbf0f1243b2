//! Formulas of branching time on decision diagrams: random models of several variables against their listed states, and models that
//! are too large to be listed.

use crate::build::{constant, eq, var};
use crate::ctl_common::{F, LABELS, Random};
use crate::model_common::good;
use crate::random::cases;
use crate::random_model::random_model;
use cladist::budget::{Budget, Exhausted};
use cladist::ctl::{
    CtlGoal, CtlVerdict, DiagramLimit, EvidenceForm, EvidenceOutcome, Implicit, ListedTruth, ModelFormula,
    WitnessShape, formula_of_property,
};
use cladist::decide::{self, Basis, BranchingOptions};
use cladist::explore::{Reachable, reachable, successors};
use cladist::model::eval::is_initial;
use cladist::model::expr::Expr;
use cladist::model::{self, Model};
use num_bigint::BigUint;
use std::path::Path;

/// Labels that differ among the states of a model: its invariant, and that a variable has one of its values.
fn labels(random: &mut Random, model: &Model, reached: &Reachable) -> Vec<Expr> {
    let invariant = model.properties[0].invariant().expect("the only property").clone();
    let at = random.below(model.variables.len());
    let variable = &model.variables[at];
    let state = &reached.states[random.below(reached.states.len())];
    let value = constant(state.0[at].clone(), variable.ty.clone());
    let labels = vec![invariant, eq(var(model, &variable.name), value)];
    assert_eq!(labels.len(), LABELS);
    labels
}

#[test]
fn random_models_are_decided_as_on_their_listed_states() {
    let unlimited = Budget::unlimited();
    let (mut violated, mut shown, mut steps) = (0, 0, 0);
    for seed in 0..cases(150) {
        let model = random_model(seed);
        let reached = reachable(&model, 1000, &unlimited);
        assert!(reached.complete());
        let mut random = Random::new(seed);
        let labels = labels(&mut random, &model, &reached);
        let depth = 1 + random.below(3);
        let f = if seed % 3 == 0 { F::branching(&mut random) } else { F::random(&mut random, depth) };
        let fair = [vec![], vec![], vec![0], vec![0, 1]][random.below(4)].clone();
        let formula = ModelFormula { formula: f.formula(&fair), labels };
        let (structure, sets) = formula.structure(&model, &reached, &unlimited).expect("no limits");
        let listed = ListedTruth::new(&formula.formula, &structure, &sets, &unlimited).expect("no limits");
        let mut implicit = Implicit::new(&model, &formula, &unlimited).expect("no limits");
        assert_eq!(implicit.states(), reached.states.len().into(), "{seed}");
        let holds = listed.holds();
        assert_eq!(implicit.holds(), Ok(holds), "{seed}: {f:?}");
        let deadlocks = structure.deadlocks().map_or(0, |(_, count)| count);
        assert_eq!(implicit.deadlocks(), Ok(deadlocks.into()), "{seed}");
        assert_eq!(implicit.unfair(), listed.unfair(&unlimited).map_err(DiagramLimit::Budget), "{seed}");
        violated += usize::from(!holds);
        // That it shows the goal was evaluated again, by the definition.
        match implicit.show(EvidenceForm::default()) {
            EvidenceOutcome::Shown(exhibit) => {
                shown += 1;
                let states = &exhibit.witness.states;
                assert!(is_initial(&model, &states[0]), "{seed}");
                for &(from, to) in &exhibit.witness.edges {
                    steps += 1;
                    let after = successors(&model, &states[from], 100_000).expect("few");
                    assert!(after.iter().any(|(_, state)| *state == states[to]), "{seed}");
                }
            }
            EvidenceOutcome::Nothing(why) => {
                assert!(holds && !CtlGoal::new(&formula.formula, holds).has_steps(), "{seed}: {f:?}: {why}");
            }
        }
    }
    if cases(150) == 150 {
        assert!(violated > 30 && shown > 60 && steps > 75, "{violated} {shown} {steps}");
    }
}

fn load(file: &str, constants: &[(&str, &str)]) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let constants: Vec<(String, String)> =
        constants.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    model::load(&path, &constants).model.expect("a model without mistakes")
}

fn property(model: &Model, name: &str) -> ModelFormula {
    let property = &model.properties[model.property(name).expect("a property of the model")];
    formula_of_property(model, property).expect("a property of branching time")
}

/// The portfolio says which way it went, and what it shows.
#[test]
fn counters_are_decided_on_diagrams_where_they_are_not_listed() {
    let model = load("benches/models/counters.sts", &[("COUNT", "4"), ("TOP", "3")]);
    let expected = [
        ("resettable", CtlVerdict::Holds, None),
        ("arrives", CtlVerdict::Violated, Some((WitnessShape::Lasso(0), 4))),
        // Three steps of the first, and three of the last that are followed by one more; it goes round from there.
        ("apart", CtlVerdict::Holds, Some((WitnessShape::Lasso(3), 7))),
        ("low", CtlVerdict::Violated, Some((WitnessShape::Path, 9))),
    ];
    for (name, verdict, shown) in expected {
        let formula = property(&model, name);
        let budget = Budget::unlimited();
        let options = BranchingOptions { max_states: 50, ..Default::default() };
        let decided = decide::branching(&model, &formula, &options, &budget).expect("no limits");
        let listed = decide::branching(&model, &formula, &Default::default(), &budget).expect("no limits");
        assert_eq!(decided.basis, Basis::Diagrams { states: 256_u32.into() }, "{name}");
        assert!(matches!(listed.basis, Basis::States { states: 256, .. }), "{name}");
        for decided in [decided, listed] {
            assert_eq!(decided.verdict, verdict, "{name}");
            assert_eq!(decided.doubts, [], "{name}");
            let found = match decided.found {
                EvidenceOutcome::Shown(exhibit) => {
                    assert!(exhibit.minimal, "{name}");
                    Some((exhibit.witness.shape, exhibit.witness.states.len()))
                }
                EvidenceOutcome::Nothing(_) => None,
            };
            assert_eq!(found, shown, "{name}");
        }
    }
}

#[test]
fn systems_that_nobody_can_list() {
    let unlimited = Budget::unlimited();
    let counters = load("benches/models/counters.sts", &[("COUNT", "12")]);
    let formula = property(&counters, "resettable");
    let mut implicit = Implicit::new(&counters, &formula, &unlimited).expect("no limits");
    assert_eq!(implicit.states(), 12_u64.pow(12).into());
    assert_eq!((implicit.holds(), implicit.deadlocks()), (Ok(true), Ok(BigUint::ZERO)));
    let formula = property(&counters, "low");
    let mut implicit = Implicit::new(&counters, &formula, &unlimited).expect("no limits");
    assert_eq!(implicit.holds(), Ok(false));
    let EvidenceOutcome::Shown(exhibit) = implicit.show(EvidenceForm::default()) else {
        panic!("a path shows it")
    };
    assert_eq!((exhibit.witness.states.len(), exhibit.minimal), (73, true));

    for (left_handed, deadlocks) in [("false", 1_u32), ("true", 0)] {
        let model = load("specs/dining_philosophers.sts", &[("SEATS", "9"), ("LEFT_HANDED", left_handed)]);
        let formula = property(&model, "apart");
        let mut implicit = Implicit::new(&model, &formula, &unlimited).expect("no limits");
        assert_eq!((implicit.holds(), implicit.deadlocks()), (Ok(true), Ok(deadlocks.into())));
    }
}

/// Time and memory end every part of it, and nothing is claimed then.
#[test]
fn limits_end_it_without_an_answer() {
    let counters = load("benches/models/counters.sts", &[("COUNT", "12")]);
    let formula = property(&counters, "resettable");
    let budget = Budget::unlimited();
    budget.interrupt();
    assert_eq!(
        Implicit::new(&counters, &formula, &budget).err(),
        Some(DiagramLimit::Budget(Exhausted::Interrupt))
    );
    // The argument of an action has more values than are looked at one by one.
    let text = "model wide; var x : 0..3000000; init { x = 0; } action go(n: 0..3000000) { x' = n; } ctl p: AG EF x = 0;";
    let wide = good(text);
    let formula = property(&wide, "p");
    assert!(matches!(
        Implicit::new(&wide, &formula, &Budget::unlimited()).err(),
        Some(DiagramLimit::Labels(_))
    ));
}
