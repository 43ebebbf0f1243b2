//! Tests of `verify::notation`.

use lang::model::{
    FactText, LassoFactText, LassoFormulaText, ParameterText, Recurrence, SaidText, TraceFormulaText,
};
use verify::notation::*;

fn formula(texts: &[(&str, bool)]) -> LassoFormulaText {
    let said = texts.iter().map(|(text, holds)| SaidText { text: (*text).to_owned(), holds: *holds });
    let fact = LassoFactText { when: Recurrence::Again, at: vec![said.collect()], after: Vec::new() };
    let individual = ParameterText { name: "p_".to_owned(), ty: "Process".to_owned() };
    LassoFormulaText {
        individuals: vec![individual],
        position: "t".to_owned(),
        facts: vec![fact],
        distinct: Vec::new(),
    }
}

fn whole(constraint: &str, formula: &LassoFormulaText) -> Result<(), String> {
    agree_on_lassos(constraint, (formula, false), None)
}

#[test]
fn what_parentheses_and_underscores_tell_apart_is_not_the_same() {
    let several = formula(&[("is_up(t)", true), ("waits(t, p_) or done@t", false)]);
    let right = "∃ p ∈ Process : again (is_up ∧ not (waits(p) or done))";
    assert_eq!(whole(right, &several), Ok(()));
    let others = [
        "∃ p ∈ Process : again is_up ∧ not (waits(p) or done)",
        "∃ p ∈ Process : again (is_up ∧ not waits(p) or done)",
        "∃ p ∈ Process : again (isup ∧ not (waits(p) or done))",
        "∃ p ∈ Process : again (is_up ∧ not (waits_(p) or done))",
        "∃ p ∈ Process : again (is_up ∧ not (waits p or done))",
    ];
    for other in others {
        assert!(whole(other, &several).is_err(), "{other}");
    }
}

#[test]
fn messages_name_individuals_as_constraints_do() {
    let one = formula(&[("waits_[p_]@t", true)]);
    let message = "`∃ q ∈ Process : again waits_[q]` differs from its formula: \
                   `∃ p ∈ Process : again waits_[p]`";
    assert_eq!(whole("∃ q ∈ Process : again waits_[q]", &one), Err(message.to_owned()));
}

#[test]
fn spaces_signs_parentheses_and_names_of_individuals_are_put_differently() {
    let one = formula(&[("((at[p_]))@t != (Idle)", true)]);
    assert_eq!(whole("∃ p ∈ Process : again at[p] ≠  Idle", &one), Ok(()));
    assert!(whole("∃ p ∈ Process : again at[q] ≠ Idle", &one).is_err());
    assert!(whole("∃ p ∈ Process : again not at[p] ≠ Idle", &one).is_err());
}

#[test]
fn compound_observables_are_compared_as_expressions() {
    let parameters = vec![ParameterText { name: "i".into(), ty: "pos".into() }];
    let of = |holds: &str| TraceFormulaText {
        parameters: parameters.clone(),
        facts: vec![FactText { holds: holds.into(), nowhere: None }],
        of_each: false,
    };
    for (text, holds) in [
        ("size(knows)@i = 2", "(size(knows))@i = 2"),
        ("(x + 1)@i = 4", "((x + 1))@i = 4"),
        ("q((x + 1)@i)", "q(((x + 1))@i)"),
    ] {
        assert_eq!(agree(&format!("∃ i ∈ [0..len(ρ)] : {text}"), &of(holds), Some(&[text])), Ok(()));
    }
    let other = agree("∃ i ∈ [0..len(ρ)] : (x + 2)@i = 4", &of("((x + 1))@i = 4"), None);
    assert!(other.is_err());
}
