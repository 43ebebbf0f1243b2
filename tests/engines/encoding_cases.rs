//! Corners where the encoding and the reference semantics once disagreed: values outside their type
//! inside composites, and optional truth values below absent ones.

use crate::explore_cases::shortest_violation;
use cladist::budget::Budget;
use cladist::model::{Model, Position, eval, load_text};
use cladist::sat::{Answer, Backend, Circuit};
use cladist::unroll::{BoundedResult, Lengths, Unrolling, check};

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
        "x = 2 => (let y = x + 1 in (sum e in E: if s[R(f: y)] is none then y else 0)) = 6",
        "(sum n in 0..x: n) = 3 => x = 2 and b",
        "(min n in { n in 0..2 : n > x }: n) is some or x = 2",
        "(max n in { n in 0..2 : n > x }: n) is none => x < 2",
        "(min e in { e in E : e = Q or b }: e) = P <=> b",
        "(min n in 0..2: if r.flag = true then n else none) is none => r.flag is none or b",
        "max(x, if r is some then 1 else none) >= 1 or r is none",
        "if x < 2 then s[R(f: x + 1)] else b",
        "(count e in E: om[e] = true) in {0, 2}",
        "(let k = x + 1 in if k <= 2 then (map n in 0..2: n < 2)[k] else b) or x = 1",
    ];
    let mut violated = 0;
    for text in invariants {
        let model = model(text);
        let invariant = model.properties[0].invariant().expect("an invariant");
        let expected = shortest_violation(&model, invariant, 3);
        for backend in [Backend::Cadical, Backend::Varisat] {
            match (
                check(&model, invariant, Lengths::UpTo(3), backend, &Budget::unlimited(), &mut ()),
                &expected,
            ) {
                (BoundedResult::Holds, None) => {}
                (BoundedResult::Violated(trace), Some(other)) => {
                    violated += 1;
                    assert_eq!(trace, *other, "{text}");
                    let last = eval::first_violation(&model, invariant, &trace.moments);
                    assert_eq!(last, Some(trace.last()), "{text}");
                }
                (found, expected) => panic!("{text}: {found:?}, but exploration gives {expected:?}"),
            }
        }
    }
    assert!(violated >= 4, "only {violated} violations: the cases say little");
}

/// What a formula costs: gates that do not multiply with each member.
#[test]
fn sums_and_numbers_of_members_stay_small() {
    let gates = |invariant: &str| {
        let text = format!(
            "model many; type N = 1..30; type Few = 1..12;
             var flag : map N to bool; var k : map Few to 0..3; var s : set of N;
             invariant i: {invariant};"
        );
        let loaded = load_text("many.sts", &text, &[], &|_| Err(std::io::ErrorKind::NotFound.into()));
        let model = loaded.model.expect("no errors");
        let circuit = Circuit::new(Backend::Cadical.start(&Budget::unlimited()));
        let mut unrolling = Unrolling::from_any_state(&model, circuit);
        let before = unrolling.circuit.gates();
        let invariant = model.properties[0].invariant().expect("an invariant");
        let holds = unrolling.state_truth(invariant, Position::FIRST);
        assert_eq!(unrolling.circuit.solve(&[!holds]), Answer::Unsat, "{invariant:?}");
        unrolling.circuit.gates() - before
    };
    let cases = [
        ("(count n in N: flag[n]) <= 30 and not (count n in N: flag[n]) < 0", 2_500),
        ("(sum x in Few: k[x]) <= 36", 3_000),
        ("(count n in N: n in s) = size(s)", 2_500),
        ("(sum n in s: 1) = size(s)", 2_500),
        ("(max x in Few: k[x]) = 3 <=> exists x in Few: k[x] = 3", 200),
    ];
    for (invariant, most) in cases {
        let found = gates(invariant);
        assert!(found <= most, "{found} gates for {invariant}");
    }
}

/// Removing from a bag moves elements, so that what is absent is selected from lists of values as well as from truth values.
#[test]
fn truth_values_of_elements_that_are_gone_are_neither() {
    let spec = include_str!("../../specs/lossy_link.sts");
    let gone = ["link[0].bit is none", "not (link[0].bit = true)", "not (link[0].bit = false)"];
    for (index, formula) in [0, 1].into_iter().flat_map(|index| gone.map(|formula| (index, formula))) {
        let formula = formula.replace('0', &index.to_string());
        let text = format!("{spec}\ninvariant gone: size(link) > {index} or {formula};\n");
        let loaded = load_text("m.sts", &text, &[], &|_| Err(std::io::ErrorKind::NotFound.into()));
        let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
        let property = &model.properties[model.property("gone").expect("a property")];
        let invariant = property.invariant().expect("an invariant");
        let checked =
            check(&model, invariant, Lengths::UpTo(10), Backend::Cadical, &Budget::unlimited(), &mut ());
        assert_eq!(checked, BoundedResult::Holds, "{formula}");
    }
}
