//! The result of an exploration, with states and labels as values.

use super::limits::Stop;
use kit::budget::Stage;
use lang::model::value::{Label, Moment, State};
use lang::trace::Trace;

/// A step between reachable states, given by their indices.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ReachedEdge {
    /// The state before.
    pub from: usize,
    /// The label.
    pub label: Label,
    /// The state after.
    pub to: usize,
}

/// The reachable states, in the order of a breadth-first search: initial states first, and states in order of distance
/// from them.
#[derive(Debug, Clone, Default)]
pub struct Reachable {
    /// The states.
    pub states: Vec<State>,
    /// The number of initial states, which come first.
    pub initial: usize,
    /// For each state its predecessor and label when it was first reached; `None` for initial states.
    pub reached_by: Vec<Option<(usize, Label)>>,
    /// The least number of steps to each state.
    pub depths: Vec<usize>,
    /// All steps from the first [`Reachable::explored`] states, ordered by [`ReachedEdge::from`].
    pub edges: Vec<ReachedEdge>,
    /// The number of states, from the first, that have all their steps in [`Reachable::edges`].
    pub explored: usize,
    /// The reason why the exploration ended early; `None` if it did not.
    pub stopped: Option<Stop>,
}

impl Reachable {
    /// Returns the progress of the exploration.
    pub fn stage(&self) -> Stage {
        Stage { done: self.states.len() as u64, of: None, what: "states explored" }
    }

    /// True if these are all reachable states with all their steps.
    pub fn complete(&self) -> bool {
        self.stopped.is_none()
    }

    /// Returns a shortest trace to a state.
    pub fn trace_to(&self, state: usize) -> Trace {
        let mut moments = Vec::new();
        let mut at = state;
        while let Some((from, label)) = &self.reached_by[at] {
            moments.push(Moment { label: Some(label.clone()), state: self.states[at].clone() });
            at = *from;
        }
        moments.push(Moment { label: None, state: self.states[at].clone() });
        moments.reverse();
        Trace { moments }
    }
}
