//! The tags of transitions, and neighbourhoods.

use super::affixes::Affixes;
use crate::budget::{Budget, Exhausted};
use crate::lts::bits::Bits;
use crate::lts::facts::reachable;
use crate::lts::graph::{Lts, Rows, StateId, Transition};
use crate::lts::labels::LabelId;
use crate::lts::safety::Tag;
use crate::lts::sequence::Steps;

/// The condition on the incoming transitions of a neighbourhood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Entered {
    /// All of them are neutral, as in Definition 12.
    #[default]
    ByNeutralOnly,
    /// At least one of them is neutral, as in the text before Definition 12.
    ByNeutral,
}

/// A transition with its tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The label.
    pub label: LabelId,
    /// The state at the other end.
    pub state: StateId,
    /// The tag.
    pub tag: Tag,
}

/// The analysis of a system for a sequence of actions.
#[derive(Debug)]
pub struct Analysis<'a> {
    /// The system.
    pub lts: &'a Lts,
    /// The sequence over its labels.
    pub steps: &'a Steps,
    /// The affixes of its states.
    pub affixes: Affixes,
    backward: Rows,
    reached: Bits,
}

impl<'a> Analysis<'a> {
    /// Analyses a system; the sequence must be one over its labels.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn new(lts: &'a Lts, steps: &'a Steps, budget: &Budget) -> Result<Self, Exhausted> {
        let (backward, reached) = (lts.backward_within(budget)?, reachable(lts, budget)?);
        let affixes = Affixes::new(lts, &backward, steps, &reached, budget)?;
        Ok(Self { lts, steps, affixes, backward, reached })
    }

    /// Whether every maximal trace contains the actions in their order.
    pub fn holds(&self) -> bool {
        self.start_tag() == Tag::Correct
    }

    /// The reachable states, ascending.
    pub fn reached(&self) -> impl Iterator<Item = StateId> {
        self.reached.iter().map(StateId::new)
    }

    /// Whether a state is reachable.
    pub fn is_reached(&self, state: StateId) -> bool {
        self.reached.has(state.index())
    }

    /// The transitions from reachable states to a state.
    pub fn incoming(&self, state: StateId) -> impl Iterator<Item = Step> {
        let reached = self.backward.of(state).filter(|&(_, from)| self.is_reached(from));
        reached.map(move |(label, from)| Step {
            label,
            state: from,
            tag: self.tag(Transition { from, label, to: state }),
        })
    }

    fn decided(&self, common_prefix: usize, max_prefix: usize, after: StateId) -> Tag {
        let (common, max) =
            (self.affixes.common_suffix[after.index()], self.affixes.max_suffix[after.index()]);
        if common_prefix + usize::from(common) >= self.steps.len() {
            Tag::Correct
        } else if max_prefix + usize::from(max) < self.steps.len() {
            Tag::Incorrect
        } else {
            Tag::Neutral
        }
    }

    /// The tag of a transition: correct if every maximal trace through it contains the actions, incorrect if none does
    /// (Definitions 10 and 11), neutral otherwise.
    #[inline]
    pub fn tag(&self, Transition { from, label, to }: Transition) -> Tag {
        let before = |prefix: &[u16]| self.steps.forward(label, usize::from(prefix[from.index()]));
        self.decided(before(&self.affixes.common_prefix), before(&self.affixes.max_prefix), to)
    }

    /// The same for the beginning of a trace.
    pub fn start_tag(&self) -> Tag {
        self.decided(0, 0, self.lts.initial())
    }

    /// The transitions that leave a state.
    pub fn tagged(&self, state: StateId) -> impl Iterator<Item = Step> {
        self.lts.out(state).map(move |(label, to)| Step {
            label,
            state: to,
            tag: self.tag(Transition { from: state, label, to }),
        })
    }

    /// Whether correct, incorrect and neutral transitions leave a state.
    pub fn tags(&self, state: StateId) -> [bool; 3] {
        let mut found = [false; 3];
        self.tagged(state).for_each(|step| found[step.tag as usize] = true);
        found
    }

    /// Whether a state is faulty: transitions with different tags leave it.
    pub fn is_faulty(&self, state: StateId) -> bool {
        self.tags(state).iter().filter(|&&there| there).count() > 1
    }

    /// The kind of the neighbourhood of a state, 0 to 3: with correct transitions and no incorrect ones; incorrect
    /// and no correct ones; both, but no neutral ones; all three. `None` if it is none. A trace enters the initial
    /// state at its beginning, too.
    pub fn neighbourhood(&self, state: StateId, entered: Entered) -> Option<usize> {
        let kind = match self.tags(state) {
            [true, false, _] => 0,
            [false, true, _] => 1,
            [true, true, false] => 2,
            [true, true, true] => 3,
            [false, false, _] => return None,
        };
        let start = (state == self.lts.initial()).then(|| self.start_tag());
        let mut tags = self.incoming(state).map(|step| step.tag).chain(start);
        let right = match entered {
            Entered::ByNeutralOnly => tags.all(|tag| tag == Tag::Neutral),
            Entered::ByNeutral => tags.any(|tag| tag == Tag::Neutral),
        };
        right.then_some(kind)
    }
}
