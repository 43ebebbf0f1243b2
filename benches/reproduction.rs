//! The case studies of C. Vick, E. Kang and S. Tripakis, *Counterexample classification* (2023), Tables 1 and
//! 2, on the models of `specs/paper/`: whole classifications of traces of exactly so many states, with the
//! number of classes checked. `docs/notes/reproduction.md` sets the figures beside those of the article.
//!
//! `cargo bench --bench reproduction`, or a part: `cargo bench --bench reproduction -- table_1`.

use cladist::budget::Budget;
use cladist::classify::{Options, Problem, Verdict, classify};
use cladist::model::{Model, load};
use cladist::unroll::Lengths;
use divan::Bencher;
use std::path::Path;

fn main() {
    divan::main();
}

/// One row of a table, but for its bound.
struct Row {
    model: &'static str,
    vocabulary: &'static str,
    /// Whether redundant classes are kept, so that each predicate has one.
    keep_redundant: bool,
}

impl Row {
    const fn plain(model: &'static str, vocabulary: &'static str) -> Self {
        Self { model, vocabulary, keep_redundant: false }
    }

    const fn with_attacks(model: &'static str, vocabulary: &'static str) -> Self {
        Self { model, vocabulary, keep_redundant: true }
    }
}

const SYMMETRIC: Row = Row::plain("ns_symmetric", "generic");
const SYMMETRIC_V1: Row = Row::with_attacks("ns_symmetric", "v1");
const PUBLIC_KEY: Row = Row::plain("ns_public_key", "generic");
const PUBLIC_KEY_V2: Row = Row::with_attacks("ns_public_key", "v2");
const WITH_STATE_OF_B: Row = Row::plain("tcp", "with_state_of_b");
const WITHOUT_STATE_OF_B: Row = Row::plain("tcp", "without_state_of_b");

fn model(name: &str) -> Model {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/paper");
    load(&folder.join(name).with_extension("sts"), &[]).model.expect("the models of specs/paper/ are right")
}

/// Classifies; `classes` is `None` where the vocabulary is known to be too weak.
fn run(bencher: Bencher, row: &Row, states: usize, classes: Option<usize>) {
    let model = model(row.model);
    let problem = Problem::first(&model).expect("an invariant");
    let vocabulary = &model.vocabularies[model.vocabulary(row.vocabulary).expect("a vocabulary")];
    let options = Options { keep_redundant: row.keep_redundant, ..Options::of(Lengths::Exactly(states - 1)) };
    bencher.bench_local(|| {
        let result = classify(problem, vocabulary, &options, &Budget::unlimited(), &mut ());
        match classes {
            Some(number) => {
                assert_eq!(result.verdict, Verdict::Complete);
                assert_eq!(result.classes.len(), number);
            }
            None => assert!(matches!(result.verdict, Verdict::TooWeak(_))),
        }
    });
}

#[divan::bench(args = [10, 15, 20, 25, 50, 100], sample_count = 5)]
fn table_1_symmetric_generic(bencher: Bencher, states: usize) {
    run(bencher, &SYMMETRIC, states, Some(2));
}

#[divan::bench(args = [10, 15, 20, 25], sample_count = 5)]
fn table_1_symmetric_v1(bencher: Bencher, states: usize) {
    run(bencher, &SYMMETRIC_V1, states, Some(3));
}

#[divan::bench(args = [10, 15, 20, 25, 50, 100], sample_count = 5)]
fn table_1_public_key_generic(bencher: Bencher, states: usize) {
    run(bencher, &PUBLIC_KEY, states, Some(2));
}

#[divan::bench(args = [10, 15, 20, 25], sample_count = 5)]
fn table_1_public_key_v2(bencher: Bencher, states: usize) {
    run(bencher, &PUBLIC_KEY_V2, states, Some(4));
}

#[divan::bench(args = [7, 8, 9, 10, 25], sample_count = 5)]
fn table_2_with_state_of_b(bencher: Bencher, states: usize) {
    run(bencher, &WITH_STATE_OF_B, states, Some(1));
}

#[divan::bench(args = [7, 8, 9, 10], sample_count = 5)]
fn table_2_without_state_of_b(bencher: Bencher, states: usize) {
    run(bencher, &WITHOUT_STATE_OF_B, states, (states <= 8).then_some(1));
}
