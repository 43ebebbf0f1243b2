//! Slots for the states of an explicit system: one literal for each candidate state of a slot.

use super::check::SatisfactionSets;
use super::formula::{CtlOp, Subformula};
use super::goal::CtlGoal;
use super::space::{EncodedSystem, StateSlot};
use super::structure::Structure;
use explicit::lts::{Bits, StateId};
use rustc_hash::FxHashMap;
use solvers::sat::{Circuit, Lit};

/// An explicit system with a goal.
pub struct Explicit<'a> {
    circuit: Circuit,
    structure: &'a Structure,
    /// The truth of all parts of the goal.
    truth: &'a SatisfactionSets,
    /// The states that can occur for a reason: initial ones, and possible targets of the steps of some operator.
    is_useful: Bits,
    near: Near,
    slots: Vec<FxHashMap<StateId, Lit>>,
}

/// The useful states by their distances from an initial one, up to the distance requested so far.
struct Near {
    /// The states, nearest first.
    states: Vec<StateId>,
    seen: Bits,
    /// For each number of steps the number of states within that distance.
    ends: Vec<usize>,
}

impl<'a> Explicit<'a> {
    /// Creates the space of a system with a goal, all of whose parts have been evaluated on it.
    pub fn new(
        structure: &'a Structure,
        goal: &'a CtlGoal,
        truth: &'a SatisfactionSets,
        circuit: Circuit,
    ) -> Self {
        let formula = &goal.formula;
        let mut is_useful = Bits::new(structure.states());
        for part in formula.parts() {
            let shown = match formula.node(part) {
                CtlOp::Next(a) => truth.of(*a),
                CtlOp::Until(..) | CtlOp::Always { .. } => truth.of(part),
                _ => continue,
            };
            shown.iter().for_each(|s| _ = is_useful.insert(s));
        }
        let mut near = Near { states: Vec::new(), seen: Bits::new(structure.states()), ends: Vec::new() };
        let starts = structure.initial.iter().filter(|&&s| truth.holds(formula.root, s));
        near.states.extend(starts.filter(|&&s| near.seen.insert(s.index())));
        near.ends.push(near.states.len());
        Self { circuit, structure, truth, is_useful, near, slots: Vec::new() }
    }

    /// Returns the states within the given number of steps from an initial one.
    fn within(&mut self, steps: usize) -> Vec<StateId> {
        while self.near.ends.len() <= steps && self.circuit.exhausted().is_none() {
            let until = self.near.states.len();
            let begin = self.near.ends.len().checked_sub(2).map_or(0, |before| self.near.ends[before]);
            for at in begin..until {
                for to in self.after(self.near.states[at]) {
                    if self.near.seen.insert(to.index()) {
                        self.near.states.push(to);
                    }
                }
            }
            self.near.ends.push(self.near.states.len());
        }
        let end = self.near.ends.get(steps).copied().unwrap_or(0);
        let mut states = self.near.states[..end].to_vec();
        states.sort_unstable();
        states
    }

    /// True if the budget has ended, so that nothing more needs to be made.
    fn ended(&self) -> bool {
        self.circuit.exhausted().is_some()
    }

    /// Makes a slot that has exactly one of these states where `when` holds, and at most one of them elsewhere.
    fn slot(&mut self, states: Vec<StateId>, when: Lit) -> StateSlot {
        let mut slot = FxHashMap::default();
        let mut lits = Vec::new();
        for state in states {
            if self.ended() {
                break;
            }
            lits.push(self.circuit.fresh());
            slot.insert(state, lits[lits.len() - 1]);
        }
        if !self.ended() {
            self.circuit.at_most_one(&lits);
        }
        lits.push(!when);
        self.circuit.add_clause(&lits);
        self.slots.push(slot);
        StateSlot(self.slots.len() - 1)
    }

    /// Returns the states of a slot with their literals, ascending; none after the end of the budget.
    fn states(&self, slot: StateSlot) -> Vec<(StateId, Lit)> {
        if self.ended() {
            return Vec::new();
        }
        let mut states: Vec<(StateId, Lit)> = self.slots[slot.0].iter().map(|(&s, &lit)| (s, lit)).collect();
        states.sort_unstable();
        states
    }

    fn after(&self, state: StateId) -> Vec<StateId> {
        let mut after: Vec<StateId> =
            self.structure.after(state).filter(|&s| self.is_useful.has(s.index())).collect();
        after.sort_unstable();
        after.dedup();
        after
    }

    /// Demands that a step leads from one slot to the other where `when` holds.
    fn step(&mut self, from: StateSlot, to: StateSlot, when: Lit) {
        for (state, here) in self.states(from) {
            if self.ended() {
                return;
            }
            let mut clause = vec![!when, !here];
            clause.extend(self.after(state).iter().filter_map(|s| self.slots[to.0].get(s)));
            self.circuit.add_clause(&clause);
        }
    }
}

impl EncodedSystem for Explicit<'_> {
    type State = StateId;

    fn circuit(&mut self) -> &mut Circuit {
        &mut self.circuit
    }

    fn first(&mut self) -> StateSlot {
        let yes = self.circuit.yes();
        let states = self.within(0);
        self.slot(states, yes)
    }

    fn any(&mut self, when: Lit) -> StateSlot {
        let states = self.within(self.slots.len());
        self.slot(states, when)
    }

    fn next(&mut self, from: StateSlot) -> StateSlot {
        let mut states: Vec<StateId> =
            self.states(from).into_iter().flat_map(|(state, _)| self.after(state)).collect();
        states.sort_unstable();
        states.dedup();
        let yes = self.circuit.yes();
        let to = self.slot(states, yes);
        self.step(from, to, yes);
        to
    }

    fn link(&mut self, from: StateSlot, to: &[StateSlot], when: Lit) -> Vec<Lit> {
        let lits: Vec<Lit> = to.iter().map(|_| self.circuit.fresh()).collect();
        self.circuit.at_most_one(&lits);
        for (&slot, &lit) in to.iter().zip(&lits) {
            self.step(from, slot, lit);
            self.circuit.add_clause(&[!lit, when]);
        }
        let mut clause = lits.clone();
        clause.push(!when);
        self.circuit.add_clause(&clause);
        lits
    }

    fn same(&mut self, a: StateSlot, b: StateSlot) -> Lit {
        let mut both = Vec::new();
        for (state, here) in self.states(a) {
            if let Some(&there) = self.slots[b.0].get(&state) {
                both.push(self.circuit.and(here, there));
            }
        }
        self.circuit.any(&both)
    }

    fn label(&mut self, label: Subformula, slot: StateSlot) -> Lit {
        let set = self.truth.of(label);
        let lits: Vec<Lit> =
            self.states(slot).into_iter().filter(|(s, _)| set.has(s.index())).map(|(_, lit)| lit).collect();
        self.circuit.any(&lits)
    }

    fn state(&self, slot: StateSlot) -> StateId {
        let chosen = self.slots[slot.0].iter().find(|(_, lit)| self.circuit.value(**lit));
        *chosen.expect("a slot that matters has a state").0
    }
}
