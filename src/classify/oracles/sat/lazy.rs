//! Classes whose matches are excluded only when a counterexample has one: for constraints that are too large for every
//! encoding. Nevertheless sound, because a counterexample counts only if the reference semantics finds no match in it.

use super::SatOracle;
use crate::facts::constraint::Constraint;
use crate::facts::fact::FactKind;
use itertools::Itertools;
use lang::model::Position;
use lang::trace::Trace;
use solvers::sat::Lit;

/// A class with some of its matches encoded.
pub struct Lazy {
    constraint: Constraint,
    /// True if one of the encoded matches is present.
    matched: Lit,
    /// True if its negation is part of gates, so that it may exclude the class without being assumed.
    in_gates: bool,
}

impl SatOracle<'_> {
    /// Returns a literal that, when assumed to be false, leaves the counterexamples outside of the class.
    /// Before its negation becomes part of a gate, [`SatOracle::exclude_in_gates`] must be called.
    pub fn excluded_when_found(&mut self, constraint: &Constraint) -> Lit {
        let matched = self.circuit().fresh();
        self.lazy.push(Lazy { constraint: constraint.clone(), matched, in_gates: false });
        matched
    }

    /// Records that the negation of a class's literal will be part of gates. From then on, no counterexample
    /// is returned in which the literal is false and the class matches.
    pub fn exclude_in_gates(&mut self, matched: Lit) {
        self.lazy.iter_mut().filter(|class| class.matched == matched).for_each(|class| class.in_gates = true);
    }

    /// True if some classes are excluded only when found.
    pub fn excludes_when_found(&self) -> bool {
        !self.lazy.is_empty()
    }

    /// True if a counterexample found under these assumptions, with the solver's assignment still present, is
    /// in a class that they or gates exclude; its match is then excluded from now on.
    pub(super) fn excludes(&mut self, trace: &Trace, assumed: &[Lit]) -> bool {
        let circuit = &self.unrolling.circuit;
        let excluding = |class: &Lazy| {
            assumed.contains(&!class.matched) || class.in_gates && !circuit.value(class.matched)
        };
        // Adding clauses discards the solver's assignment.
        let excluding: Vec<usize> = self.lazy.iter().positions(excluding).collect();
        let mut excluded = false;
        for index in excluding {
            let class = &self.lazy[index];
            if let Some(assigned) = class.constraint.matches(self.problem.model, self.atoms, &trace.moments) {
                let constraint = class.constraint.instance(self.atoms, &assigned.individuals);
                let matched = class.matched;
                let mut clause: Vec<Lit> =
                    self.holding_at(&constraint, &assigned.positions).into_iter().map(|l| !l).collect();
                clause.push(matched);
                self.circuit().add_clause(&clause);
                excluded = true;
            }
        }
        excluded
    }

    /// Returns literals that hold iff the ground constraint holds at these positions of the trace, which
    /// satisfy its order facts.
    fn holding_at(&mut self, constraint: &Constraint, positions: &[Position]) -> Vec<Lit> {
        let mut lits: Vec<Lit> = positions.iter().map(|&p| self.alive(p)).collect();
        for fact in &constraint.facts {
            let at: Vec<Position> = fact.positions.iter().map(|&p| positions[p.index()]).collect();
            match fact.kind {
                FactKind::Order(_) => {}
                FactKind::Absent(atom, stretch) => lits.push(self.absent_at(atom, stretch, &at)),
                FactKind::Atom(atom) => {
                    for (index, conjunct) in self.atoms.get(atom).conjuncts.iter().enumerate() {
                        let read: Vec<Position> = conjunct.params.iter().map(|&p| at[p]).collect();
                        lits.push(self.conjunct_at(atom, index, &read));
                    }
                }
            }
        }
        lits
    }
}
