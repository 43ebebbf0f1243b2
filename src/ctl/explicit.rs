//! Slots for the states of an explicit system: one literal for each state that may come there.

use super::check::Truth;
use super::formula::{Formula, Node, Part};
use super::goal::Goal;
use super::space::Space;
use super::structure::Structure;
use crate::lts::Bits;
use crate::sat::{Circuit, Lit};
use rustc_hash::FxHashMap;

/// An explicit system with a goal.
pub struct Explicit<'a> {
    circuit: Circuit,
    structure: &'a Structure,
    /// The goal, with the states that have each of its labels, and all its parts on the whole system.
    formula: &'a Formula,
    truth: &'a Truth,
    /// States that can be there for a reason: initial ones, and those where some operator's steps can lead.
    useful: Vec<u32>,
    is_useful: Bits,
    slots: Vec<FxHashMap<u32, Lit>>,
}

impl<'a> Explicit<'a> {
    /// A system with a goal, all of whose parts have been evaluated on it.
    pub fn new(structure: &'a Structure, goal: &'a Goal, truth: &'a Truth, circuit: Circuit) -> Self {
        let formula = &goal.formula;
        let mut is_useful = Bits::new(structure.states());
        for part in formula.parts() {
            let shown = match formula.node(part) {
                Node::Next(a) => truth.of(*a),
                Node::Until(..) | Node::Always { .. } => truth.of(part),
                _ => continue,
            };
            shown.iter().for_each(|s| _ = is_useful.insert(s));
        }
        let useful = is_useful.iter().map(|s| s as u32).collect();
        Self { circuit, structure, formula, truth, useful, is_useful, slots: Vec::new() }
    }

    /// A slot that has exactly one of these states where `when` holds, and at most one of them anyway.
    fn slot(&mut self, states: impl Iterator<Item = u32>, when: Lit) -> usize {
        let slot: FxHashMap<u32, Lit> = states.map(|s| (s, self.circuit.fresh())).collect();
        let mut lits: Vec<Lit> = slot.values().copied().collect();
        lits.sort_unstable();
        self.circuit.at_most_one(&lits);
        lits.push(!when);
        self.circuit.add_clause(&lits);
        self.slots.push(slot);
        self.slots.len() - 1
    }

    /// The states of a slot with their literals, ascending.
    fn states(&self, slot: usize) -> Vec<(u32, Lit)> {
        let mut states: Vec<(u32, Lit)> = self.slots[slot].iter().map(|(&s, &lit)| (s, lit)).collect();
        states.sort_unstable();
        states
    }

    fn after(&self, state: u32) -> Vec<u32> {
        let mut after: Vec<u32> =
            self.structure.after(state).filter(|&s| self.is_useful.has(s as usize)).collect();
        after.sort_unstable();
        after.dedup();
        after
    }

    /// Where `when` holds, a step leads from one slot to the other.
    fn step(&mut self, from: usize, to: usize, when: Lit) {
        for (state, here) in self.states(from) {
            let mut clause = vec![!when, !here];
            clause.extend(self.after(state).iter().filter_map(|s| self.slots[to].get(s)));
            self.circuit.add_clause(&clause);
        }
    }
}

impl Space for Explicit<'_> {
    type State = u32;

    fn circuit(&mut self) -> &mut Circuit {
        &mut self.circuit
    }

    fn first(&mut self) -> usize {
        let (structure, truth, yes) = (self.structure, self.truth, self.circuit.yes());
        let root = self.formula.root;
        self.slot(structure.initial.iter().copied().filter(|&s| truth.holds(root, s)), yes)
    }

    fn any(&mut self, when: Lit) -> usize {
        let states = self.useful.clone();
        self.slot(states.into_iter(), when)
    }

    fn next(&mut self, from: usize) -> usize {
        let mut states: Vec<u32> = self.slots[from].keys().flat_map(|&s| self.after(s)).collect();
        states.sort_unstable();
        states.dedup();
        let yes = self.circuit.yes();
        let to = self.slot(states.into_iter(), yes);
        self.step(from, to, yes);
        to
    }

    fn link(&mut self, from: usize, to: &[usize], when: Lit) -> Vec<Lit> {
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

    fn same(&mut self, a: usize, b: usize) -> Lit {
        let mut both = Vec::new();
        for (state, here) in self.states(a) {
            if let Some(&there) = self.slots[b].get(&state) {
                both.push(self.circuit.and(here, there));
            }
        }
        self.circuit.any(&both)
    }

    fn label(&mut self, label: Part, slot: usize) -> Lit {
        let set = self.truth.of(label);
        let lits: Vec<Lit> =
            self.states(slot).into_iter().filter(|(s, _)| set.has(*s as usize)).map(|(_, lit)| lit).collect();
        self.circuit.any(&lits)
    }

    fn state(&self, slot: usize) -> u32 {
        let chosen = self.slots[slot].iter().find(|(_, lit)| self.circuit.value(**lit));
        *chosen.expect("a slot that matters has a state").0
    }
}
