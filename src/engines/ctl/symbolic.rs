//! Slots for the states of a model without listing them.

use super::formula::{CtlFormula, CtlOp, Subformula};
use super::goal::CtlGoal;
use super::space::{EncodedSystem, StateSlot};
use lang::model::expr::Expr;
use lang::model::value::State;
use lang::model::{Model, Position};
use rustc_hash::FxHashMap;
use solvers::sat::{Circuit, Lit};
use solvers::unroll::{Lengths, Unrolling};

/// A model with a goal all of whose facts depend on a single state.
pub struct SymbolicModel<'a> {
    unrolling: Unrolling<'a>,
    formula: &'a CtlFormula,
    goal: &'a CtlGoal,
    /// The labels of the original formula.
    labels: &'a [Expr],
    /// Literals made so far: facts by label and slot, and equalities of slots.
    known: FxHashMap<(Subformula, StateSlot), Lit>,
    equal: FxHashMap<(StateSlot, StateSlot), Lit>,
    /// True once the first slot, the initial position of the unrolling, is in use.
    started: bool,
}

impl<'a> SymbolicModel<'a> {
    /// Creates the space of a model with a goal made from a formula over these labels.
    ///
    /// # Panics
    /// If a fact of the goal depends on more than one state; see [`is_about_one_state`].
    pub fn new(
        model: &'a Model,
        formula: &'a CtlFormula,
        goal: &'a CtlGoal,
        labels: &'a [Expr],
        circuit: Circuit,
    ) -> Self {
        assert!(is_about_one_state(formula, goal), "facts are read off one state");
        let unrolling = Unrolling::new(model, Lengths::Exactly(usize::MAX), circuit);
        let (known, equal) = (FxHashMap::default(), FxHashMap::default());
        Self { unrolling, formula, goal, labels, known, equal, started: false }
    }

    /// Returns the literal of a part without operators of the original formula.
    fn truth(&mut self, part: Subformula, slot: StateSlot) -> Lit {
        let formula = self.formula;
        match formula.node(part) {
            CtlOp::True => self.unrolling.circuit.yes(),
            CtlOp::Label(label) => {
                let labels = self.labels;
                self.unrolling.state_truth(&labels[*label], position(slot))
            }
            CtlOp::Not(a) => !self.truth(*a, slot),
            CtlOp::And(a, b) => {
                let (a, b) = (self.truth(*a, slot), self.truth(*b, slot));
                self.unrolling.circuit.and(a, b)
            }
            CtlOp::Or(a, b) => {
                let (a, b) = (self.truth(*a, slot), self.truth(*b, slot));
                self.unrolling.circuit.or(a, b)
            }
            CtlOp::Next(_) | CtlOp::Until(..) | CtlOp::Always { .. } => {
                unreachable!("facts are read off one state")
            }
        }
    }
}

/// True if all facts of a goal depend on a single state.
pub fn is_about_one_state(formula: &CtlFormula, goal: &CtlGoal) -> bool {
    goal.facts.iter().all(|fact| formula.quantifies(fact.part) == (false, false))
}

/// Returns the slot at a position of the unrolling.
fn slot(at: Position) -> StateSlot {
    StateSlot(at.index())
}

/// Returns the position of the unrolling of a slot.
fn position(slot: StateSlot) -> Position {
    Position::new(slot.0)
}

impl EncodedSystem for SymbolicModel<'_> {
    type State = State;

    fn circuit(&mut self) -> &mut Circuit {
        &mut self.unrolling.circuit
    }

    fn first(&mut self) -> StateSlot {
        assert!(!std::mem::replace(&mut self.started, true), "there is one initial slot");
        slot(Position::FIRST)
    }

    fn any(&mut self, _: Lit) -> StateSlot {
        slot(self.unrolling.any_state())
    }

    fn next(&mut self, from: StateSlot) -> StateSlot {
        let yes = self.unrolling.circuit.yes();
        slot(self.unrolling.successor(position(from), yes))
    }

    fn link(&mut self, from: StateSlot, to: &[StateSlot], when: Lit) -> Vec<Lit> {
        let after = slot(self.unrolling.successor(position(from), when));
        let lits: Vec<Lit> = to.iter().map(|_| self.unrolling.circuit.fresh()).collect();
        self.unrolling.circuit.at_most_one(&lits);
        for (&slot, &lit) in to.iter().zip(&lits) {
            let same = self.same(after, slot);
            self.unrolling.circuit.add_clause(&[!lit, same]);
            self.unrolling.circuit.add_clause(&[!lit, when]);
        }
        let mut clause = lits.clone();
        clause.push(!when);
        self.unrolling.circuit.add_clause(&clause);
        lits
    }

    fn same(&mut self, a: StateSlot, b: StateSlot) -> Lit {
        let pair = (a.min(b), a.max(b));
        if let Some(&known) = self.equal.get(&pair) {
            return known;
        }
        let Unrolling { circuit, frames, .. } = &mut self.unrolling;
        let (one, other) = (&frames[a.0].state, &frames[b.0].state);
        let parts: Vec<Lit> = one.iter().zip(other).map(|(x, y)| x.equal(circuit, y)).collect();
        let same = circuit.all(&parts);
        self.equal.insert(pair, same);
        same
    }

    fn label(&mut self, label: Subformula, slot: StateSlot) -> Lit {
        if let Some(&known) = self.known.get(&(label, slot)) {
            return known;
        }
        let goal = self.goal;
        let CtlOp::Label(number) = goal.formula.node(label) else {
            unreachable!("only labels are asked for");
        };
        let fact = goal.facts[*number];
        let lit = self.truth(fact.part, slot);
        let lit = if fact.holds { lit } else { !lit };
        self.known.insert((label, slot), lit);
        lit
    }

    fn state(&self, slot: StateSlot) -> State {
        self.unrolling.state_at(position(slot))
    }
}
