//! The explored states of a model as a labelled transition system.

use super::Space;
use crate::lts::{Labels, Lts};
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
pub fn state_space(model: &Model, space: Space<'_>, labelling: &Labelling) -> Lts {
    let (initial, states) = (space.initial as u32, space.len() as u32);
    let (labels, [mut starts, mut step_labels, mut targets]) = space.into_rows();
    let mut names = Labels::default();
    let numbers: Vec<u32> = labels.iter().map(|label| names.intern(&labelling.label(model, label))).collect();
    step_labels.iter_mut().for_each(|label| *label = numbers[*label as usize]);
    if initial == 1 {
        return Lts::of_rows(0, starts, step_labels, targets, names);
    }
    let label = names.intern(START);
    step_labels.extend((0..initial).map(|_| label));
    targets.extend(0..initial);
    starts.push(targets.len() as u32);
    Lts::of_rows(states, starts, step_labels, targets, names)
}
