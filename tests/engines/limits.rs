//! Budgets end the encoding of models that are too large to be encoded. The bounds are generous: what is tested is that
//! the end comes, not how quickly.

use crate::model_common;

use cladist::budget::{Budget, Exhausted};
use cladist::sat::Backend;
use cladist::unroll::{BoundedResult, Lengths, check};
use model_common::load;
use std::time::{Duration, Instant};

/// A check of the first property for a second ends by its time, and takes a minute at most.
fn ends_after_a_second(text: &str, lengths: Lengths) {
    let model = load(text, &[]).model.expect("a model without errors");
    let invariant = model.properties[0].invariant().expect("an invariant");
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(1)).with_memory(8 << 30);
    let begin = Instant::now();
    let checked = check(&model, invariant, lengths, Backend::Cadical, &budget, &mut ());
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
    assert!(matches!(checked, BoundedResult::Undecided { why: Exhausted::Time, .. }), "{checked:?}");
}

#[test]
fn a_bound_is_not_unrolled_beyond_the_budget() {
    // Everything is constant, so that steps make no gates.
    let ring = "model ring;
        var a : 0..3;
        init { a = 0; }
        action turn { a' = (a + 1) mod 4; }
        invariant small: a <= 3;";
    ends_after_a_second(ring, Lengths::Exactly(u32::MAX as usize));
}

#[test]
fn quantifiers_over_large_domains_are_not_expanded_beyond_the_budget() {
    let nested = "model nested;
        var a : 0..299;
        init { a = 0; }
        action stay { a' = a; }
        invariant all: forall x in 0..299: forall y in 0..299: forall u in 0..299: x + y + u >= a;";
    ends_after_a_second(nested, Lengths::UpTo(1));
}

#[test]
fn sums_over_large_domains_are_not_encoded_beyond_the_budget() {
    let sums = "model sums;
        var a : 0..2000;
        var b : 0..2000;
        init { a <= 1000; }
        action add { a' = a + b; }
        action pick(n: 0..2000) { b' = n; }
        invariant small: (sum x in 0..4000: sum y in 0..4000: (a + x) * (b + y)) >= 0;";
    ends_after_a_second(sums, Lengths::UpTo(3));
}
