//! The search space of counterexamples: slots that a solver fills with states.

use super::formula::Subformula;
use solvers::sat::{Circuit, Lit};

/// A place for one state, by the order in which a [`EncodedSystem`] made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateSlot(pub(super) usize);

/// A system whose states a solver can choose.
pub trait EncodedSystem {
    /// A state of a solution.
    type State: Clone + PartialEq;

    /// Returns the gates and clauses so far. Once its budget has ended, the other methods may return anything.
    fn circuit(&mut self) -> &mut Circuit;

    /// Makes a slot for an initial state: the first slot of a space.
    fn first(&mut self) -> StateSlot;

    /// Makes a slot for any state, reachable or not, whose distance from the first slot's state is at most the number
    /// of slots before it; it has a state where `when` holds.
    fn any(&mut self, when: Lit) -> StateSlot;

    /// Makes a slot for a successor of the state in another slot.
    fn next(&mut self, from: StateSlot) -> StateSlot;

    /// Returns a literal for each of some slots: if it holds, a step leads there from `from`. Where `when` holds,
    /// exactly one of them does, and elsewhere none.
    fn link(&mut self, from: StateSlot, to: &[StateSlot], when: Lit) -> Vec<Lit>;

    /// Returns the literal that two slots have the same state.
    fn same(&mut self, a: StateSlot, b: StateSlot) -> Lit;

    /// Returns the literal that the label of a goal holds in a slot; `label` is a part that is a label.
    fn label(&mut self, label: Subformula, slot: StateSlot) -> Lit;

    /// Returns the solver's state for a slot; only for slots in use.
    fn state(&self, slot: StateSlot) -> Self::State;
}
