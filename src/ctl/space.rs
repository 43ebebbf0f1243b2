//! Where counterexamples are looked for: slots that a solver fills with states.

use crate::ctl::formula::Part;
use crate::sat::{Circuit, Lit};

/// A system whose states a solver can choose. A slot is a place for one state.
pub trait Space {
    /// A state that was found.
    type State: Clone + PartialEq;

    /// Gates and clauses.
    fn circuit(&mut self) -> &mut Circuit;

    /// A slot for an initial state.
    fn first(&mut self) -> usize;

    /// A slot for any state, reachable or not; it has one where `when` holds.
    fn any(&mut self, when: Lit) -> usize;

    /// A slot for a state one step after that of another slot.
    fn next(&mut self, from: usize) -> usize;

    /// For each of some slots a literal: if it holds, a step leads there from the first slot. Where `when` holds, exactly
    /// one of them does, and elsewhere none.
    fn link(&mut self, from: usize, to: &[usize], when: Lit) -> Vec<Lit>;

    /// Whether two slots have the same state.
    fn same(&mut self, a: usize, b: usize) -> Lit;

    /// Whether the label of a goal holds in a slot; `label` is a part that is a label.
    fn label(&mut self, label: Part, slot: usize) -> Lit;

    /// The state that the solver has chosen for a slot; only where it matters what it is.
    fn state(&self, slot: usize) -> Self::State;
}
