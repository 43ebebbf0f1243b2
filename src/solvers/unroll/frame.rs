//! One position of a trace as symbolic values.

use super::symbolic::Symbolic;
use crate::sat::Lit;

/// One position: the label of the step that led to it and its state.
#[derive(Debug, Clone)]
pub struct Frame {
    /// True if the trace reaches this position.
    pub alive: Lit,
    /// For each action, whether the step to this position took it; empty in the first frame.
    pub actions: Vec<Lit>,
    /// True if no step led to this position, where that is open although there are actions.
    pub unlabelled: Option<Lit>,
    /// For each action, its arguments, with all literals false if it was not taken; empty in the first
    /// frame.
    pub args: Vec<Vec<Symbolic>>,
    /// The values of the variables, in the order of [`lang::model::Model::variables`].
    pub state: Vec<Symbolic>,
    /// Assignments whose value can lie outside the type of their place; such a step does not exist.
    pub overflows: Vec<Overflow>,
}

impl Frame {
    /// A position to which no step is known to lead.
    pub fn of_state(alive: Lit, state: Vec<Symbolic>) -> Self {
        let (actions, args, overflows) = (Vec::new(), Vec::new(), Vec::new());
        Self { alive, actions, unlabelled: None, args, state, overflows }
    }
}

/// An assignment whose value can lie outside the type of its place.
#[derive(Debug, Clone, Copy)]
pub struct Overflow {
    /// The index of the action.
    pub action: usize,
    /// The index of the assignment among the updates of the action.
    pub update: usize,
    /// True if the value lies outside.
    pub outside: Lit,
}
