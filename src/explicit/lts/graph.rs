//! Labelled transition systems in compressed sparse rows.

use super::bits::Bits;
use super::labels::{LabelId, Labels};
use kit::budget::{Budget, Clock, Exhausted};
use kit::index;
use kit::number::to_u32;

index! {
    /// A state of a system.
    StateId
}

/// A transition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LtsTransition {
    /// The source.
    pub from: StateId,
    /// The label.
    pub label: LabelId,
    /// The target.
    pub to: StateId,
}

/// Transitions grouped by state: eight bytes for each transition, four for each state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransitionRows {
    /// The start of each row, and the end of the last one.
    starts: Vec<u32>,
    labels: Vec<LabelId>,
    states: Vec<StateId>,
}

impl TransitionRows {
    /// The transitions of a state: label, and the state at the other end.
    #[inline]
    pub fn of(&self, state: StateId) -> impl ExactSizeIterator<Item = (LabelId, StateId)> + Clone {
        let range = self.range(state);
        let (labels, states) = (&self.labels[range.clone()], &self.states[range]);
        labels.iter().copied().zip(states.iter().copied())
    }

    /// The numbers of a state's transitions; transitions are numbered row by row.
    #[inline]
    pub fn range(&self, state: StateId) -> std::ops::Range<usize> {
        self.starts[state.index()] as usize..self.starts[state.index() + 1] as usize
    }

    /// A transition by its number: label, and the state at the other end.
    #[inline]
    pub fn at(&self, transition: usize) -> (LabelId, StateId) {
        (self.labels[transition], self.states[transition])
    }

    /// The number of transitions.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// True if there are no transitions.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }
}

/// A labelled transition system without duplicate transitions; each row is in ascending order.
#[derive(Debug, Clone)]
pub struct Lts {
    initial: StateId,
    /// True if the initial state stands before several initial states of a model.
    chooses_start: bool,
    declared: u32,
    forward: TransitionRows,
    labels: Labels,
}

impl Lts {
    /// The initial state.
    pub fn initial(&self) -> StateId {
        self.initial
    }

    /// Makes the initial state, if `several`, stand before the initial states of a model: the transitions that leave it choose one of
    /// these.
    #[must_use]
    pub fn choosing_start(self, several: bool) -> Self {
        Self { chooses_start: several, ..self }
    }

    /// True if the initial state stands before several initial states of a model.
    pub fn chooses_start(&self) -> bool {
        self.chooses_start
    }

    /// True if a state stands before several initial states of a model: the transitions that leave it are no steps, and decide nothing.
    #[inline]
    pub fn is_before_start(&self, state: StateId) -> bool {
        self.chooses_start && state == self.initial
    }

    /// A system from its rows: the start of each row and the end of the last one; the label and the target of each
    /// transition, which must be below the number of labels and of rows.
    pub fn of_rows(
        initial: StateId,
        starts: Vec<u32>,
        labels: Vec<LabelId>,
        states: Vec<StateId>,
        names: Labels,
    ) -> Self {
        let mut forward = TransitionRows { starts, labels, states };
        unlimited(|budget| order_rows(&mut forward, &mut Clock::new(budget, "transitions sorted")));
        Self { initial, chooses_start: false, declared: to_u32(forward.rows()), forward, labels: names }
    }

    /// The number of states with a row, numbered from 0; all others are isolated.
    pub fn states(&self) -> usize {
        self.forward.rows()
    }

    /// The states with a row, ascending.
    pub fn state_ids(&self) -> impl ExactSizeIterator<Item = StateId> + Clone + use<> {
        (0..to_u32(self.forward.rows())).map(StateId::from_u32)
    }

    /// The number of states, including isolated ones without transitions.
    pub fn declared_states(&self) -> usize {
        self.declared as usize
    }

    /// The number of transitions.
    pub fn transitions(&self) -> usize {
        self.forward.len()
    }

    /// The labels.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// The number of labels that occur on transitions; a part of another system need not use all of its labels.
    pub fn used_labels(&self) -> usize {
        let mut used = Bits::new(self.labels.len());
        self.forward.labels.iter().filter(|&&label| used.insert(label.index())).count()
    }

    /// The transitions, grouped by source.
    pub fn forward(&self) -> &TransitionRows {
        &self.forward
    }

    /// The transitions that leave a state: label and target.
    #[inline]
    pub fn out(&self, state: StateId) -> impl ExactSizeIterator<Item = (LabelId, StateId)> + Clone {
        self.forward.of(state)
    }

    /// The transitions, grouped by target; the state at the other end is the source. Computed by each call.
    pub fn backward(&self) -> TransitionRows {
        unlimited(|budget| self.backward_within(budget))
    }

    /// As [`Lts::backward`], within a budget.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn backward_within(&self, budget: &Budget) -> Result<TransitionRows, Exhausted> {
        let mut clock = Clock::new(budget, "transitions reversed");
        clock.room(8 * (self.transitions() + self.states()))?;
        let mut starts = vec![0u32; self.states() + 1];
        self.forward.states.iter().for_each(|&to| starts[to.index() + 1] += 1);
        sum_up(&mut starts);
        let mut labels = vec![LabelId::from_u32(0); self.transitions()];
        let mut states = vec![StateId::from_u32(0); self.transitions()];
        let mut next = starts.clone();
        for from in self.state_ids() {
            clock.ticks(1 + self.out(from).len())?;
            for (label, to) in self.out(from) {
                let at = next[to.index()];
                next[to.index()] += 1;
                labels[at as usize] = label;
                states[at as usize] = from;
            }
        }
        Ok(TransitionRows { starts, labels, states })
    }

    /// All transitions, ascending.
    pub fn all_transitions(&self) -> impl Iterator<Item = LtsTransition> {
        self.state_ids()
            .flat_map(|from| self.out(from).map(move |(label, to)| LtsTransition { from, label, to }))
    }
}

/// Runs a computation that can only fail by its budget.
fn unlimited<T>(work: impl FnOnce(&Budget) -> Result<T, Exhausted>) -> T {
    work(&Budget::unlimited()).unwrap_or_else(|_| unreachable!("an unlimited budget does not end"))
}

fn sum_up(counts: &mut [u32]) {
    let mut sum = 0;
    for count in counts {
        sum += *count;
        *count = sum;
    }
}

/// Collects transitions in any order.
#[derive(Debug, Default)]
pub struct LtsBuilder {
    from: Vec<StateId>,
    label: Vec<LabelId>,
    to: Vec<StateId>,
    unsorted: bool,
    /// One more than the greatest state number.
    states: u32,
    /// The labels added so far.
    pub labels: Labels,
}

impl LtsBuilder {
    /// A builder without transitions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a transition; its label is one of [`LtsBuilder::labels`], its states are below 2³² − 1.
    #[inline]
    pub fn add(&mut self, from: StateId, label: LabelId, to: StateId) {
        self.unsorted |= self.from.last().is_some_and(|&last| last > from);
        self.states = self.states.max(from.max(to).to_u32() + 1);
        self.from.push(from);
        self.label.push(label);
        self.to.push(to);
    }

    /// A builder without transitions, with these labels.
    pub fn with_labels(labels: Labels) -> Self {
        Self { labels, ..Self::default() }
    }

    /// The number of transitions, duplicates included.
    pub fn len(&self) -> usize {
        self.from.len()
    }

    /// True if there are no transitions.
    pub fn is_empty(&self) -> bool {
        self.from.is_empty()
    }

    /// One more than the greatest state number on a transition.
    pub fn mentioned(&self) -> u32 {
        self.states
    }

    /// The system with this initial state and at least `declared` states.
    pub fn finish(self, initial: StateId, declared: u32) -> Lts {
        unlimited(|budget| self.finish_within(initial, declared, budget))
    }

    /// As [`LtsBuilder::finish`], within a budget.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn finish_within(self, initial: StateId, declared: u32, budget: &Budget) -> Result<Lts, Exhausted> {
        let mut clock = Clock::new(budget, "transitions sorted");
        let states = self.states.max(initial.to_u32() + 1);
        // The starts of the rows, where they go on, and one column.
        clock.room(8 * states as usize + if self.unsorted { 4 * self.len() } else { 0 })?;
        let mut starts = vec![0u32; states as usize + 1];
        self.from.iter().for_each(|&from| starts[from.index() + 1] += 1);
        sum_up(&mut starts);
        let (label, to) = if self.unsorted {
            let label = by_source(&self.from, self.label, &starts, &mut clock)?;
            (label, by_source(&self.from, self.to, &starts, &mut clock)?)
        } else {
            (self.label, self.to)
        };
        drop(self.from);
        let mut forward = TransitionRows { starts, labels: label, states: to };
        order_rows(&mut forward, &mut clock)?;
        let declared = declared.max(states);
        Ok(Lts { initial, chooses_start: false, declared, forward, labels: self.labels })
    }
}

/// A column of transitions in the order of their sources.
fn by_source<T: Copy>(
    from: &[StateId],
    column: Vec<T>,
    starts: &[u32],
    clock: &mut Clock<'_>,
) -> Result<Vec<T>, Exhausted> {
    clock.look()?;
    let mut next = starts.to_vec();
    // Every place is overwritten.
    let mut sorted = column.clone();
    for (&from, value) in from.iter().zip(column) {
        clock.tick()?;
        sorted[next[from.index()] as usize] = value;
        next[from.index()] += 1;
    }
    Ok(sorted)
}

/// Sorts each row by label and target, and removes duplicates.
fn order_rows(rows: &mut TransitionRows, clock: &mut Clock<'_>) -> Result<(), Exhausted> {
    clock.look()?;
    let mut row: Vec<u64> = Vec::new();
    let mut kept = 0;
    for number in 0..rows.rows() {
        let state = StateId::new(number);
        let range = rows.range(state);
        clock.ticks(1 + range.len())?;
        row.clear();
        row.extend(
            rows.of(state).map(|(label, to)| u64::from(label.to_u32()) << 32 | u64::from(to.to_u32())),
        );
        if !row.is_sorted_by(|a, b| a < b) {
            row.sort_unstable();
            row.dedup();
        }
        debug_assert!(kept <= range.start);
        // The end of the row before is not needed any more, so it can become the start of this one.
        rows.starts[number] = to_u32(kept);
        for &pair in &row {
            rows.labels[kept] = LabelId::from_u32(to_u32(pair >> 32));
            rows.states[kept] = StateId::from_u32(to_u32(pair & u64::from(u32::MAX)));
            kept += 1;
        }
    }
    let last = rows.rows();
    rows.starts[last] = to_u32(kept);
    rows.labels.truncate(kept);
    rows.states.truncate(kept);
    Ok(())
}
