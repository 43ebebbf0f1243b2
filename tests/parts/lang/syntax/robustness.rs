//! No text makes the parser panic, overflow the stack or take more than linear time.

use super::accepted::SAMPLES;
use kit::diagnostics::{SourceId, SourceMap, render};
use kit::parsing::MAX_HEIGHT;
use lang::syntax::token::{FOREIGN_SIGNS, FOREIGN_WORDS, SIGNS, WORDS};
use lang::syntax::{parse, parse_expression, print};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Parses, prints what was read, and renders what was wrong. Also checks that places are in the text.
fn survive(text: &str) -> usize {
    let mut sources = SourceMap::new();
    let source = sources.add("t", text);
    let (file, diagnostics) = parse(source, text);
    let _ = print(&file);
    for diagnostic in &diagnostics {
        let span = diagnostic.span.expect("every syntax mistake has a place");
        assert!(diagnostic.help.is_some(), "no help in {diagnostic:?}\n{text}");
        assert!(
            span.start <= span.end && text.get(span.start as usize..span.end as usize).is_some(),
            "{diagnostic:?}"
        );
        let _ = render(diagnostic, &sources, false);
    }
    let _ = parse_expression(source, text);
    diagnostics.len()
}

#[test]
fn deep_nesting_is_an_error() {
    // Without optimisation, a level of nesting takes a lot of stack.
    let test = std::thread::Builder::new().stack_size(64 << 20).spawn(deep_nesting);
    test.expect("a thread").join().expect("no mistake");
}

fn deep_nesting() {
    let n = 10_000;
    let repeated = |open: &str, middle: &str, close: &str| open.repeat(n) + middle + &close.repeat(n);
    let expressions = [
        repeated("(", "a", ")"),
        "(".repeat(n),
        repeated("{", "a", "}"),
        repeated("f(", "a", ")"),
        repeated("a[", "a", "]"),
        repeated("some(", "a", ")"),
        repeated("not ", "a", ""),
        repeated("! ", "a", ""),
        repeated("- ", "a", ""),
        repeated("always ", "a", ""),
        repeated("a => ", "a", ""),
        repeated("a + ", "a", ""),
        repeated("a and ", "a", ""),
        repeated("a = ", "a", ""),
        repeated("a", "", ".f"),
        repeated("", "a", "[k]"),
        repeated("", "a", "@t"),
        repeated("", "a", "'"),
        repeated("", "a", " with (f: 1)"),
        repeated("R(f: ", "a", ")"),
        repeated("if a then b else ", "a", ""),
        repeated("if ", "a", " then b else c"),
        repeated("forall x in S: ", "a", ""),
        repeated("forall x in (", "a", "): a"),
        repeated("{ x in S : ", "a", "}"),
        repeated("A[a U ", "b", "]"),
        repeated("a@(", "t", ")"),
    ];
    for text in &expressions {
        let start = &text[..20];
        assert!(!parse_expression(SourceId(0), text).1.is_empty() || text.len() == n + 2 * n, "{start}");
        let found = parse(SourceId(0), &format!("model m; invariant i: {text};\nvar x : bool")).1;
        assert!(found.len() >= 2, "{start}: {found:?}");
    }
    let types =
        [repeated("set of ", "T", ""), repeated("record { f: ", "T", "}"), repeated("map T to ", "T", "")];
    for text in &types {
        assert!(survive(&format!("model m; type T = {text};")) > 0);
    }
    let statements = [
        repeated("if a {", "", "}"),
        repeated("if a {} else ", "{}", ""),
        repeated("forall x in T {", "", "}"),
    ];
    for text in &statements {
        assert!(survive(&format!("model m; action a {{ {text} }}")) > 0);
    }
}

#[test]
fn chains_may_be_as_long_as_the_limit() {
    let chain = |n: usize| vec!["a"; n].join(" + ");
    assert_eq!(parse_expression(SourceId(0), &chain(MAX_HEIGHT - 10)).1, []);
    assert_eq!(parse_expression(SourceId(0), &chain(MAX_HEIGHT + 10)).1.len(), 1);
}

#[test]
fn mistakes_in_many_deep_lines_are_all_reported() {
    let deep = "(".repeat(150) + "a" + &")".repeat(150);
    let choice = "if a then ".repeat(90) + "b" + &" else c".repeat(90);
    let line =
        format!("invariant i: {deep} = ({choice});\ninvariant j: a b;\nvar x = 3; action a {{ x' = ( }}\n");
    let text = format!("model m;\n{}", line.repeat(300));
    assert!(survive(&text) >= 600);
}

#[test]
fn every_beginning_and_every_omission_of_the_samples() {
    for sample in SAMPLES {
        for at in (0..sample.len()).step_by(7).filter(|&at| sample.is_char_boundary(at)) {
            survive(&sample[..at]);
        }
        let words: Vec<&str> = sample.split_inclusive([' ', '\n', '(', ')', ';', '\'', '{', '}']).collect();
        for left_out in (0..words.len()).step_by(3) {
            let text: String =
                words.iter().enumerate().filter(|(at, _)| *at != left_out).map(|(_, w)| *w).collect();
            survive(&text);
        }
    }
}

fn any_token() -> impl Strategy<Value = String> {
    let foreign = FOREIGN_SIGNS.iter().chain(FOREIGN_WORDS).map(|foreign| foreign.text);
    let others = [
        "x",
        "next",
        "size",
        "A",
        "E",
        "U",
        "12",
        "99999999999999999999",
        "\"p\"",
        "\"",
        "// c",
        "/// d",
        "$",
        "é",
    ];
    let mut all: Vec<&str> = WORDS.iter().chain(SIGNS).copied().chain(foreign).chain(others).collect();
    // Brackets and separators decide where reading goes on.
    all.extend([";", ";", ",", "(", ")", "{", "}", "[", "]", "x", "x", "=", "'"].repeat(6));
    prop::sample::select(all).prop_map(str::to_string)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text(text in any::<String>()) {
        survive(&text);
    }

    #[test]
    fn any_tokens(tokens in prop::collection::vec(any_token(), 0..60), newlines in any::<bool>()) {
        let text = tokens.join(if newlines { "\n" } else { " " });
        survive(&text);
        survive(&format!("model m; action a {{ {text} }}"));
        survive(&format!("model m; invariant i: {text};"));
    }
}
