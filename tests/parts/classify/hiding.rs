//! Tests of `classify::hiding`.

use classify::facts::problem::Problem;
use classify::results::result::Verdict;
use classify::search::hiding::*;
use classify::{Options, classify};
use kit::budget::Budget;
use lang::model::load_text;
use std::io::ErrorKind;

/// What to hide so that no class restates that `a` and `c` are never true at once.
fn hidden(vocabulary: &str) -> Vec<String> {
    let text = format!(
        "model m; var a: bool; var b: bool; var c: bool; init {{ not a; not b; not c; }}
             action one {{ b' = true; }} action two {{ require b; c' = true; }}
             action three {{ a' = true; }} action four {{ c' = false; }}
             invariant safe: not (a and c); vocabulary v = {{ {vocabulary} }};"
    );
    let loaded = load_text("m.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
    let model = loaded.model.expect("no mistakes");
    let (problem, vocabulary) = (Problem::first(&model).expect("an invariant"), &model.vocabularies[0]);
    let (options, budget) = (Options::default(), Budget::unlimited());
    let result = classify(problem, vocabulary, &options, &budget, &mut ());
    assert_eq!(result.verdict, Verdict::Complete);
    names_to_hide(problem, vocabulary, &result, &options, &budget)
}

#[test]
fn what_restates_the_property_is_to_be_hidden_if_the_rest_suffices() {
    assert_eq!(hidden("eq(a, b, c, action), absent(action), before"), ["a", "c"]);
    // Nothing is left, or what is left is too weak.
    assert!(hidden("eq(a, c)").is_empty());
    assert!(hidden("eq(a, b, c)").is_empty());
}
