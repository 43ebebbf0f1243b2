//! The explored states of a model as a labelled transition system.

use super::Reachable;
use crate::lts::{Builder, Lts};
use crate::model::Model;
use crate::model::value::Label;

/// The label of the transitions to the initial states, where a model has several of them.
const START: &[u8] = b"start";

/// The label of steps that are not shown.
const INVISIBLE: &[u8] = b"i";

/// What steps are called.
#[derive(Debug, Clone)]
pub struct Labelling {
    /// Whether arguments are shown: `enter(p=P)` instead of `enter`.
    pub arguments: bool,
    /// For each action of the model whether its steps are shown; the others are invisible, `i`.
    pub visible: Vec<bool>,
}

impl Labelling {
    fn label(&self, model: &Model, label: &Label) -> Vec<u8> {
        if !self.visible[label.action] {
            INVISIBLE.to_vec()
        } else if self.arguments {
            model.show_label(label).into_bytes()
        } else {
            model.actions[label.action].name.clone().into_bytes()
        }
    }
}

/// The system of the explored states; its labels are the actions, as `labelling` says. States keep their numbers; where a model has
/// several initial states, one more comes after all others, from which the label `start` leads to them.
pub fn state_space(model: &Model, reachable: &Reachable, labelling: &Labelling) -> Lts {
    let mut builder = Builder::new();
    for edge in &reachable.edges {
        let label = builder.labels.intern(&labelling.label(model, &edge.label));
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
