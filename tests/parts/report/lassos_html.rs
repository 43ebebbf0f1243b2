//! Tests of `report::view::infinite`.

use classify::Options;
use classify::lassos::{LassoProblem, classify_lassos};
use kit::budget::Budget;
use lang::model::{PropertyKind, load_text};
use report::lassos::LassoRequest;
use report::view::infinite::*;
use std::io::ErrorKind;

const SWITCHES: &str = "model switches;
        type Switch = enum { Left, Right };
        var on : map Switch to bool;
        init { forall s in Switch: not on[s]; }
        action turn(s: Switch) { on'[s] = not on[s]; }
        action rest { }
        ltl all_on: forall s in Switch: always eventually on[s];
        vocabulary states = { eq(on) };";

#[test]
fn a_class_is_shown_with_its_individual_its_remark_and_where_the_loop_begins() {
    let loaded = load_text("switches.sts", SWITCHES, &[], &|_| Err(ErrorKind::NotFound.into()));
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let (property, vocabulary) = (&model.properties[0], &model.vocabularies[0]);
    let PropertyKind::Ltl(formula) = &property.kind else { panic!("a property of ltl") };
    let options = Options::of_lassos(3, 5);
    let problem = LassoProblem { model: &model, formula, fairness: &[] };
    let result = classify_lassos(problem, vocabulary, &options, &Budget::unlimited(), &mut ());
    let mut request = LassoRequest::plain(problem, property, vocabulary, "switches.sts");
    request.asked.rerun = "cladist classify switches.sts -p all_on";
    let page = lasso_view(&request, &result).page();
    for expected in [
        "∃ s ∈ Switch : forever on[s] = false",
        "Class 1 (only restates the property)",
        "1 step, for ever, s = Left",
        "Why every part is needed",
        "cladist classify switches.sts -p all_on",
    ] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
}
