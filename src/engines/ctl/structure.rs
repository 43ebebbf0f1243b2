//! Transition systems that formulas are evaluated on.

use crate::explore::Reachable;
use explicit::lts::{Bits, Lts, LtsBuilder, StateId};
use kit::budget::{Budget, Clock, Exhausted};
use kit::number::to_u32;

/// A transition system with all its states and its initial states.
#[derive(Debug, Clone)]
pub struct Structure {
    /// The transitions; formulas do not depend on their labels.
    pub lts: Lts,
    /// The initial states, ascending, each once.
    pub initial: Vec<StateId>,
}

impl Structure {
    /// Builds the structure of all reachable states of a model, with their numbers.
    ///
    /// # Errors
    /// If the budget ends.
    pub fn of_model(reached: &Reachable, budget: &Budget) -> Result<Self, Exhausted> {
        let mut clock = Clock::new(budget, "transitions listed");
        let mut builder = LtsBuilder::new();
        // A step with several labels is one transition.
        let label = builder.labels.intern(b"");
        for edge in &reached.edges {
            clock.tick()?;
            builder.add(StateId::new(edge.from), label, StateId::new(edge.to));
        }
        let states = reached.states.len();
        let lts = builder.finish_within(last(states), to_u32(states), budget)?;
        Ok(Self { lts, initial: (0..reached.initial).map(StateId::new).collect() })
    }

    /// Builds a system of few states, numbered from 0, from its transitions; state 0 is the initial one.
    pub fn small(states: usize, edges: &[(usize, usize)]) -> Self {
        let mut builder = LtsBuilder::new();
        let label = builder.labels.intern(b"");
        edges.iter().for_each(|&(from, to)| builder.add(StateId::new(from), label, StateId::new(to)));
        Self::of(builder, states, vec![StateId::FIRST])
    }

    /// Builds a system from the transitions of a builder between states that are numbered from 0, of which there is at
    /// least one.
    pub fn of(builder: LtsBuilder, states: usize, initial: Vec<StateId>) -> Self {
        Self { lts: builder.finish(last(states), to_u32(states)), initial }
    }

    /// Wraps an explicit system; unreachable states are ignored.
    pub fn of_lts(lts: Lts) -> Self {
        let initial = vec![lts.initial()];
        Self { lts, initial }
    }

    /// Returns the number of states.
    pub fn states(&self) -> usize {
        self.lts.states()
    }

    /// Returns the successors of a state; some may occur several times.
    pub fn after(&self, state: StateId) -> impl Iterator<Item = StateId> + '_ {
        self.lts.out(state).map(|(_, to)| to)
    }

    /// Returns the reachable states.
    pub fn reachable(&self) -> Bits {
        let mut seen = Bits::new(self.states());
        let mut open: Vec<StateId> =
            self.initial.iter().copied().filter(|&s| seen.insert(s.index())).collect();
        while let Some(state) = open.pop() {
            open.extend(self.after(state).filter(|&to| seen.insert(to.index())));
        }
        seen
    }

    /// Returns a reachable state without successor, and the number of such states.
    pub fn deadlocks(&self) -> Option<(StateId, usize)> {
        let reachable = self.reachable();
        let mut all = reachable.iter().filter(|&s| self.lts.out(StateId::new(s)).len() == 0);
        let first = all.next()?;
        Some((StateId::new(first), 1 + all.count()))
    }
}

/// Returns the nominal initial state of a system of `states` states: with the last one, every state has a row. The
/// initial states of a structure are kept beside it.
fn last(states: usize) -> StateId {
    StateId::new(states.saturating_sub(1))
}
