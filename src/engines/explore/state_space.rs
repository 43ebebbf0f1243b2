//! The explored states of a model as a labelled transition system.

use super::StateSpace;
use explicit::lts::{Bits, LabelId, Labels, Lts, StateId};
use kit::budget::{Budget, Clock, Exhausted};
use kit::number::to_u32;
use lang::model::value::Label;
use lang::model::{Environment, Model};

/// The label of the transitions to the initial states if a model has several.
pub(super) const START: &[u8] = b"start";

/// The label of hidden steps.
const INVISIBLE: &[u8] = b"i";

/// The labels of steps.
#[derive(Debug, Clone)]
pub struct Labelling {
    /// True if arguments are shown: `enter(p=P)` instead of `enter`.
    pub arguments: bool,
    /// True for each action of the model whose steps are shown; the others are invisible, `i`.
    pub visible: Vec<bool>,
}

impl Labelling {
    pub(super) fn label(&self, model: &Model, label: &Label) -> Vec<u8> {
        if !self.visible[label.action] {
            INVISIBLE.to_vec()
        } else if self.arguments {
            model.show_label(label).into_bytes()
        } else {
            model.actions[label.action].name.clone().into_bytes()
        }
    }
}

/// Returns the system of the explored states, with labels according to `labelling`. States keep their numbers; if a
/// model has several initial states, one more comes after all others, from which the label `start` leads to them.
///
/// # Errors
/// If the budget ends.
pub fn state_space(
    model: &Model,
    space: StateSpace<'_>,
    labelling: &Labelling,
    budget: &Budget,
) -> Result<Lts, Exhausted> {
    Ok(named(model, space, labelling, budget)?.0)
}

/// Like [`state_space`], with the labels of the environment's steps; `None` if steps of the environment and other steps
/// have the same label.
///
/// # Errors
/// If the budget ends.
pub fn state_space_with(
    model: &Model,
    space: StateSpace<'_>,
    labelling: &Labelling,
    environment: &Environment,
    budget: &Budget,
) -> Result<Option<(Lts, Bits)>, Exhausted> {
    let its: Vec<bool> = space.labels.iter().map(|label| environment.has(label)).collect();
    let (lts, names) = named(model, space, labelling, budget)?;
    let (mut inside, mut outside) = (Bits::new(lts.labels().len()), Bits::new(lts.labels().len()));
    for (name, its) in names.iter().zip(its) {
        if its {
            inside.insert(name.index())
        } else {
            outside.insert(name.index())
        };
    }
    let told_apart = inside.iter().all(|label| !outside.has(label));
    Ok(told_apart.then_some((lts, inside)))
}

/// Returns the system, and for each label of the exploration its label there.
fn named(
    model: &Model,
    space: StateSpace<'_>,
    labelling: &Labelling,
    budget: &Budget,
) -> Result<(Lts, Vec<LabelId>), Exhausted> {
    let mut clock = Clock::new(budget, "labels named");
    let (initial, states) = (to_u32(space.initial), to_u32(space.len()));
    let (labels, [mut starts, step_labels, targets]) = space.into_rows();
    let mut names = Labels::default();
    let mut ids: Vec<LabelId> = Vec::with_capacity(labels.len());
    for label in &labels {
        clock.tick()?;
        ids.push(names.intern(&labelling.label(model, label)));
    }
    clock.look()?;
    let mut step_labels: Vec<LabelId> = step_labels.into_iter().map(|label| ids[label as usize]).collect();
    let mut targets: Vec<StateId> = targets.into_iter().map(StateId::from_u32).collect();
    if initial == 1 {
        return Ok((Lts::of_rows(StateId::FIRST, starts, step_labels, targets, names), ids));
    }
    let label = names.intern(START);
    step_labels.extend((0..initial).map(|_| label));
    targets.extend((0..initial).map(StateId::from_u32));
    starts.push(to_u32(targets.len()));
    let lts = Lts::of_rows(StateId::from_u32(states), starts, step_labels, targets, names);
    Ok((lts.choosing_start(true), ids))
}
