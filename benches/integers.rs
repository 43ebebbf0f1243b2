//! Bounded checks of models that compute with integers of small and large ranges.
//!
//! `cargo bench --bench integers`; each model once with the range in its text, and once with a million values.

use cladist::budget::Budget;
use cladist::model::{Model, load};
use cladist::sat::Backend;
use cladist::unroll::{BoundedResult, Lengths, check};
use divan::Bencher;
use std::path::Path;

/// Traces of up to this many steps.
const BOUND: usize = 10;

fn main() {
    divan::main();
}

fn model(name: &str, large: bool) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/models").join(name).with_extension("sts");
    let setting = [("N".to_owned(), "1000000".to_owned())];
    load(&path, if large { &setting } else { &[] }).model.expect("the models are right")
}

#[divan::bench(args = [("parity", false), ("parity", true), ("accounts", false), ("accounts", true), ("timer", false), ("timer", true)])]
fn bounded_check(bencher: Bencher, (name, large): (&str, bool)) {
    let model = model(name, large);
    let invariant = model.properties[0].invariant().expect("an invariant");
    bencher.bench(|| {
        let lengths = Lengths::UpTo(BOUND);
        let checked = check(&model, invariant, lengths, Backend::Cadical, &Budget::unlimited(), &mut ());
        assert_eq!(checked, BoundedResult::Holds);
    });
}
