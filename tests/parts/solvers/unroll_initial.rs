//! Tests of `solvers::unroll::initial`.

use kit::budget::Budget;
use lang::model::load_text;
use solvers::sat::{Backend, Circuit};
use solvers::unroll::{Lengths, Unrolling};
use std::io::ErrorKind;

/// The variables of the circuit for the initial state of a model with this `init`.
fn variables(init: &str) -> usize {
    let text = format!(
        "model m;\ntype Key = 1..2;\ntype R = record {{ a: Key, b: option Key }};\n\
         var r: option R;\nvar m: map Key to option Key;\nvar s: option set of Key;\nvar q: R;\nvar b: bool;\n\
         init {{ {init} }}\naction a {{ b' = not b; }}\ninvariant p: b;\n"
    );
    let loaded = load_text("m.sts", &text, &[], &|_| Err(ErrorKind::NotFound.into()));
    let model = loaded.model.expect("a model");
    let circuit = Circuit::new(Backend::Cadical.start(&Budget::unlimited()));
    Unrolling::new(&model, Lengths::UpTo(1), circuit).circuit.variables()
}

#[test]
fn what_is_absent_is_a_constant() {
    let given = "r = none; s = none; forall k in Key: m[k] = none; q.a = 1; q.b = none; not b;";
    assert_eq!(variables(given), 1, "the constant true only");
    assert!(variables(&given.replace("r = none;", "")) > 1);
}
