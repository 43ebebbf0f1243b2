//! Classes whose matches are excluded only when a counterexample has one: for constraints that no encoding fits.
//! Complete all the same, because a counterexample counts only once the reference semantics finds no
//! match in it.

use super::Space;
use crate::classify::constraint::Constraint;
use crate::classify::fact::FactKind;
use crate::sat::Lit;
use crate::trace::Trace;

/// A class of which some matches are encoded.
pub struct Lazy {
    constraint: Constraint,
    /// True wherever one of the encoded matches is there.
    matched: Lit,
}

impl Space<'_> {
    /// A literal that, when assumed to be false, leaves the counterexamples outside the class.
    pub fn excluded_when_found(&mut self, constraint: &Constraint) -> Lit {
        let matched = self.circuit().fresh();
        self.lazy.push(Lazy { constraint: constraint.clone(), matched });
        matched
    }

    /// Whether a counterexample that was found under these assumptions is not what they mean: if it is in a
    /// class that they exclude, its match is excluded from now on.
    pub(super) fn excludes(&mut self, trace: &Trace, assumed: &[Lit]) -> bool {
        let mut excluded = false;
        for index in 0..self.lazy.len() {
            let class = &self.lazy[index];
            if !assumed.contains(&!class.matched) {
                continue;
            }
            if let Some(assigned) = self.matches(&class.constraint, trace) {
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

    /// Literals that are true wherever the ground constraint holds at these positions of the trace, which satisfy its
    /// order facts.
    fn holding_at(&mut self, constraint: &Constraint, positions: &[usize]) -> Vec<Lit> {
        let mut lits: Vec<Lit> = positions.iter().map(|&p| self.alive(p)).collect();
        for fact in &constraint.facts {
            let at: Vec<usize> = fact.positions.iter().map(|&p| positions[p.index()]).collect();
            match fact.kind {
                FactKind::Order(_) => {}
                FactKind::Absent(atom, stretch) => lits.push(self.absent_at(atom, stretch, &at)),
                FactKind::Atom(atom) => {
                    for (index, conjunct) in self.atoms.get(atom).conjuncts.iter().enumerate() {
                        let read: Vec<usize> = conjunct.params.iter().map(|&p| at[p]).collect();
                        lits.push(self.conjunct_at(atom, index, &read));
                    }
                }
            }
        }
        lits
    }
}
