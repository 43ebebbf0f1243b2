//! What a vocabulary that is too weak lacks.

use super::leaves;
use crate::classify::TooWeak;
use crate::model::Model;

/// Observables that differ between a counterexample and the accepted trace that shares all its facts,
/// compared at the matched positions: places of the state first, then `action`.
pub(super) fn differing_observables(model: &Model, weak: &TooWeak) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut labels_differ = false;
    for (at, &matched) in weak.positions.iter().enumerate() {
        // Position variable p stands for position p of the counterexample.
        let (ours, theirs) = (&weak.counterexample.moments[at], &weak.accepting.moments[matched]);
        let mine = leaves(model, &ours.state);
        for ((place, value), (_, other)) in mine.into_iter().zip(leaves(model, &theirs.state)) {
            if value != other && !found.contains(&place) {
                found.push(place);
            }
        }
        labels_differ |= ours.label.as_ref().map(|l| l.action) != theirs.label.as_ref().map(|l| l.action);
    }
    if labels_differ {
        found.push("action".to_owned());
    }
    found
}

/// What to do about it, one sentence.
pub(super) fn advice(model: &Model, weak: &TooWeak) -> String {
    const ENOUGH: usize = 6;
    let observables = differing_observables(model, weak);
    if observables.is_empty() {
        return "the states at these positions are equal, so what lies between them must tell: \
                add `action`, `next`, or a predicate of your own to the vocabulary"
            .to_owned();
    }
    let more = if observables.len() > ENOUGH { ", …" } else { "" };
    let listed = observables[..observables.len().min(ENOUGH)].join(", ");
    format!("the two differ at these positions in {listed}{more}: add `eq({listed})`, or some of it, to the vocabulary")
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;
    use crate::classify::Verdict;

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
        weak.positions = vec![0, 1];
        assert!(differing_observables(&model, &weak).is_empty());
        assert!(advice(&model, &weak).starts_with("the states at these positions are equal"));
    }
}
