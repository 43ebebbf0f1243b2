//! Transitions typed by what can still happen, and the places where it is decided.

use super::affixes::{Affixes, extended};
use crate::lts::bits::Bits;
use crate::lts::facts::reachable;
use crate::lts::graph::{Lts, Rows};
use crate::lts::safety::Tag;

/// Which incoming transitions of a neighbourhood have to be neutral. The start of a run counts as a transition
/// that leads to the initial state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Incoming {
    /// Every one: the formal text of Definition 12.
    #[default]
    AllNeutral,
    /// At least one: the prose around it.
    SomeNeutral,
}

/// A system, a sequence of actions that every run should have, and what follows for its transitions.
#[derive(Debug)]
pub struct Inevitable<'a> {
    /// The system.
    pub lts: &'a Lts,
    /// The numbers of the actions.
    pub sequence: &'a [u32],
    /// How much of the sequence is behind and before each state.
    pub affixes: Affixes,
    backward: Rows,
    reachable: Bits,
    incoming: Incoming,
}

/// How much of everything there is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InevitableCounts {
    /// Reachable transitions after which every run has the actions.
    pub correct: usize,
    /// Reachable transitions after which no run has them.
    pub incorrect: usize,
    /// The others.
    pub neutral: usize,
    /// States where it is decided.
    pub neighbourhoods: usize,
    /// Those of them with correct and no incorrect transitions; with incorrect and no correct ones; with both
    /// and no neutral ones; with all three.
    pub neighbourhood_kinds: [usize; 4],
}

impl<'a> Inevitable<'a> {
    /// Analyses a system; see [`Affixes::new`] for the sequence.
    pub fn new(lts: &'a Lts, sequence: &'a [u32], incoming: Incoming) -> Self {
        let backward = lts.backward();
        let affixes = Affixes::new(lts, &backward, sequence);
        Self { lts, sequence, affixes, backward, reachable: reachable(lts), incoming }
    }

    /// Whether every run has the actions in this order.
    pub fn holds(&self) -> bool {
        self.affixes.common_suffix[self.lts.initial() as usize] as usize == self.sequence.len()
    }

    /// The states that can be reached, ascending.
    pub fn states(&self) -> impl Iterator<Item = u32> {
        self.reachable.iter().map(|state| state as u32)
    }

    /// What a transition decides: correct if every run through it has the actions, incorrect if none has.
    pub fn tag(&self, from: u32, label: u32, to: u32) -> Tag {
        let affixes = &self.affixes;
        let total = |prefix: &[u32], suffix: &[u32]| {
            (extended(self.sequence, prefix[from as usize], label) + suffix[to as usize]) as usize
        };
        if total(&affixes.common_prefix, &affixes.common_suffix) >= self.sequence.len() {
            Tag::Correct
        } else if total(&affixes.max_prefix, &affixes.max_suffix) < self.sequence.len() {
            Tag::Incorrect
        } else {
            Tag::Neutral
        }
    }

    /// The transitions that leave a state: label, target, tag.
    pub fn tagged(&self, state: u32) -> impl Iterator<Item = (u32, u32, Tag)> {
        self.lts.out(state).map(move |(label, to)| (label, to, self.tag(state, label, to)))
    }

    /// Whether it is open, when a run starts, whether it will have the actions.
    fn open_at_start(&self) -> bool {
        let initial = self.lts.initial() as usize;
        !self.holds() && self.affixes.max_suffix[initial] as usize == self.sequence.len()
    }

    /// The kind of a neighbourhood (0 to 3, see [`InevitableCounts::neighbourhood_kinds`]); `None` if a state that
    /// can be reached is none.
    pub fn neighbourhood(&self, state: u32) -> Option<usize> {
        let mut tags = [false; 3];
        self.tagged(state).for_each(|(.., tag)| tags[tag as usize] = true);
        let [correct, incorrect, neutral] = tags;
        let kind = match (correct, incorrect, neutral) {
            (true, false, _) => 0,
            (false, true, _) => 1,
            (true, true, false) => 2,
            (true, true, true) => 3,
            (false, false, _) => return None,
        };
        let start = (state == self.lts.initial()).then(|| self.open_at_start());
        let mut incoming = self
            .backward
            .of(state)
            .filter(|&(_, from)| self.reachable.has(from as usize))
            .map(|(label, from)| self.tag(from, label, state) == Tag::Neutral)
            .chain(start);
        let decides = match self.incoming {
            Incoming::AllNeutral => incoming.all(|neutral| neutral),
            Incoming::SomeNeutral => incoming.any(|neutral| neutral),
        };
        decides.then_some(kind)
    }

    /// Counts in one pass over the reachable states.
    pub fn counts(&self) -> InevitableCounts {
        let mut counts = InevitableCounts::default();
        for state in self.states() {
            for (.., tag) in self.tagged(state) {
                match tag {
                    Tag::Correct => counts.correct += 1,
                    Tag::Incorrect => counts.incorrect += 1,
                    Tag::Neutral => counts.neutral += 1,
                }
            }
            if let Some(kind) = self.neighbourhood(state) {
                counts.neighbourhoods += 1;
                counts.neighbourhood_kinds[kind] += 1;
            }
        }
        counts
    }
}
