//! Tests of `report::checks::check_text`.

use crate::fixture;
use kit::budget::Exhausted;
use lang::model::Model;
use report::checks::check_text::*;
use report::{CheckRequest, CheckedProperty, DisplayOptions, GivenFairness, PropertyOutcome};
use solvers::unroll::Lengths;
use verify::CheckVerdict;

fn request<'a>(
    model: &'a Model,
    lengths: Option<Lengths>,
    outcomes: Vec<PropertyOutcome>,
) -> CheckRequest<'a> {
    CheckRequest {
        model,
        file: "toy.sts",
        lengths,
        unbounded: false,
        fairness: GivenFairness::default(),
        properties: outcomes
            .into_iter()
            .map(|outcome| CheckedProperty {
                property: &model.properties[0],
                outcome,
                reached: None,
                patterns: None,
            })
            .collect(),
        warnings: &[],
        solver: "cadical 3.0.1".into(),
        theory: None,
        seconds: 0.25,
        rerun: "cladist check toy.sts -k 5",
        display: DisplayOptions::plain(80),
        claims: &[],
        proofs: None,
    }
}

#[test]
fn a_violated_property_comes_with_its_trace() {
    let model = fixture::model();
    let text = check_text(&request(
        &model,
        Some(Lengths::UpTo(5)),
        vec![PropertyOutcome::Violated(fixture::violating())],
    ));
    let expected = "\
toy.sts: model toy is well formed: 3 variables, 2 actions, 1 property, 1 predicate, 1 vocabulary
  invariant safe violated in 3 steps

a shortest counterexample to safe (3 steps)
  0  initial state
";
    assert!(text.starts_with(expected), "{text}");
    assert!(text.contains("  3  send(a=Eve)  ← violates safe\n"), "{text}");
    assert!(text.ends_with("\ncadical 3.0.1, 0.25 s\nagain: cladist check toy.sts -k 5\n"), "{text}");
}

#[test]
fn the_verdict_sums_up_the_properties() {
    let model = fixture::model();
    let violated = || PropertyOutcome::Violated(fixture::violating());
    let undecided = || PropertyOutcome::Undecided { why: Exhausted::Time, depth: 2 };
    for (outcomes, verdict) in [
        (vec![PropertyOutcome::TypesOnly], CheckVerdict::Checked),
        (vec![], CheckVerdict::Checked),
        (vec![PropertyOutcome::TypesOnly, PropertyOutcome::Holds], CheckVerdict::Holds),
        (vec![violated(), PropertyOutcome::Holds], CheckVerdict::Violated),
        (vec![violated(), undecided()], CheckVerdict::Partial),
        (vec![PropertyOutcome::Holds, undecided()], CheckVerdict::Undecided),
        (vec![PropertyOutcome::Temporal], CheckVerdict::Undecided),
        (vec![PropertyOutcome::Holds, PropertyOutcome::Temporal], CheckVerdict::Undecided),
        (vec![violated(), PropertyOutcome::Temporal], CheckVerdict::Partial),
    ] {
        assert_eq!(request(&model, Some(Lengths::UpTo(5)), outcomes).verdict(), verdict);
    }
}
