//! Where the states that lead to a state are.

use crate::lts::graph::{Lts, StateId};
use kit::budget::{Budget, Clock, Exhausted};

/// The states before each state: those before an invisible step, and those before another one.
pub struct Sources {
    /// The start of each state's sources, and the end of the last one's.
    starts: Vec<u32>,
    /// Where those before visible steps start.
    visible: Vec<u32>,
    states: Vec<StateId>,
}

impl Sources {
    /// The sources of the states of a system, some labels of which are invisible.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn new(lts: &Lts, invisible: &[bool], budget: &Budget) -> Result<Self, Exhausted> {
        let mut clock = Clock::new(budget, "transitions reversed");
        clock.room(4 * lts.transitions() + 12 * lts.states())?;
        let mut starts = vec![0u32; lts.states() + 1];
        let mut visible = vec![0u32; lts.states()];
        for step in lts.all_transitions() {
            clock.tick()?;
            starts[step.to.index() + 1] += 1;
            visible[step.to.index()] += u32::from(invisible[step.label.index()]);
        }
        for state in 0..lts.states() {
            starts[state + 1] += starts[state];
            visible[state] += starts[state];
        }
        let mut states = vec![StateId::FIRST; lts.transitions()];
        let (mut next_silent, mut next_visible) = (starts.clone(), visible.clone());
        for step in lts.all_transitions() {
            clock.tick()?;
            let next = if invisible[step.label.index()] { &mut next_silent } else { &mut next_visible };
            states[next[step.to.index()] as usize] = step.from;
            next[step.to.index()] += 1;
        }
        Ok(Self { starts, visible, states })
    }

    /// The states from which an invisible step leads to this one.
    #[inline]
    pub fn silent(&self, state: StateId) -> &[StateId] {
        &self.states[self.starts[state.index()] as usize..self.visible[state.index()] as usize]
    }

    /// The states from which a visible step leads to this one.
    #[inline]
    pub fn visible(&self, state: StateId) -> &[StateId] {
        &self.states[self.visible[state.index()] as usize..self.starts[state.index() + 1] as usize]
    }
}
