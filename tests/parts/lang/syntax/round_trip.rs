//! What is printed reads back as the same tree, and prints the same again.

use super::accepted::SAMPLES;
use super::generate::Generator;
use super::{accept, accept_expression, without_spans};
use lang::syntax::{print, print_expression};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

#[test]
fn samples() {
    for sample in SAMPLES {
        let file = accept(sample);
        let text = print(&file);
        let again = accept(&text);
        assert_eq!(without_spans(&again), without_spans(&file), "{text}");
        assert_eq!(print(&again), text);
    }
}

#[test]
fn canonical_text() {
    let cases = [
        "(a or b) and c",
        "a => b => c",
        "(a => b) => c",
        "a - (b - c)",
        "not (a and b)",
        "a = (not b)",
        "a and forall x in S: b or c",
        "(forall x in S: b) or c",
        "a otherwise b otherwise c",
        "-(-a)",
        "(a + b).f[k]",
        "x'[k]",
        "always (p => eventually q)",
        "(0..3) = S",
        "{ x in S : x > 1 }",
        "x@(t + 1)",
        "(a = b)@t",
        "if a then b else c",
        "1 + (if a then b else c) + d",
        "A[p U q]",
        "a with (f: 1, g: none)",
        "map x in 0..3: x + 1",
        "size({}) = 0",
        "(a < b) = c",
        "x not in S",
    ];
    for text in cases {
        // Parentheses that say nothing disappear.
        let expected = if text == "(0..3) = S" { "0..3 = S" } else { text };
        assert_eq!(print_expression(&accept_expression(text)), expected);
    }
    let file = "/// About.\nmodel m;\n\nvar x : bool;\nvar y : map T to option 0..3;\n\n\
                action a(p, q: T, r: bool) modifies x, y {\n  if a {\n    x' = b;\n  } else if c {} else {\n    \
                y'[k].f in S;\n  }\n}\n";
    assert_eq!(print(&accept(file)), file);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_files(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let file = Generator::new(&bytes).file();
        let text = print(&file);
        let again = accept(&text);
        prop_assert_eq!(without_spans(&again), without_spans(&file), "{}", text);
        prop_assert_eq!(print(&again), text);
    }

    #[test]
    fn random_expressions(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        let expr = Generator::new(&bytes).expr(6);
        let text = print_expression(&expr);
        let again = accept_expression(&text);
        prop_assert_eq!(without_spans(&again), without_spans(&expr), "{}", text);
        prop_assert_eq!(print_expression(&again), text);
    }
}
