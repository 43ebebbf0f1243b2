//! Variables whose values the solver chooses, positions and individuals, and the facts about them: one
//! assumption literal each.

use super::SatOracle;
use crate::automata::letter::Letter;
use crate::facts::atom::Atom;
use crate::facts::fact::{Fact, FactKind, OrderRelation, Stretch};
use crate::facts::index::{AtomId, DomainId, IndividualVar, PositionVar};
use lang::model::Position;
use lang::model::expr::LocalId;
use lang::model::value::Value;
use solvers::sat::Lit;
use solvers::unroll::{Encoder, Symbolic};

/// The literals of a position variable: for each position, true if the variable is there (`at`), and if it is
/// there or later (`from`).
pub(super) struct PositionLiterals {
    pub(super) at: Vec<Lit>,
    from: Vec<Lit>,
}

impl PositionLiterals {
    /// Returns the literal that the variable is at a position or later; false after the last one.
    pub(super) fn from(&self, at: Position) -> Lit {
        self.from[at.index()]
    }
}

/// A conjunct of an atom at fixed positions.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct At {
    atom: AtomId,
    conjunct: usize,
    positions: Vec<Position>,
}

impl SatOracle<'_> {
    /// Returns literals that, when assumed, make the facts hold at positions of the solver's choice.
    pub fn holding(&mut self, facts: &[Fact]) -> Vec<Lit> {
        facts.iter().map(|f| self.fact(f)).collect()
    }

    /// Returns a literal that, when assumed, makes the atom hold at positions of the solver's choice; uses
    /// the position variables from `first` on.
    pub fn somewhere(&mut self, atom: AtomId, first: PositionVar) -> Lit {
        let count = self.atoms.get(atom).params.len();
        let positions = (0..count).map(|n| PositionVar::new(first.index() + n)).collect();
        self.fact(&Fact::about(FactKind::Atom(atom), positions))
    }

    /// Returns the literal of a conjunct of a ground atom at fixed positions, one for each parameter that it reads.
    pub fn conjunct_at(&mut self, atom: AtomId, conjunct: usize, positions: &[Position]) -> Lit {
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

    /// Returns the literal of a letter at a position.
    pub fn letter_at(&mut self, letter: &Letter, position: Position) -> Lit {
        let mut encoder =
            Encoder::new(&mut self.unrolling.circuit, self.unrolling.model, &self.unrolling.frames);
        encoder.bind_position(letter.at, position);
        encoder.truth(&letter.expr)
    }

    /// Returns a literal that is true if an atom holds nowhere in a stretch between, before or after fixed positions.
    pub fn absent_at(&mut self, atom: AtomId, stretch: Stretch, positions: &[Position]) -> Lit {
        let range = stretch.range(positions, self.longest() + 1);
        let mut so_far = self.circuit().yes();
        let mut add = |oracle: &mut Self, t: Position| {
            let mut present = oracle.atom_at(atom, t);
            if stretch == Stretch::After {
                let alive = oracle.alive(t);
                present = oracle.circuit().and(present, alive);
            }
            so_far = oracle.circuit().and(so_far, !present);
        };
        // Starts at the end that stretches of other positions share, so that gates are shared, too.
        match stretch {
            Stretch::After => range.rev().for_each(|t| add(self, t)),
            Stretch::Between | Stretch::Before => range.for_each(|t| add(self, t)),
        }
        so_far
    }

    /// Returns the literal of a ground atom that reads one position, at that position.
    pub fn atom_at(&mut self, atom: AtomId, position: Position) -> Lit {
        let parts = self.atoms.get(atom).conjuncts.iter().enumerate();
        let conjuncts: Vec<Lit> = parts
            .map(|(index, part)| self.conjunct_at(atom, index, &[position][..part.params.len()]))
            .collect();
        self.unrolling.circuit.all(&conjuncts)
    }

    pub(super) fn slot(&mut self, variable: PositionVar) -> &PositionLiterals {
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
            PositionLiterals { at, from }
        })
    }

    /// Returns the assumption literal of a fact.
    fn fact(&mut self, fact: &Fact) -> Lit {
        if let Some(&lit) = self.facts.get(fact) {
            return lit;
        }
        for &variable in &fact.positions {
            self.slot(variable);
        }
        if let FactKind::Atom(atom) | FactKind::Absent(atom, _) = fact.kind {
            let values = &self.atoms.get(atom).values;
            values.iter().zip(&fact.individuals).for_each(|(v, &of)| self.choose_individual(v.domain, of));
        }
        let lit = self.unrolling.circuit.fresh();
        match fact.kind {
            FactKind::Order(OrderRelation::Before) => {
                let (a, b) = (&self.slots[&fact.positions[0]], &self.slots[&fact.positions[1]]);
                for t in self.positions() {
                    self.unrolling.circuit.add_clause(&[!lit, !a.from(t), b.from(t.next())]);
                }
            }
            FactKind::Order(OrderRelation::Next) => {
                let (a, b) = (&self.slots[&fact.positions[0]], &self.slots[&fact.positions[1]]);
                let no = self.unrolling.circuit.no();
                let next = b.at.iter().skip(1).copied().chain([no]);
                for (&here, after) in a.at.iter().zip(next) {
                    self.unrolling.circuit.add_clause(&[!lit, !here, after]);
                }
            }
            FactKind::Atom(atom) => self.atom(atom, fact, lit),
            FactKind::Absent(atom, stretch) => self.absent(atom, stretch, fact, lit),
        }
        self.facts.insert(fact.clone(), lit);
        lit
    }

    /// Creates an individual whose value the solver chooses, unless it exists.
    fn choose_individual(&mut self, domain: DomainId, individual: IndividualVar) {
        if self.individuals.contains_key(&(domain, individual)) {
            return;
        }
        let values = self.unrolling.model.types.values(self.atoms.type_of(domain));
        let circuit = &mut self.unrolling.circuit;
        let lits: Vec<Lit> = values.iter().map(|_| circuit.fresh()).collect();
        circuit.add_clause(&lits);
        circuit.at_most_one(&lits);
        self.individuals.insert((domain, individual), values.into_iter().zip(lits).collect());
    }

    /// Returns the value of an individual in the solver's assignment; any value if no fact has used it.
    pub(super) fn individual(&self, domain: DomainId, individual: IndividualVar) -> Value {
        let circuit = &self.unrolling.circuit;
        let chosen = self.individuals.get(&(domain, individual)).and_then(|values| {
            values.iter().find(|(_, lit)| circuit.value(*lit)).map(|(value, _)| value.clone())
        });
        chosen.unwrap_or_else(|| {
            let values = self.unrolling.model.types.values(self.atoms.type_of(domain));
            values.into_iter().next().expect("a domain has values")
        })
    }

    /// Adds clauses: `lit` implies that the atom holds at the position variables and for the individuals.
    fn atom(&mut self, id: AtomId, fact: &Fact, lit: Lit) {
        let atom = self.atoms.get(id);
        for (index, conjunct) in atom.conjuncts.iter().enumerate() {
            if let [param] = conjunct.params.as_slice() {
                let at = self.slots[&fact.positions[*param]].at.clone();
                for (t, selected) in self.positions().zip(at) {
                    let holds = match conjunct.values.as_slice() {
                        [] => self.conjunct_at(id, index, &[t]),
                        _ => self.lifted_at(atom, index, fact, t),
                    };
                    self.unrolling.circuit.add_clause(&[!lit, !selected, holds]);
                }
                continue;
            }
            let mut positions = Vec::new();
            for &param in &conjunct.params {
                let at = self.positions().zip(&self.slots[&fact.positions[param]].at);
                let scalar = at.map(|(t, &l)| (t.into(), l)).collect();
                positions.push((atom.params[param], Symbolic::Scalar(scalar)));
            }
            let individuals = self.individuals_of(atom, index, fact);
            let unrolling = &mut self.unrolling;
            let mut encoder = Encoder::new(&mut unrolling.circuit, unrolling.model, &unrolling.frames);
            positions.into_iter().chain(individuals).for_each(|(local, value)| encoder.bind(local, value));
            let holds = encoder.truth(&conjunct.expr);
            unrolling.circuit.add_clause(&[!lit, holds]);
        }
    }

    /// Returns the individuals that a conjunct of an atom reads, as symbolic values.
    fn individuals_of(&self, atom: &Atom, conjunct: usize, fact: &Fact) -> Vec<(LocalId, Symbolic)> {
        let read = atom.conjuncts[conjunct].values.iter().map(|&v| (atom.values[v], fact.individuals[v]));
        let symbolic = read.map(|(param, individual)| {
            let values = self.individuals[&(param.domain, individual)].clone();
            (param.local, Symbolic::Scalar(values))
        });
        symbolic.collect()
    }

    /// Returns the literal of a conjunct that reads one position, at that position, for the individuals of a fact.
    fn lifted_at(&mut self, atom: &Atom, conjunct: usize, fact: &Fact, position: Position) -> Lit {
        let individuals = self.individuals_of(atom, conjunct, fact);
        let part = &atom.conjuncts[conjunct];
        let unrolling = &mut self.unrolling;
        let mut encoder = Encoder::new(&mut unrolling.circuit, unrolling.model, &unrolling.frames);
        part.params.iter().for_each(|&param| encoder.bind_position(atom.params[param], position));
        individuals.into_iter().for_each(|(local, value)| encoder.bind(local, value));
        encoder.truth(&part.expr)
    }

    /// Adds clauses: `lit` implies that the atom holds nowhere in the stretch between, before or after position variables.
    fn absent(&mut self, id: AtomId, stretch: Stretch, fact: &Fact, lit: Lit) {
        let atom = self.atoms.get(id);
        for t in self.positions() {
            let present = if atom.values.is_empty() {
                self.atom_at(id, t)
            } else {
                let parts: Vec<Lit> =
                    (0..atom.conjuncts.len()).map(|c| self.lifted_at(atom, c, fact, t)).collect();
                self.circuit().all(&parts)
            };
            let slot = |n: usize| &self.slots[&fact.positions[n]];
            let outside = match stretch {
                Stretch::Between => [slot(0).from(t), !slot(1).from(t.next())],
                Stretch::Before => [!slot(0).from(t.next()); 2],
                Stretch::After => [slot(0).from(t), !self.alive(t)],
            };
            self.circuit().add_clause(&[!lit, outside[0], outside[1], !present]);
        }
    }
}
