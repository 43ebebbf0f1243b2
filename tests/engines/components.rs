//! Models made of components, against the same models written in one piece.

use super::channels::{behaviour, spec};
use cladist::budget::Budget;
use cladist::model::{Model, load};
use cladist::sat::Backend;
use cladist::unroll::{BoundedResult, Lengths, check};
use std::path::Path;

/// The same model in one piece, with its text.
fn flat(name: &str) -> (Model, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/flat").join(name);
    let text = std::fs::read_to_string(&path).expect("readable");
    let loaded = load(&path, &[]);
    (loaded.model.unwrap_or_else(|| panic!("{name}: {:?}", loaded.diagnostics)), text)
}

/// The number of lines that are neither empty nor a comment.
fn lines(text: &str) -> usize {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")).count()
}

fn same(name: &str, states: usize) {
    let ((model, text), (flat, flat_text)) = (spec(name), flat(name));
    let names = |model: &Model| -> Vec<String> {
        let variables = model.variables.iter().map(|variable| variable.name.replace('.', "_"));
        variables.chain(model.actions.iter().map(|action| action.name.replace('.', "_"))).collect()
    };
    assert_eq!(names(&model), names(&flat), "{name}");
    let (mut found, expected) = (behaviour(&model), behaviour(&flat));
    for steps in found.steps.values_mut() {
        *steps = std::mem::take(steps).into_iter().map(|(label, to)| (underscored(&label), to)).collect();
    }
    assert_eq!(found.steps.len(), states, "{name}");
    assert!(found == expected, "{name}: {} and {} states", found.steps.len(), expected.steps.len());
    assert!(3 * lines(&text) <= 2 * lines(&flat_text), "{name}: {} lines", lines(&text));
    let shortest = |model: &Model| {
        let invariant = model.properties[0].invariant().expect("an invariant").clone();
        let budget = Budget::unlimited();
        match check(model, &invariant, Lengths::UpTo(9), Backend::Cadical, &budget, &mut ()) {
            BoundedResult::Violated(trace) => trace.len(),
            other => panic!("{name}: {other:?}"),
        }
    };
    assert_eq!(shortest(&model), shortest(&flat), "{name}");
}

/// A label with the action's name as a model in one piece has it.
fn underscored(label: &str) -> String {
    let (action, arguments) = label.split_at(label.find('(').unwrap_or(label.len()));
    format!("{}{arguments}", action.replace('.', "_"))
}

#[test]
fn votes_over_a_channel_by_nodes_that_crash() {
    same("vote.sts", 641);
}

#[test]
fn calls_over_two_channels_to_a_server_that_crashes() {
    same("remote_call.sts", 936);
}

#[test]
fn copies_over_two_channels_between_nodes_that_crash() {
    same("primary_backup.sts", 115);
}
