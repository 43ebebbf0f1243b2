//! Tests of `explicit::mucalc::label`.

use explicit::mucalc::DataValue;
use explicit::mucalc::label::*;

#[test]
fn labels_have_parts() {
    let shown = |text: &str| {
        let parts: Vec<String> = actions(text)
            .iter()
            .map(|a| {
                let values: Vec<String> = a.arguments.iter().map(DataValue::to_string).collect();
                format!("{}<{}>", a.name, values.join(";"))
            })
            .collect();
        parts.join("|")
    };
    for (text, parts) in [
        ("a", "a<>"),
        ("send(1,true)", "send<1;true>"),
        ("SEND !1 !TRUE !PAIR (RED, 2)", "SEND<1;true;PAIR(RED, 2)>"),
        ("b([x, -2])|a(f(1))", "a<f(1)>|b<[x, -2]>"),
        ("enter(p=P, q=3)", "enter<P;3>"),
        ("tau", ""),
        ("i", ""),
        ("what is this?", ""),
        ("a(1/2, {x: 1, y: 2})", "a<1/2;{x: 1, y: 2}>"),
        ("a(lambda n: Nat. n, f(0.5))", "a<lambda n: Nat. n;f(0.5)>"),
        ("send(m=Msg { from: A, to: B }, n=0.5)", "send<Msg { from: A, to: B };0.5>"),
        ("SEND !0.5 !x.y (1)", "SEND<0.5;x.y (1)>"),
        ("a({2, 1, 2})", "a<{1, 2}>"),
        ("a({2: 1, 1: 1, 2: 1})", "a<{2: 1, 1: 1, 2: 1}>"),
        ("a({n: Nat | n < 3}, {f(b): 2})", "a<{n: Nat | n < 3};{f(b): 2}>"),
        ("a(1", ""),
    ] {
        assert_eq!(shown(text), parts, "{text}");
    }
}
