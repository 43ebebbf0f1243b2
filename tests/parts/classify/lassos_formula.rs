//! Tests of `classify::lassos::formula`.

use classify::Options;
use classify::lassos::constraint::LassoConstraint;
use classify::lassos::{LassoProblem, classify_lassos, usable};
use engines::ltl::Fairness;
use kit::budget::Budget;
use lang::model::{LassoFormula, PropertyKind, load};
use std::path::Path;

#[test]
fn a_formula_says_what_its_constraint_says() {
    let mut classes = 0;
    for (name, property) in [
        ("starvation", "p_enters"),
        ("starvation", "all_enter"),
        ("cache_thrash", ""),
        ("lossy_transfer", ""),
        ("split_vote", ""),
        ("pinned_address", "reaches"),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/liveness").join(name);
        let model = load(&path.with_extension("sts"), &[]).model.expect("no mistakes");
        let known = model.properties.iter().find(|p| p.name == property);
        let linear = |p: &&lang::model::Property| matches!(p.kind, PropertyKind::Ltl(_));
        let property = known.or(model.properties.iter().find(linear)).expect("a property");
        let PropertyKind::Ltl(formula) = &property.kind else { panic!("of ltl") };
        let fairness: Vec<Fairness> = Vec::new();
        let problem = LassoProblem { model: &model, formula, fairness: &fairness };
        for vocabulary in &model.vocabularies {
            let (vocabulary, _) = usable(&model, vocabulary);
            let options = Options::of_lassos(6, 8);
            let result = classify_lassos(problem, &vocabulary, &options, &Budget::unlimited(), &mut ());
            let all = || {
                let lassos = result.classes.iter().flat_map(|class| {
                    [&class.representative].into_iter().chain(&class.needed).chain(&class.canonical)
                });
                lassos.collect::<Vec<_>>()
            };
            for class in &result.classes {
                classes += 1;
                let text = class.constraint.formula(&model, &result.atoms);
                let read = LassoFormula::read(&model, &text).expect("what was written can be read");
                let again = LassoConstraint::of_formula(&result.atoms, &read).expect("a constraint");
                for lasso in all() {
                    let expected = class.constraint.holds(&model, &result.atoms, lasso);
                    assert_eq!(read.holds(&model, &lasso.trace.moments, lasso.start), expected, "{text:?}");
                    assert_eq!(again.holds(&model, &result.atoms, lasso), expected, "{text:?}");
                }
            }
        }
    }
    assert!(classes > 5, "{classes}");
}
