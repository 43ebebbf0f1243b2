//! Corners where the encoding and the reference semantics once disagreed: values outside their type
//! inside composites, and optional truth values below absent ones.

use cladist::budget::Budget;
use cladist::model::{Model, eval, load_text};
use cladist::sat::Backend;
use cladist::unroll::{Checked, Lengths, check};

/// A model whose one action sets x and b at will, so that every combination occurs.
fn model(invariant: &str) -> Model {
    let text = format!(
        "model corner;
         type E = enum {{ P, Q }};
         type R = record {{ f: 0..2 }};
         type O = record {{ flag: option bool, other: bool }};
         var x : 0..2;
         var b : bool;
         var s : map R to bool;
         var r : option O;
         var om : option map E to option bool;
         init {{ x = 0; b = false; forall k in R: s[k] = true; r = none; om = none; }}
         action pick(n: 0..2, v: bool) {{ x' = n; b' = v; }}
         action give(v: bool) {{ r' = O(flag: v, other: v); }}
         action change {{ r' = r with (flag: b); }}
         action maps {{ om' = if b then (map e in E: b) else none; }}
         invariant i: {invariant};"
    );
    let loaded = load_text("corner.sts", &text, &[], &|_| Err(std::io::ErrorKind::NotFound.into()));
    let errors: Vec<_> = loaded.diagnostics.iter().filter(|d| d.is_error()).collect();
    assert!(errors.is_empty(), "{invariant}: {errors:?}");
    loaded.model.expect("no errors")
}

#[test]
fn corners_agree_with_the_reference_semantics() {
    let invariants = [
        "not (x = 2 and size({ R(f: x + 1) }) = 1)",
        "not (x = 2 and s[R(f: x + 1)] = true)",
        "x = 2 => s[R(f: x + 1)] is none",
        "exists q in { R(f: x + 1) }: q.f = x + 1",
        "r is none => not (r.flag = false)",
        "(r with (flag: b)) is none => (r with (flag: b)).flag is none",
        "om is none => om[P] is none",
        "om is some => om[Q] = true",
        "not (r is some and r.flag = false and b)",
        "(map e in E: map k in E: b and e = P and k = Q)[P][Q] <=> b",
        "not ((map e in E: map k in E: b and e = P and k = Q)[P][Q])",
        "(map n in 0..2: n = x)[x] = true",
        "(map n in 0..2: n = x)[2] = true => b",
        "(map n in 0..1: n < x)[x] is some",
        "(map e in E: { n in 0..2 : n = x and e = P })[P] = { x }",
        "P in { e in E : x = 2 } => not b",
        "P in (map e in E: { k in E : k = e and b })[P] <=> b",
        "Q in (map e in E: { k in E : k = e and b })[P] or x < 2",
        "forall q in E: (q in { e in E : e = P or b } <=> q = P or b)",
        "2 in { n in 0..1 : b } or x < 1",
    ];
    let mut violated = 0;
    for text in invariants {
        let model = model(text);
        let invariant = model.properties[0].invariant().expect("an invariant");
        let expected = cladist::explore::shortest_violation(&model, invariant, 3, 100_000).expect("small");
        for backend in [Backend::Cadical, Backend::Varisat] {
            match (
                check(&model, invariant, Lengths::UpTo(3), backend, &Budget::unlimited(), &mut ()),
                &expected,
            ) {
                (Checked::Holds, None) => {}
                (Checked::Violated(trace), Some(other)) => {
                    violated += 1;
                    assert_eq!(trace.len(), other.len(), "{text}");
                    let last = eval::first_violation(&model, invariant, &trace.moments);
                    assert_eq!(last, Some(trace.len()), "{text}");
                }
                (found, expected) => panic!("{text}: {found:?}, but exploration gives {expected:?}"),
            }
        }
    }
    assert!(violated >= 4, "only {violated} violations: the cases say little");
}
