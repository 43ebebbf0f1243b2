//! The explored states of a model as a labelled transition system.

use super::Reachable;
use crate::lts::{Builder, Lts};
use crate::model::Model;

/// The label of the transitions to the initial states, where a model has several of them.
const START: &[u8] = b"start";

/// The system whose labels are the actions with their arguments. States keep their numbers; where a model has
/// several initial states, one more comes after all others, from which the label `start` leads to them.
pub fn state_space(model: &Model, reachable: &Reachable) -> Lts {
    let mut builder = Builder::new();
    for edge in &reachable.edges {
        let label = builder.labels.intern(model.show_label(&edge.label).as_bytes());
        builder.add(edge.from as u32, label, edge.to as u32);
    }
    let states = reachable.states.len() as u32;
    if reachable.initial == 1 {
        return builder.finish(0, states);
    }
    let label = builder.labels.intern(START);
    (0..reachable.initial as u32).for_each(|to| builder.add(states, label, to));
    builder.finish(states, states + 1)
}
