//! Where counterexamples are looked for: slots that a solver fills with states.

use super::formula::Part;
use solvers::sat::{Circuit, Lit};

/// A place for one state, by the order in which a [`Space`] made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot(pub(super) usize);

/// A system whose states a solver can choose.
pub trait Space {
    /// A state that was found.
    type State: Clone + PartialEq;

    /// The gates and clauses so far. Once its budget has ended, the other methods may return anything.
    fn circuit(&mut self) -> &mut Circuit;

    /// A slot for an initial state: the first one of a space.
    fn first(&mut self) -> Slot;

    /// A slot for any state, reachable or not, that is at most as many steps away from the first slot's as there are slots
    /// before it; it has one where `when` holds.
    fn any(&mut self, when: Lit) -> Slot;

    /// A slot for a successor of the state in another slot.
    fn next(&mut self, from: Slot) -> Slot;

    /// For each of some slots a literal: if it holds, a step leads there from the first slot. Where `when` holds, exactly
    /// one of them does, and elsewhere none.
    fn link(&mut self, from: Slot, to: &[Slot], when: Lit) -> Vec<Lit>;

    /// Whether two slots have the same state.
    fn same(&mut self, a: Slot, b: Slot) -> Lit;

    /// Whether the label of a goal holds in a slot; `label` is a part that is a label.
    fn label(&mut self, label: Part, slot: Slot) -> Lit;

    /// The state that the solver has chosen for a slot; only for slots that are in use.
    fn state(&self, slot: Slot) -> Self::State;
}
