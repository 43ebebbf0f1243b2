//! The layout: only white space changes, comments stay between the tokens where they are, and a second time nothing changes.

use super::accepted::SAMPLES;
use super::generate::Generator;
use super::{accept, without_spans};
use kit::diagnostics::SourceId;
use lang::syntax::lexer::{LexedModel, lex};
use lang::syntax::token::SyntaxKind;
use lang::syntax::{format, print};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::path::{Path, PathBuf};

/// The comments of a text, each with the number of tokens before it.
fn comments(text: &str) -> Vec<(usize, String)> {
    let LexedModel { tokens, comments, .. } = lex(SourceId(0), text);
    let before = |start: usize| tokens.iter().filter(|token| (token.span.start as usize) < start).count();
    comments.iter().map(|comment| (before(comment.start), comment.text.to_owned())).collect()
}

/// Lays out a text that can be read, and checks what always holds.
fn laid_out(text: &str) -> String {
    let result = format(text).unwrap_or_else(|mistakes| panic!("{mistakes:?}\n{text}"));
    assert_eq!(without_spans(&accept(&result)), without_spans(&accept(text)), "{text}\nbecame\n{result}");
    assert_eq!(comments(&result), comments(text), "{text}\nbecame\n{result}");
    assert_eq!(format(&result).expect("a text without mistakes"), result, "{text}");
    assert!(result.lines().all(|line| line.trim_end() == line), "{result}");
    assert!(!result.contains("\n\n\n"), "{result}");
    result
}

/// The models, libraries and components below a folder of the repository.
fn files(folder: &str) -> Vec<PathBuf> {
    let (mut folders, mut found) = (vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let ending = path.extension().and_then(|ending| ending.to_str());
            if path.is_dir() {
                folders.push(path);
            } else if matches!(ending, Some("sts" | "pred")) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The text with gaps between its tokens that `choose` selects, and its comments as they are.
fn scattered(text: &str, mut choose: impl FnMut() -> u8) -> String {
    const GAPS: [&str; 8] =
        [" ", " ", "\n", "\n\n\n", "\t// one\n", " // two  \n\n", "\n  // three\r\n // four: \"\n", "\r\n"];
    let LexedModel { tokens, .. } = lex(SourceId(0), text);
    let mut out = String::new();
    for token in tokens.iter().filter(|token| token.kind != SyntaxKind::End) {
        out.push_str(GAPS[usize::from(choose()) % GAPS.len()]);
        for line in token.doc.iter().flat_map(|doc| doc.split('\n')) {
            out.push_str(&format!("\n/// {line}\n"));
        }
        out.push_str(token.text);
    }
    out.push_str(GAPS[usize::from(choose()) % GAPS.len()]);
    out
}

#[test]
fn models_and_libraries_of_the_repository_are_laid_out() {
    let files: Vec<PathBuf> = ["specs", "predicates"].into_iter().flat_map(files).collect();
    assert!(files.len() > 30);
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a text");
        assert!(laid_out(&text) == text, "{} is laid out differently: use `cladist fmt`", path.display());
        assert_eq!(laid_out(&text.replace('\n', "\r\n")), text);
    }
}

#[test]
fn comments_between_any_two_tokens_stay() {
    let mut number = 1_u64;
    let mut choose = || {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (number >> 56) as u8
    };
    for path in ["specs", "predicates"].into_iter().flat_map(files) {
        let text = std::fs::read_to_string(&path).expect("a text");
        laid_out(&scattered(&text, &mut choose));
    }
    for sample in SAMPLES {
        laid_out(sample);
        laid_out(&scattered(sample, &mut choose));
    }
}

#[test]
fn white_space_is_canonical_and_comments_stay() {
    let text = "// first
/// About.
model m ;   // the header


import \"a.pred\"   as a with { T=Thing,x = f ( y ) }; symmetric type Thing= enum{A,B,
C} ;
const N:0..3=2; const   LONGER  : bool   = true;     // wide
var x  : bool;
/// About y.
var other : map Thing to seq of 0..- 1 max ( N+1 );
init { x = true ; } // flat
init{
x = true; other[ A ] = [ ] ;// here

// last
}
action none_yet{
}
action a( t :Thing , b : bool )   modifies x,other
{

  require - N<3 and not(x) and // why
 (t=A) and size({A,B})=2;
    if x { x'=false; } else { x'=true;
// nothing else
} if b { x' = { s in S:s } = {}; } else   if x {}
  other'[ t ] = other [ t ]  with( f:1 );
  forall s in Thing { other'[s] . f in { } ; }
  match t { A => { x' = true; }, else=>{ x' = false; } }
}
ctl c : AG x   and EG { x,b }   y and A[ x U (y) ];
ltl l : x release ( y ) and next ( x ) ;
pred p( i , j:pos ) = x @ i and
x@( i+1 );
vocabulary v={
eq( x ) across , p,
before } + w;
";
    let expected = "// first
/// About.
model m;    // the header

import \"a.pred\" as a with { T = Thing, x = f(y) };
symmetric type Thing = enum { A, B,
  C };
const N      : 0..3 = 2;
const LONGER : bool = true;                          // wide
var x     : bool;
/// About y.
var other : map Thing to seq of 0..-1 max (N + 1);
init { x = true; } // flat
init {
  x = true;
  other[A] = []; // here

  // last
}
action none_yet {}
action a(t: Thing, b: bool) modifies x, other {
  require -N < 3 and not (x) and // why
    (t = A) and size({ A, B }) = 2;
  if x { x' = false; } else {
    x' = true;
    // nothing else
  }
  if b { x' = { s in S : s } = {}; } else if x {}
  other'[t] = other[t] with (f: 1);
  forall s in Thing { other'[s].f in {}; }
  match t { A => { x' = true; }, else => { x' = false; } }
}
ctl c: AG x and EG{x, b} y and A[x U (y)];
ltl l: x release (y) and next (x);
pred p(i, j: pos) = x@i and
  x@(i + 1);
vocabulary v = {
  eq(x) across, p,
  before } + w;
";
    assert_eq!(laid_out(text), expected);
    assert_eq!(laid_out("\u{feff}model m;// only"), "model m; // only\n");
}

#[test]
fn declarations_that_come_into_one_column_are_aligned_at_once() {
    let text = "model m;\nvar a : T;\nvar abc : T;\n\nvar x     : T;\nvar abz : T;\n";
    let expected = "model m;\nvar a   : T;\nvar abc : T;\n\nvar x   : T;\nvar abz : T;\n";
    assert_eq!(laid_out(text), expected);
}

#[test]
fn wide_lines_are_broken_where_they_bind_least() {
    let names = |prefix: &str, n: usize| (10..10 + n).map(|at| format!("{prefix}{at}")).collect::<Vec<_>>();
    let text = format!(
        "model m;\nvocabulary v = {{ {} }};\npred p(i: pos) = {};\ndef d(a: T): bool = forall x in T: {} => {};\n\
         action a {{ require {}; }}\n",
        names("item_", 20).join(", "),
        names("condition_", 4).join(" and "),
        names("before_", 8).join(" or "),
        names("after_", 16).join(" and "),
        names("argument_", 12).join(" and ")
    );
    let expected = "model m;
vocabulary v = {
  item_10, item_11, item_12, item_13, item_14, item_15, item_16, item_17, item_18, item_19, item_20, item_21, item_22,
  item_23, item_24, item_25, item_26, item_27, item_28, item_29
};
pred p(i: pos) = condition_10 and condition_11 and condition_12 and condition_13;
def d(a: T): bool =
  forall x in T:
    before_10 or before_11 or before_12 or before_13 or before_14 or before_15 or before_16 or before_17
    => after_10 and after_11 and after_12 and after_13 and after_14 and after_15 and after_16 and after_17 and after_18
    and after_19 and after_20 and after_21 and after_22 and after_23 and after_24 and after_25;
action a {
  require argument_10 and argument_11 and argument_12 and argument_13 and argument_14 and argument_15 and argument_16
    and argument_17 and argument_18 and argument_19 and argument_20 and argument_21;
}
";
    assert_eq!(laid_out(&text), expected);
}

#[test]
fn no_line_begins_with_the_sign_of_a_negation() {
    let sum = (10..24).map(|at| format!("operand{at}")).collect::<Vec<_>>().join(" + ");
    let text = format!("model m;\nvar x : 0..-({sum});\nconst C : int = -({sum});\n");
    let expected = "model m;
var x : 0..-(operand10 + operand11 + operand12 + operand13 + operand14 + operand15 + operand16 + operand17 + operand18
  + operand19 + operand20 + operand21 + operand22 + operand23);
const C : int = -(operand10 + operand11 + operand12 + operand13 + operand14 + operand15 + operand16 + operand17
  + operand18 + operand19 + operand20 + operand21 + operand22 + operand23);
";
    assert_eq!(laid_out(&text), expected);
}

#[test]
fn a_text_with_mistakes_is_refused() {
    assert_eq!(format("model m; var x bool;").expect_err("a colon is missing").len(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_files(
        bytes in prop::collection::vec(any::<u8>(), 0..400),
        gaps in prop::collection::vec(any::<u8>(), 1..50),
    ) {
        let text = print(&Generator::new(&bytes).file());
        laid_out(&text);
        let mut gaps = gaps.iter().cycle();
        laid_out(&scattered(&text, || *gaps.next().unwrap_or(&0)));
    }
}
