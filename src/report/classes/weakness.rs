//! Remedies for a vocabulary that is too weak.

use crate::shared::evaluate::places;
use classify::TooWeak;
use classify::vocabulary::{Rating, Repair, Repairs};
use lang::model::Model;

/// Observables that differ between a counterexample and the accepted trace that shares all its facts,
/// compared at the matched positions: places of the state first, then `action`.
pub fn differing_observables(model: &Model, weak: &TooWeak) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut labels_differ = false;
    // Position variable p stands for position p of the counterexample.
    for (ours, &matched) in weak.counterexample.moments.iter().zip(&weak.positions) {
        let theirs = weak.accepting.moment(matched);
        let mine = places(model, &ours.state);
        for ((place, value), (_, other)) in mine.into_iter().zip(places(model, &theirs.state)) {
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

/// How many additions were tried without success.
pub(crate) fn tried_words(repairs: &Repairs) -> String {
    let tried = match repairs.tried {
        1 => "one addition was".to_owned(),
        tried => format!("{tried} additions were"),
    };
    format!("{tried} tried within the limits: none gives classes that suffice and say more than the property")
}

/// Advice, one sentence a line: the additions that were found to suffice, or the differences.
pub fn advice(model: &Model, weak: &TooWeak, repairs: Option<&Repairs>) -> Vec<String> {
    match repairs {
        Some(repairs) if !repairs.best.is_empty() => repairs.best.iter().flat_map(repair_texts).collect(),
        Some(repairs) if repairs.tried > 0 => vec![difference(model, weak), tried_words(repairs)],
        _ => vec![difference(model, weak)],
    }
}

/// The effect of an addition, `adding eq(action, x) gives 2 classes, complete`, and the declarations of the predicates that the model lacks for it.
pub fn repair_texts(repair: &Repair) -> Vec<String> {
    let Rating { classes, restating, .. } = repair.rating;
    let given = if classes == 1 { "one class".to_owned() } else { format!("{classes} classes") };
    let restating = if restating > 0 { "; some of them only restate the property" } else { "" };
    let effect = format!("adding {} gives {given}, complete{restating}", repair.text);
    let declared = repair.predicates.iter().flat_map(|text| text.lines().next_back());
    [effect].into_iter().chain(declared.map(str::to_owned)).collect()
}

/// In what the two traces differ, as far as single positions show it.
fn difference(model: &Model, weak: &TooWeak) -> String {
    let observables = differing_observables(model, weak);
    if observables.is_empty() {
        return "the states at these positions are equal, so the difference lies between them: \
                add `action`, `next`, `absent(…)`, or a predicate of your own to the vocabulary"
            .to_owned();
    }
    format!("the two differ at these positions in {}", observables.join(", "))
}
