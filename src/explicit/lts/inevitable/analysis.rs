//! The tags of transitions, and neighbourhoods.

use super::affixes::Affixes;
use super::goal::{Answers, RunGoal};
use crate::lts::bits::Bits;
use crate::lts::facts::reachable;
use crate::lts::graph::{Lts, LtsTransition, StateId, TransitionRows};
use crate::lts::safety::{Tag, TaggedStep, are_different};
use crate::lts::sequence::LabelSequence;
use kit::budget::{Budget, Exhausted};

/// The condition on the incoming transitions of a neighbourhood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NeighbourhoodEntry {
    /// All of them are neutral, as in Definition 12.
    #[default]
    ByNeutralOnly,
    /// At least one of them is neutral, as in the text before Definition 12.
    ByNeutral,
}

/// The tables of states on which the tags rest.
#[derive(Debug)]
enum StateTables {
    Affixes(Affixes),
    Answers(Answers),
}

/// The analysis of a system for what every run should contain.
#[derive(Debug)]
pub struct InevitabilityAnalysis<'a> {
    /// The system.
    pub lts: &'a Lts,
    /// The goal of every run.
    pub goal: RunGoal<'a>,
    known: StateTables,
    backward: TransitionRows,
    reached: Bits,
}

impl<'a> InevitabilityAnalysis<'a> {
    /// Analyses a system for a sequence of actions, which must be one over its labels.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn new(lts: &'a Lts, steps: &'a LabelSequence, budget: &Budget) -> Result<Self, Exhausted> {
        let (backward, reached) = (lts.backward_within(budget)?, reachable(lts, budget)?);
        let known = StateTables::Affixes(Affixes::new(lts, &backward, steps, &reached, budget)?);
        Ok(Self { lts, goal: RunGoal::Sequence(steps), known, backward, reached })
    }

    /// Analyses a system for answers; in these states something is waited for.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn of_answers(lts: &'a Lts, waiting: &'a Bits, budget: &Budget) -> Result<Self, Exhausted> {
        let (backward, reached) = (lts.backward_within(budget)?, reachable(lts, budget)?);
        let known = StateTables::Answers(Answers::new(lts, &backward, waiting, budget)?);
        Ok(Self { lts, goal: RunGoal::Answer(waiting), known, backward, reached })
    }

    /// The affixes of the states, for a sequence of actions.
    pub fn affixes(&self) -> Option<&Affixes> {
        match &self.known {
            StateTables::Affixes(affixes) => Some(affixes),
            StateTables::Answers(_) => None,
        }
    }

    /// True if every maximal trace contains what it should.
    pub fn holds(&self) -> bool {
        self.start_tag() == Tag::Correct
    }

    /// The reachable states, ascending.
    pub fn reached(&self) -> impl Iterator<Item = StateId> {
        self.reached.iter().map(StateId::new)
    }

    /// True if a state is reachable.
    pub fn is_reached(&self, state: StateId) -> bool {
        self.reached.has(state.index())
    }

    /// The transitions from reachable states to a state.
    pub fn incoming(&self, state: StateId) -> impl Iterator<Item = TaggedStep<StateId>> {
        let reached = self.backward.of(state).filter(|&(_, from)| self.is_reached(from));
        let tag = move |label, from| self.tag(LtsTransition { from, label, to: state });
        reached.map(move |(label, from)| TaggedStep { label, end: from, tag: tag(label, from) })
    }

    /// True if some maximal trace from a state, in a stage before it, lacks something.
    pub fn may_fail(&self, stage: usize, state: StateId) -> bool {
        match &self.known {
            StateTables::Affixes(affixes) => {
                stage + usize::from(affixes.common_suffix[state.index()]) < self.goal.stages()
            }
            StateTables::Answers(answers) => answers.may_fail.has(state.index()),
        }
    }

    /// True if some maximal trace from a state, in a stage before it, contains everything.
    fn may_hold(&self, stage: usize, state: StateId) -> bool {
        match &self.known {
            StateTables::Affixes(affixes) => {
                stage + usize::from(affixes.max_suffix[state.index()]) >= self.goal.stages()
            }
            StateTables::Answers(answers) => answers.may_hold.has(state.index()),
        }
    }

    fn decided(&self, least_stage: usize, last_stage: usize, after: StateId) -> Tag {
        if !self.may_fail(least_stage, after) {
            Tag::Correct
        } else if !self.may_hold(last_stage, after) {
            Tag::Incorrect
        } else {
            Tag::Neutral
        }
    }

    /// The tag of a transition: correct if every maximal trace through it contains what it should, incorrect if none does
    /// (Definitions 10 and 11), neutral otherwise.
    #[inline]
    pub fn tag(&self, step: LtsTransition) -> Tag {
        let from = step.from.index();
        let stages = match &self.known {
            StateTables::Affixes(affixes) => [affixes.common_prefix[from], affixes.max_prefix[from]],
            StateTables::Answers(_) => [0; 2],
        };
        let [least, last] = stages.map(|stage| self.goal.forward(step, usize::from(stage)));
        self.decided(least, last, step.to)
    }

    /// The tag of the beginning of a trace.
    pub fn start_tag(&self) -> Tag {
        self.decided(0, 0, self.lts.initial())
    }

    /// The transitions that leave a state.
    pub fn tagged(&self, state: StateId) -> impl Iterator<Item = TaggedStep<StateId>> {
        let tag = move |label, to| self.tag(LtsTransition { from: state, label, to });
        self.lts.out(state).map(move |(label, to)| TaggedStep { label, end: to, tag: tag(label, to) })
    }

    /// For correct, incorrect and neutral steps each, true if one leaves a state; the choice of an initial state is none.
    pub fn tags(&self, state: StateId) -> [bool; 3] {
        let mut found = [false; 3];
        if self.lts.is_before_start(state) {
            return found;
        }
        self.tagged(state).for_each(|step| found[step.tag as usize] = true);
        found
    }

    /// True if a state is faulty: transitions with different tags leave it.
    pub fn is_faulty(&self, state: StateId) -> bool {
        are_different(self.tags(state))
    }

    /// The kind of the neighbourhood of a state, 0 to 3: with correct transitions and no incorrect ones; incorrect
    /// and no correct ones; both, but no neutral ones; all three. `None` if it is none. A trace enters the initial
    /// state at its beginning, too.
    pub fn neighbourhood(&self, state: StateId, entered: NeighbourhoodEntry) -> Option<usize> {
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
            NeighbourhoodEntry::ByNeutralOnly => tags.all(|tag| tag == Tag::Neutral),
            NeighbourhoodEntry::ByNeutral => tags.any(|tag| tag == Tag::Neutral),
        };
        right.then_some(kind)
    }
}
