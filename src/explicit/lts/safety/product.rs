//! The product of a system and an automaton; its transitions are computed on demand.

use crate::lts::bits::Bits;
use crate::lts::decisive::Fates;
use crate::lts::graph::{Lts, StateId, TransitionRows};
use crate::lts::labels::LabelId;
use crate::lts::property::{LabelAutomaton, Phase};
use kit::budget::{Budget, Exhausted};
use kit::number::to_u32;

/// A state of the product: the state of the system and that of the automaton in one number, which may need more than 32 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProductPosition(usize);

impl ProductPosition {
    /// The position with this number.
    #[inline]
    pub const fn new(index: usize) -> Self {
        Self(index)
    }

    /// The number as an index into a vector.
    #[inline]
    pub const fn index(self) -> usize {
        self.0
    }
}

/// A set of positions.
#[derive(Debug, Clone)]
pub struct PositionSet(Bits);

impl PositionSet {
    /// No position of a product.
    pub fn none_of(product: &LtsProduct<'_>) -> Self {
        Self(Bits::new(product.positions()))
    }

    /// True if a position is in the set.
    #[inline]
    pub fn has(&self, position: ProductPosition) -> bool {
        self.0.has(position.0)
    }

    /// Adds a position; whether it is new.
    #[inline]
    pub fn insert(&mut self, position: ProductPosition) -> bool {
        self.0.insert(position.0)
    }

    /// Takes a position out.
    #[inline]
    pub fn remove(&mut self, position: ProductPosition) {
        self.0.remove(position.0);
    }

    /// The positions, ascending.
    pub fn iter(&self) -> impl Iterator<Item = ProductPosition> {
        self.0.iter().map(ProductPosition)
    }
}

/// The product of a system and an automaton over its labels.
#[derive(Debug)]
pub struct LtsProduct<'a> {
    /// The system.
    pub lts: &'a Lts,
    /// The automaton.
    pub automaton: &'a LabelAutomaton,
    /// For a property of states what can become of each state; a violating one has no steps here.
    pub(super) fates: Option<&'a Fates>,
    backward: TransitionRows,
    /// For each class and state of the automaton where the states before it start in `before`.
    before_starts: Vec<u32>,
    before: Vec<Phase>,
}

impl<'a> LtsProduct<'a> {
    /// The product; the rows of the system are reversed for it.
    pub fn new(lts: &'a Lts, automaton: &'a LabelAutomaton) -> Self {
        Self::with(lts, automaton, None, lts.backward())
    }

    /// As [`LtsProduct::new`], within a budget.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn within(lts: &'a Lts, automaton: &'a LabelAutomaton, budget: &Budget) -> Result<Self, Exhausted> {
        Ok(Self::with(lts, automaton, None, lts.backward_within(budget)?))
    }

    /// The product for a property of states; its automaton sees nothing ([`LabelAutomaton::blind`]).
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub(super) fn of_states(
        lts: &'a Lts,
        automaton: &'a LabelAutomaton,
        fates: &'a Fates,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        Ok(Self::with(lts, automaton, Some(fates), lts.backward_within(budget)?))
    }

    fn with(
        lts: &'a Lts,
        automaton: &'a LabelAutomaton,
        fates: Option<&'a Fates>,
        backward: TransitionRows,
    ) -> Self {
        let (mut before_starts, mut before) = (vec![0], Vec::new());
        for class in 0..automaton.classes() {
            let mut sources = vec![Vec::new(); automaton.states()];
            automaton
                .phases()
                .for_each(|phase| sources[automaton.next_by_class(phase, class).index()].push(phase));
            for of_state in sources {
                before.extend(of_state);
                before_starts.push(to_u32(before.len()));
            }
        }
        Self { lts, automaton, fates, backward, before_starts, before }
    }

    /// The number of positions, reachable or not; they are numbered from 0.
    pub fn positions(&self) -> usize {
        self.lts.states() * self.automaton.states()
    }

    /// The initial position.
    pub fn initial(&self) -> ProductPosition {
        self.position(self.lts.initial(), Phase::FIRST)
    }

    /// The position with these states.
    #[inline]
    pub fn position(&self, state: StateId, phase: Phase) -> ProductPosition {
        ProductPosition(state.index() * self.automaton.states() + phase.index())
    }

    /// The state of the system, and that of the automaton.
    #[inline]
    pub fn parts(&self, position: ProductPosition) -> (StateId, Phase) {
        let phases = self.automaton.states();
        (StateId::new(position.0 / phases), Phase::new(position.0 % phases))
    }

    /// True if a trace that leads to a position is bad.
    #[inline]
    pub fn is_bad(&self, position: ProductPosition) -> bool {
        let (state, phase) = self.parts(position);
        self.automaton.is_bad(phase) || self.is_over(state)
    }

    /// True if a property of states is violated in a state, so that nothing follows it here.
    #[inline]
    fn is_over(&self, state: StateId) -> bool {
        self.fates.is_some_and(|fates| fates.is_violating(state))
    }

    /// The steps that leave a position: label and position after it.
    #[inline]
    pub fn after(&self, position: ProductPosition) -> impl Iterator<Item = (LabelId, ProductPosition)> {
        let (state, phase) = self.parts(position);
        let steps = if self.is_over(state) { 0 } else { usize::MAX };
        self.lts
            .out(state)
            .take(steps)
            .map(move |(label, to)| (label, self.position(to, self.automaton.next(phase, label))))
    }

    /// The steps that lead to a position: label and position before it.
    #[inline]
    pub fn before(&self, position: ProductPosition) -> impl Iterator<Item = (LabelId, ProductPosition)> {
        let (state, phase) = self.parts(position);
        self.backward.of(state).filter(|&(_, from)| !self.is_over(from)).flat_map(move |(label, from)| {
            let at = self.automaton.class_of(label) * self.automaton.states() + phase.index();
            let range = self.before_starts[at] as usize..self.before_starts[at + 1] as usize;
            self.before[range].iter().map(move |&q| (label, self.position(from, q)))
        })
    }
}
