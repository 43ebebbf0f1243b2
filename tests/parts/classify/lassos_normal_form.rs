//! Tests of `classify::lassos::normal_form`.

use classify::lassos::normal_form::*;
use lang::model::{PropertyKind, load_text};
use std::io::ErrorKind;

/// The normal forms of formulas about lamps.
fn forms(formulas: &[&str]) -> Vec<NormalForm> {
    let properties: Vec<String> =
        formulas.iter().zip(1..).map(|(formula, n)| format!("ltl p{n}: {formula};")).collect();
    let text = format!(
        "model lamps; type Lamp = enum {{ A, B, C }}; var on : map Lamp to bool; var last : Lamp;
             init {{ forall l in Lamp: not on[l]; last = A; }}
             action turn(l: Lamp) {{ on'[l] = not on[l]; last' = l; }}
             {}",
        properties.join("\n")
    );
    let loaded = load_text("lamps.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let form = |kind: &PropertyKind| match kind {
        PropertyKind::Ltl(formula) => NormalForm::of_formula(formula, &|expr| Some(expr.clone())),
        _ => None,
    };
    model.properties.iter().filter_map(|property| form(&property.kind)).collect()
}

#[test]
fn order_repetition_and_names_make_no_difference() {
    let same = forms(&[
        "(always eventually on[A]) and (eventually always on[B]) and always eventually (on[C] or last = A)",
        "always eventually (last = A or on[C] or on[C]) and ((eventually always on[B]) and always eventually on[A])",
    ]);
    assert_eq!((same.len(), &same[0]), (2, &same[1]));
    let renamed = forms(&[
        "always eventually exists a in Lamp: on[a] and forall b in Lamp: on[b] or last = a",
        "always eventually exists x in Lamp: on[x] and forall a in Lamp: last = x or on[a]",
    ]);
    assert_eq!((renamed.len(), &renamed[0]), (2, &renamed[1]));
    let expanded = forms(&[
        "forall a in Lamp: always eventually exists b in Lamp: on[b] and a != b",
        "forall b in Lamp: always eventually exists a in Lamp: a != b and on[a]",
    ]);
    assert_eq!(expanded.len(), 2);
    assert_ne!(expanded[0], expanded[1], "the sides of an equation are not looked at");
}

#[test]
fn what_may_differ_is_told_apart() {
    let forms = forms(&[
        "always (on[A] => eventually on[B])",
        "always (on[B] => eventually on[A])",
        "on[A] until (on[B] and next on[A])",
        "on[B] until (on[A] and next on[A])",
        "always eventually exists a in Lamp: forall b in Lamp: on[a] or last = b",
        "always eventually exists a in Lamp: forall b in Lamp: on[b] or last = a",
        "(always eventually on[A]) and eventually always on[B]",
        "(always eventually on[A]) or eventually always on[B]",
        "(always eventually on[B]) and eventually always on[A]",
        "if always on[A] then eventually on[B] else eventually on[C]",
        "if always on[A] then eventually on[C] else eventually on[B]",
    ]);
    assert_eq!(forms.len(), 11);
    for (index, form) in forms.iter().enumerate() {
        assert!(!forms[..index].contains(form), "{index}");
    }
}
