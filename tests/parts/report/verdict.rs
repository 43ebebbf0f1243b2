//! Tests of `report::shared::verdict`.

use crate::fixture;
use classify::Verdict;
use report::shared::verdict::*;
use report::{DisplayOptions, Wording};
use solvers::unroll::Lengths;

#[test]
fn every_verdict_has_its_sentence() {
    let expected = [
        "holds for all traces of up to 10 steps",
        "violated: 2 kinds of violation cover every counterexample of up to 10 steps",
        "violated: 2 kinds of violation found before the time ran out; there may be others",
        "violated: 2 kinds of violation found before the run was interrupted; there may be others",
        "violated: 2 kinds of violation found, as many as asked for; there may be others",
        "violated: 2 kinds of violation found among the counterexamples to start with; \
         the memory ran out before the others were examined",
        "violated, but the vocabulary `v` is too weak: a violating and a non-violating trace share all its facts",
        "undecided: the time ran out; no violation in fewer than 7 steps",
        "undecided: the memory ran out; no violation in fewer than 7 steps",
        "undecided: the run was interrupted; no violation in fewer than 7 steps",
    ];
    for ((verdict, ..), expected) in fixture::verdicts().into_iter().zip(expected) {
        assert_eq!(
            verdict_sentence(&fixture::classification(verdict), "v", &DisplayOptions::plain(80)),
            expected
        );
    }
}

#[test]
fn places_are_reached_not_violated() {
    let arrival = DisplayOptions { wording: Wording::Arrival, ..DisplayOptions::plain(80) };
    let sentence = |verdict| verdict_sentence(&fixture::classification(verdict), "v", &arrival);
    assert_eq!(sentence(Verdict::Holds), "never reached in traces of up to 10 steps");
    let expected = "reached: 2 ways cover every trace of up to 10 steps that gets there";
    assert_eq!(sentence(Verdict::Complete), expected);
    for (verdict, ..) in fixture::verdicts() {
        let said = sentence(verdict);
        assert!(
            !said.contains("violat") && !said.contains("counterexample") || said.contains("undecided"),
            "{said}"
        );
    }
}

#[test]
fn exact_lengths_are_given_in_steps_and_states() {
    let mut result = fixture::classification(Verdict::Holds);
    for (steps, expected) in [
        (0, "holds for all traces of exactly 0 steps (1 state)"),
        (1, "holds for all traces of exactly 1 step (2 states)"),
        (24, "holds for all traces of exactly 24 steps (25 states)"),
    ] {
        result.lengths = Lengths::Exactly(steps);
        assert_eq!(verdict_sentence(&result, "v", &DisplayOptions::plain(80)), expected);
    }
}

#[test]
fn proofs_are_about_any_length() {
    let sentence = |verdict| verdict_sentence(&fixture::proved(verdict), "v", &DisplayOptions::plain(80));
    assert_eq!(sentence(Verdict::Holds), "holds for all traces of any length");
    let expected = "violated: 2 kinds of violation cover every counterexample of any length";
    assert_eq!(sentence(Verdict::Complete), expected);
}

#[test]
fn redundant_classes_do_not_count() {
    let mut result = fixture::classification(Verdict::Complete);
    result.classes[1].redundant = true;
    assert!(
        verdict_sentence(&result, "v", &DisplayOptions::plain(80))
            .starts_with("violated: one kind of violation covers every")
    );
}
