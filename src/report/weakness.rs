//! What a vocabulary that is too weak lacks.

use crate::classify::TooWeak;
use crate::model::Model;
use crate::model::types::Type;
use crate::model::value::{State, Value};

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
        return "the states at these positions are equal, so the difference lies between them: \
                add `action`, `next`, `absent(…)`, or a predicate of your own to the vocabulary"
            .to_owned();
    }
    let more = if observables.len() > ENOUGH { ", …" } else { "" };
    let listed = observables[..observables.len().min(ENOUGH)].join(", ");
    format!(
        "the two differ at these positions in {listed}{more}: add `eq({listed})`, or a part of it, to the vocabulary"
    )
}

/// The leaves of a state with their values: map entries and, through options, record fields, as a
/// vocabulary would name them.
fn leaves(model: &Model, state: &State) -> Vec<(String, Value)> {
    let mut out = Vec::new();
    for (variable, value) in model.variables.iter().zip(&state.0) {
        split(model, variable.name.clone(), &variable.ty, value, &mut out);
    }
    out
}

fn split(model: &Model, place: String, ty: &Type, value: &Value, out: &mut Vec<(String, Value)>) {
    match (ty.inner(), value) {
        (Type::Map(_, ty), Value::Map(entries)) => {
            for (key, value) in entries {
                split(model, format!("{place}[{}]", model.types.show_value(key)), ty, value, out);
            }
        }
        (Type::Record(id), value) => {
            for (index, (name, ty)) in model.types.record(*id).fields.iter().enumerate() {
                let field = match value {
                    Value::Record(_, fields) => &fields[index],
                    _ => &Value::None,
                };
                split(model, format!("{place}.{name}"), ty, field, out);
            }
        }
        _ => out.push((place, value.clone())),
    }
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
