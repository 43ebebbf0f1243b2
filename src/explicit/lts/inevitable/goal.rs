//! The goal of every maximal run, and the states from which runs can miss it.

use crate::lts::bits::Bits;
use crate::lts::components::{Components, components};
use crate::lts::facts::spread;
use crate::lts::graph::{Lts, LtsTransition, StateId, TransitionRows};
use crate::lts::sequence::LabelSequence;
use kit::budget::{Budget, Clock, Exhausted};

/// The steps or states of which every maximal run should contain one.
#[derive(Debug, Clone, Copy)]
pub enum RunGoal<'a> {
    /// Actions in this order, with anything between them.
    Sequence(&'a LabelSequence),
    /// An answer, again and again: no run stays for ever in these states, nor ends in one. In each of them something is waited for.
    Answer(&'a Bits),
}

impl RunGoal<'_> {
    /// The number of stages that a run can be in before it has all that it should contain: how many of the actions it has.
    pub fn stages(self) -> usize {
        match self {
            Self::Sequence(steps) => steps.len(),
            Self::Answer(_) => 1,
        }
    }

    /// The stage after a transition, given that before it; [`RunGoal::stages`] is the end.
    #[inline]
    pub fn forward(self, step: LtsTransition, stage: usize) -> usize {
        match self {
            Self::Sequence(steps) => steps.forward(step.label, stage),
            Self::Answer(_) => stage,
        }
    }

    /// True if a cycle may contain a transition so that a run that stays in it does not get further than a stage: for a sequence, the
    /// action with this number is lacking for ever.
    #[inline]
    pub fn avoids(self, step: LtsTransition, stage: usize) -> bool {
        match self {
            Self::Sequence(steps) => !steps.is(step.label, stage),
            Self::Answer(waiting) => waiting.has(step.to.index()),
        }
    }

    /// True if a run that is in some stage may not end in a state.
    pub fn fails_at(self, end: StateId) -> bool {
        match self {
            Self::Sequence(_) => true,
            Self::Answer(waiting) => waiting.has(end.index()),
        }
    }
}

/// The kinds of maximal runs from a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answers {
    /// The states from which some maximal run is waiting from some point on.
    pub may_fail: Bits,
    /// The states from which some maximal run is not: it is answered again and again, or ends without waiting.
    pub may_hold: Bits,
}

impl Answers {
    /// For a system and the states in which something is waited for, in passes linear in the system.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn new(
        lts: &Lts,
        backward: &TransitionRows,
        waiting: &Bits,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let waits = |state: StateId| waiting.has(state.index());
        let both = |step: LtsTransition| waits(step.from) && waits(step.to);
        let stays = components(lts, waits, both, budget)?;
        let all = components(lts, |_| true, |_| true, budget)?;
        let on_cycle = |parts: &Components, state: StateId| {
            let own = parts.of[state.index()];
            lts.out(state).any(|(_, to)| parts.of[to.index()] == own)
        };
        let ends = |state: StateId| lts.out(state).len() == 0;
        let failing = |&state: &StateId| waits(state) && (ends(state) || on_cycle(&stays, state));
        let holding = |&state: &StateId| !waits(state) && (ends(state) || on_cycle(&all, state));
        let clock = &mut Clock::new(budget, "states from which a run can wait for ever");
        let before = |starts: Vec<StateId>, clock: &mut Clock<'_>| {
            clock.look()?;
            let mut found = Bits::new(lts.states());
            spread(backward, &mut found, starts, clock).map(|()| found)
        };
        let may_fail = before(lts.state_ids().filter(failing).collect(), clock)?;
        clock.next("states from which a run need not wait for ever");
        let may_hold = before(lts.state_ids().filter(holding).collect(), clock)?;
        Ok(Self { may_fail, may_hold })
    }
}
