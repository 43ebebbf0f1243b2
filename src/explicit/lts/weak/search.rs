//! Weak steps into many sets of states at a time: a bit for each set, and a word for many of them.

use super::super::graph::{Lts, LtsBuilder, StateId};
use super::super::labels::LabelId;
use kit::budget::{Budget, Clock, Exhausted};
use kit::number::to_u32;
use std::ops::Range;

const WORDS: usize = 8;

/// Some of [`Sets::MOST`] sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Sets([u64; WORDS]);

impl Sets {
    /// The number of sets at a time.
    pub const MOST: usize = 64 * WORDS;

    /// A set by its number.
    #[inline]
    pub fn one(number: usize) -> Self {
        let mut words = [0; WORDS];
        words[number / 64] = 1 << (number % 64);
        Self(words)
    }

    /// True if a set is one of them.
    #[inline]
    pub fn has(&self, number: usize) -> bool {
        self.0[number / 64] >> (number % 64) & 1 == 1
    }

    /// The numbers of the sets, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        (0..Self::MOST).filter(|&number| self.has(number))
    }

    /// The number of sets.
    pub fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Adds others.
    #[inline]
    fn add(&mut self, others: &Self) {
        self.0.iter_mut().zip(others.0).for_each(|(word, other)| *word |= other);
    }
}

/// A system without cycles of invisible steps, against their direction.
///
/// Its states have other numbers: those that invisible steps lead to come first.
pub struct BackwardSteps {
    /// A step leads from the target of one of the system to its source.
    lts: Lts,
    /// Of each state, the numbers of the invisible steps.
    silent: Vec<Range<u32>>,
}

impl BackwardSteps {
    /// The steps of a system: `rank` is the number of each state here.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn new(lts: &Lts, rank: &[u32], budget: &Budget) -> Result<Self, Exhausted> {
        let mut clock = Clock::new(budget, "transitions reversed");
        clock.room(20 * lts.transitions() + 16 * lts.states())?;
        let labels = lts.labels();
        let mut builder = LtsBuilder::with_labels(labels.clone());
        for step in lts.all_transitions() {
            clock.tick()?;
            let [from, to] = [step.from, step.to].map(|state| StateId::from_u32(rank[state.index()]));
            builder.add(to, step.label, from);
        }
        // With the last state as the initial one, each state has a row.
        let reversed = builder.finish_within(StateId::new(lts.states() - 1), to_u32(lts.states()), budget)?;
        let invisible: Vec<bool> = labels.ids().map(|label| labels.is_invisible(label)).collect();
        let of = |state: StateId| {
            let start = reversed.forward().range(state).start;
            let is_silent = |(label, _): (LabelId, StateId)| invisible[label.index()];
            let before = reversed.out(state).take_while(|&step| !is_silent(step)).count();
            let silent = reversed.out(state).skip(before).take_while(|&step| is_silent(step)).count();
            to_u32(start + before)..to_u32(start + before + silent)
        };
        let silent = reversed.state_ids().map(of).collect();
        Ok(Self { lts: reversed, silent })
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.silent.len()
    }

    /// The states that invisible steps lead from to a state.
    #[inline]
    fn silently(&self, state: usize) -> impl ExactSizeIterator<Item = usize> {
        let Range { start, end } = self.silent[state];
        (start..end).map(|step| self.lts.forward().at(step as usize).1.index())
    }

    /// The visible steps into a state: labels, and the states that they lead from.
    pub fn visibly(&self, state: usize) -> impl Iterator<Item = (LabelId, usize)> {
        let row = self.lts.forward().range(StateId::new(state));
        let Range { start, end } = self.silent[state];
        let steps = (row.start..start as usize).chain(end as usize..row.end);
        steps.map(|step| {
            let (label, from) = self.lts.forward().at(step);
            (label, from.index())
        })
    }
}

/// For each state, the sets that it leads to.
pub struct LeadingStates {
    sets: Vec<Sets>,
    /// States with sets that are not yet known to those that invisible steps lead from to them.
    open: Vec<u64>,
    /// Their first and last word.
    span: (usize, usize),
    /// The states that lead to a set, ascending once [`LeadingStates::close`] has found them.
    all: Vec<u32>,
}

impl LeadingStates {
    /// The span of open states if there are none.
    const NO_WORD: (usize, usize) = (usize::MAX, 0);

    /// Makes room for so many states, none of which leads to a set.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn new(states: usize, budget: &Budget) -> Result<Self, Exhausted> {
        Clock::new(budget, "weak steps followed").room((size_of::<Sets>() + 5) * states)?;
        let (sets, open) = (vec![Sets::default(); states], vec![0; states.div_ceil(64)]);
        Ok(Self { sets, open, span: Self::NO_WORD, all: Vec::new() })
    }

    /// Adds sets that a state leads to.
    #[inline]
    pub fn add(&mut self, state: usize, sets: &Sets) {
        self.sets[state].add(sets);
        let word = state / 64;
        self.open[word] |= 1 << (state % 64);
        self.span = (self.span.0.min(word), self.span.1.max(word));
    }

    /// Adds the states that lead to these by invisible steps.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn close(&mut self, steps: &BackwardSteps, clock: &mut Clock<'_>) -> Result<(), Exhausted> {
        // Invisible steps lead from greater numbers to smaller ones.
        let mut word = self.span.0;
        while word <= self.span.1 {
            while self.open[word] != 0 {
                let state = 64 * word + self.open[word].trailing_zeros() as usize;
                self.open[word] &= self.open[word] - 1;
                self.all.push(to_u32(state));
                let sets = self.sets[state];
                let sources = steps.silently(state);
                clock.ticks(1 + sources.len())?;
                sources.for_each(|source| self.add(source, &sets));
            }
            word += 1;
        }
        self.span = Self::NO_WORD;
        Ok(())
    }

    /// The states that lead to a set.
    pub fn all(&self) -> &[u32] {
        &self.all
    }

    /// The sets that a state leads to.
    #[inline]
    pub fn of(&self, state: usize) -> &Sets {
        &self.sets[state]
    }

    /// Forgets all sets.
    pub fn clear(&mut self) {
        self.all.drain(..).for_each(|state| self.sets[state as usize] = Sets::default());
    }
}

/// A search for the states that weak steps with one label lead from to some states.
pub struct WeakSearch {
    steps: BackwardSteps,
    silent: LabelId,
    before: LeadingStates,
    after: LeadingStates,
}

impl WeakSearch {
    /// A search in a system.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn new(steps: BackwardSteps, silent: LabelId, budget: &Budget) -> Result<Self, Exhausted> {
        let (before, after) =
            (LeadingStates::new(steps.states(), budget)?, LeadingStates::new(steps.states(), budget)?);
        Ok(Self { steps, silent, before, after })
    }

    /// The states that invisible steps lead from to the targets, and those that weak steps with a label do; all steps with this label
    /// are given: source and target. The sets are numbered as the targets are, and have one state each.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn run(
        &mut self,
        label: LabelId,
        of_label: &[[u32; 2]],
        targets: impl Iterator<Item = usize>,
        clock: &mut Clock<'_>,
    ) -> Result<(&LeadingStates, &LeadingStates), Exhausted> {
        let Self { steps, silent, before, after } = self;
        before.clear();
        after.clear();
        targets.enumerate().for_each(|(number, target)| before.add(target, &Sets::one(number)));
        before.close(steps, clock)?;
        if label == *silent {
            return Ok((before, before));
        }
        clock.ticks(of_label.len())?;
        for &[from, to] in of_label {
            let sets = before.of(to as usize);
            if *sets != Sets::default() {
                after.add(from as usize, sets);
            }
        }
        after.close(steps, clock)?;
        Ok((before, after))
    }
}
