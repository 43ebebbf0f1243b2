//! Position variables that the solver places, and the facts about them: one assumption literal each.

use super::Space;
use crate::classify::fact::{Fact, FactKind, Order, Stretch};
use crate::classify::index::{AtomId, PositionVar};
use crate::classify::letter::Letter;
use crate::model::value::Value;
use crate::sat::Lit;
use crate::unroll::{Encoder, Symbolic};

/// The places of a position variable: for each position whether it lies there, and whether it lies there or later.
pub(super) struct Slot {
    pub(super) at: Vec<Lit>,
    pub(super) from: Vec<Lit>,
}

/// A conjunct of an atom at fixed positions.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct At {
    atom: AtomId,
    conjunct: usize,
    positions: Vec<usize>,
}

impl Space<'_> {
    /// Literals that, when assumed, make the facts hold at positions of the solver's choice.
    pub fn holding(&mut self, facts: &[Fact]) -> Vec<Lit> {
        facts.iter().map(|f| self.fact(f)).collect()
    }

    /// A literal that, when assumed, makes the atom hold at positions of the trace of the solver's
    /// choice; the position variables from `first` on are used for that.
    pub fn somewhere(&mut self, atom: AtomId, first: PositionVar) -> Lit {
        let count = self.atoms.get(atom).params.len();
        let positions = (0..count).map(|n| PositionVar::new(first.index() + n)).collect();
        self.fact(&Fact { kind: FactKind::Atom(atom), positions })
    }

    /// The literal of a conjunct of an atom at fixed positions, one for each parameter that it reads.
    pub fn conjunct_at(&mut self, atom: AtomId, conjunct: usize, positions: &[usize]) -> Lit {
        let key = At { atom, conjunct, positions: positions.to_vec() };
        if let Some(&lit) = self.conjuncts.get(&key) {
            return lit;
        }
        let atom = self.atoms.get(atom);
        let part = &atom.conjuncts[conjunct];
        let mut encoder =
            Encoder::new(&mut self.unrolling.circuit, self.unrolling.model, &self.unrolling.frames);
        for (&param, &position) in part.params.iter().zip(positions) {
            encoder.bind_position(atom.params[param], position);
        }
        let lit = encoder.truth(&part.expr);
        self.conjuncts.insert(key, lit);
        lit
    }

    /// The literal of a letter at a position.
    pub fn letter_at(&mut self, letter: &Letter, position: usize) -> Lit {
        let mut encoder =
            Encoder::new(&mut self.unrolling.circuit, self.unrolling.model, &self.unrolling.frames);
        encoder.bind_position(letter.at, position);
        encoder.truth(&letter.expr)
    }

    /// Whether an atom holds nowhere in a stretch between, before or after fixed positions.
    pub fn absent_at(&mut self, atom: AtomId, stretch: Stretch, positions: &[usize]) -> Lit {
        let range = stretch.range(positions, self.last() + 1);
        let mut so_far = self.circuit().yes();
        let mut add = |space: &mut Self, t: usize| {
            let mut present = space.atom_at(atom, t);
            if stretch == Stretch::After {
                let alive = space.alive(t);
                present = space.circuit().and(present, alive);
            }
            so_far = space.circuit().and(so_far, !present);
        };
        // From the end that the stretches of other positions share, so that gates are shared, too.
        match stretch {
            Stretch::After => range.rev().for_each(|t| add(self, t)),
            Stretch::Between | Stretch::Before => range.for_each(|t| add(self, t)),
        }
        so_far
    }

    /// The literal of an atom that reads one position, at that position.
    pub fn atom_at(&mut self, atom: AtomId, position: usize) -> Lit {
        let parts = self.atoms.get(atom).conjuncts.iter().enumerate();
        let conjuncts: Vec<Lit> = parts
            .map(|(index, part)| self.conjunct_at(atom, index, &[position][..part.params.len()]))
            .collect();
        self.unrolling.circuit.all(&conjuncts)
    }

    pub(super) fn slot(&mut self, variable: PositionVar) -> &Slot {
        let width = self.good.len();
        let unrolling = &mut self.unrolling;
        self.slots.entry(variable).or_insert_with(|| {
            let circuit = &mut unrolling.circuit;
            let mut from = vec![circuit.yes()];
            for _ in 1..width {
                from.push(circuit.fresh());
            }
            from.push(circuit.no());
            let mut at = Vec::with_capacity(width);
            for t in 0..width {
                circuit.add_clause(&[!from[t + 1], from[t]]);
                circuit.add_clause(&[!from[t], unrolling.frames[t].alive]);
                at.push(circuit.and(from[t], !from[t + 1]));
            }
            Slot { at, from }
        })
    }

    /// The assumption literal of a fact.
    fn fact(&mut self, fact: &Fact) -> Lit {
        if let Some(&lit) = self.facts.get(fact) {
            return lit;
        }
        for &variable in &fact.positions {
            self.slot(variable);
        }
        let lit = self.unrolling.circuit.fresh();
        match fact.kind {
            FactKind::Order(Order::Before) => {
                let (a, b) = (&self.slots[&fact.positions[0]], &self.slots[&fact.positions[1]]);
                for t in 0..a.at.len() {
                    self.unrolling.circuit.add_clause(&[!lit, !a.from[t], b.from[t + 1]]);
                }
            }
            FactKind::Order(Order::Next) => {
                let (a, b) = (&self.slots[&fact.positions[0]], &self.slots[&fact.positions[1]]);
                let no = self.unrolling.circuit.no();
                for t in 0..a.at.len() {
                    let after = b.at.get(t + 1).copied().unwrap_or(no);
                    self.unrolling.circuit.add_clause(&[!lit, !a.at[t], after]);
                }
            }
            FactKind::Atom(atom) => self.atom(atom, &fact.positions, lit),
            FactKind::Absent(atom, stretch) => self.absent(atom, stretch, &fact.positions, lit),
        }
        self.facts.insert(fact.clone(), lit);
        lit
    }

    /// Clauses: where `lit` holds, the atom holds at the position variables.
    fn atom(&mut self, id: AtomId, variables: &[PositionVar], lit: Lit) {
        let atom = self.atoms.get(id);
        for (index, conjunct) in atom.conjuncts.iter().enumerate() {
            if let [param] = conjunct.params.as_slice() {
                let at = self.slots[&variables[*param]].at.clone();
                for (t, selected) in at.into_iter().enumerate() {
                    let holds = self.conjunct_at(id, index, &[t]);
                    self.unrolling.circuit.add_clause(&[!lit, !selected, holds]);
                }
                continue;
            }
            let unrolling = &mut self.unrolling;
            let mut encoder = Encoder::new(&mut unrolling.circuit, unrolling.model, &unrolling.frames);
            for &param in &conjunct.params {
                let at = self.slots[&variables[param]].at.iter().enumerate();
                let scalar = at.map(|(t, &l)| (Value::Int(t as i64), l)).collect();
                encoder.bind(atom.params[param], Symbolic::Scalar(scalar));
            }
            let holds = encoder.truth(&conjunct.expr);
            unrolling.circuit.add_clause(&[!lit, holds]);
        }
    }

    /// Clauses: where `lit` holds, the atom holds nowhere in the stretch between, before or after position variables.
    fn absent(&mut self, atom: AtomId, stretch: Stretch, variables: &[PositionVar], lit: Lit) {
        for t in 0..=self.last() {
            let present = self.atom_at(atom, t);
            let slot = |n: usize| &self.slots[&variables[n]];
            let outside = match stretch {
                Stretch::Between => [slot(0).from[t], !slot(1).from[t + 1]],
                Stretch::Before => [!slot(0).from[t + 1]; 2],
                Stretch::After => [slot(0).from[t], !self.alive(t)],
            };
            self.circuit().add_clause(&[!lit, outside[0], outside[1], !present]);
        }
    }
}
