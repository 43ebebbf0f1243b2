//! Tests of `engines::ltl::emptiness`.

use engines::explore::Graph;
use engines::ltl::emptiness::*;
use engines::ltl::product::TableauProduct;
use engines::ltl::{LoopDemands, LtlFormula, LtlPlaces};
use kit::budget::{Budget, Exhausted};
use lang::model::load_text;
use std::io::ErrorKind;
use std::time::Duration;

#[test]
fn parts_too_small_to_count_end_with_the_budget_as_well() {
    let text = "model m; var x: bool; init { x; } action flip { x' = not x; } ltl l: always eventually x;";
    let loaded = load_text("m.sts", text, &[], &|_| Err(ErrorKind::NotFound.into()));
    let model = loaded.model.expect("no mistakes");
    let formula = LtlFormula::new(model.properties[0].linear().expect("a property of ltl"), true);
    let unlimited = &Budget::unlimited();
    let graph = Graph::explore(&model, None, 10, unlimited).expect("two states");
    let (places, limits) = (LtlPlaces::states(&graph, unlimited).expect("no limit"), LoopDemands::default());
    let product = TableauProduct::new((&model, &graph), (&places, &limits), &formula, &[], unlimited);
    let product = product.expect("small");
    assert!(fair_loops(&product, unlimited).is_ok_and(|fair| fair.contains(&0)));
    assert!(one_fair_loop(&product, unlimited).is_ok_and(|fair| fair.is_some()));
    let spent = &Budget::unlimited().with_timeout(Duration::ZERO);
    assert_eq!(fair_loops(&product, spent), Err(Exhausted::Time));
    assert_eq!(one_fair_loop(&product, spent), Err(Exhausted::Time));
}
