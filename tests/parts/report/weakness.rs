//! Tests of `report::classes::weakness`.

use crate::fixture;
use classify::Verdict;
use lang::model::Position;
use report::classes::weakness::*;

#[test]
fn names_what_differs_at_the_matched_positions() {
    let weak = fixture::verdicts().into_iter().find_map(|(verdict, ..)| match verdict {
        Verdict::TooWeak(weak) => Some(*weak),
        _ => None,
    });
    let mut weak = weak.expect("there is one");
    let model = fixture::model();
    // Position 0 of the counterexample beside position 1, position 1 beside position 2.
    assert_eq!(differing_observables(&model, &weak), ["sender", "knows", "action"]);
    weak.positions = Position::all(2).collect();
    assert!(differing_observables(&model, &weak).is_empty());
    assert!(advice(&model, &weak, None)[0].starts_with("the states at these positions are equal"));
}
