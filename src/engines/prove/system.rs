//! A model with an observer: the subject of every proof.

use super::ModelObserver;
use super::atoms::StateAtoms;
use super::cube::StatementId;
use kit::budget::Budget;
use lang::model::{Model, Position};
use solvers::sat::{Backend, Circuit, Lit};
use solvers::unroll::{Encoder, Lengths, Unrolling};

/// A model with an observer. A statement about its states is an atom of the model, or a latch; they are numbered in
/// this order.
pub struct ObservedModel<'a> {
    /// The model.
    pub model: &'a Model,
    /// The observer, which defines the bad states.
    pub watch: &'a dyn ModelObserver,
    /// The atoms of the model's states.
    pub atoms: StateAtoms,
}

impl<'a> ObservedModel<'a> {
    /// Combines a model with an observer.
    pub fn new(model: &'a Model, watch: &'a dyn ModelObserver) -> Self {
        Self { model, watch, atoms: StateAtoms::of(model) }
    }

    /// Returns the text of a statement or its negation.
    pub fn text(&self, statement: StatementId, holds: bool) -> String {
        match self.atoms.list.get(statement.0) {
            Some(atom) => atom.text(holds).to_owned(),
            None => {
                let name = self.watch.latch_name(statement.0 - self.atoms.list.len());
                if holds { name } else { format!("not {name}") }
            }
        }
    }

    /// Returns paths from the initial states.
    pub(super) fn paths_from_start(&'a self, backend: Backend, budget: &Budget) -> SystemPath<'a> {
        self.paths_from_start_in(Circuit::new(backend.start(budget)).within(budget))
    }

    /// Like [`ObservedModel::paths_from_start`], in a given circuit, which must be empty.
    pub(super) fn paths_from_start_in(&'a self, circuit: Circuit) -> SystemPath<'a> {
        let mut unrolling = Unrolling::new(self.model, Lengths::UpTo(usize::MAX), circuit);
        let latches = vec![self.watch.start(&mut unrolling)];
        SystemPath { system: self, unrolling, latches }
    }

    /// Returns paths from any state, reachable or not.
    pub(super) fn paths_from_anywhere(&'a self, backend: Backend, budget: &Budget) -> SystemPath<'a> {
        self.paths_from_anywhere_in(Circuit::new(backend.start(budget)).within(budget))
    }

    /// Like [`ObservedModel::paths_from_anywhere`], in a given circuit, which must be empty.
    pub(super) fn paths_from_anywhere_in(&'a self, circuit: Circuit) -> SystemPath<'a> {
        let mut unrolling = Unrolling::from_any_state(self.model, circuit);
        let latches = vec![(0..self.watch.latches()).map(|_| unrolling.circuit.fresh()).collect()];
        SystemPath { system: self, unrolling, latches }
    }
}

/// The positions of paths through a system that were requested so far. Paths may end anywhere: position t matters only
/// together with [`SystemPath::reaches`].
pub(super) struct SystemPath<'a> {
    system: &'a ObservedModel<'a>,
    /// The model alone.
    pub unrolling: Unrolling<'a>,
    /// The latches at each position.
    latches: Vec<Vec<Lit>>,
}

impl SystemPath<'_> {
    /// Extends the paths to a position. Does nothing once the budget has ended; every question then answers with that
    /// limit.
    pub fn grow_to(&mut self, position: Position) {
        if self.unrolling.grow_to(position.steps()).is_err() {
            return;
        }
        for at in Position::range(Position::new(self.latches.len())..position.next()) {
            let before = self.latches.last().expect("those of the first position").clone();
            let latches = self.system.watch.next(&mut self.unrolling, at, &before);
            self.latches.push(latches);
        }
    }

    /// Returns the literal that the path has a position.
    pub fn reaches(&self, position: Position) -> Lit {
        self.unrolling.frames.get(position.index()).map_or(self.unrolling.circuit.no(), |frame| frame.alive)
    }

    /// Returns the literal that the state at a position is bad.
    pub fn bad(&mut self, position: Position) -> Lit {
        let Some(latches) = self.latches.get(position.index()) else { return self.unrolling.circuit.no() };
        self.system.watch.bad(&mut self.unrolling, position, latches)
    }

    /// Returns the literals of all statements at a position.
    pub fn statements(&mut self, position: Position) -> Vec<Lit> {
        let system = self.system;
        let Some(latches) = self.latches.get(position.index()) else {
            let count = system.atoms.list.len() + system.watch.latches();
            return vec![self.unrolling.circuit.no(); count];
        };
        let Unrolling { circuit, frames, .. } = &mut self.unrolling;
        let mut encoder = Encoder::new(circuit, system.model, frames).at(position);
        let atoms = system.atoms.list.iter().map(|atom| encoder.truth(&atom.expr));
        atoms.chain(latches.iter().copied()).collect()
    }

    /// Returns the conditions that the state at the first position is initial.
    pub fn initial(&mut self) -> Vec<Lit> {
        let system = self.system;
        let init = system.model.init.iter();
        let mut parts: Vec<Lit> =
            init.map(|formula| self.unrolling.state_truth(formula, Position::FIRST)).collect();
        let start = system.watch.start(&mut self.unrolling);
        for (latch, value) in self.latches[0].iter().zip(start) {
            parts.push(self.unrolling.circuit.iff(*latch, value));
        }
        parts
    }
}
