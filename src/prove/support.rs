//! The part of an inductive invariant that is needed: the clauses that exclude what is bad, those that preserve
//! these, those that preserve these in turn, and so on. IC3 learns others by the way.

use super::certificate::Is;
use super::system::System;
use crate::budget::{Budget, Exhausted};
use crate::sat::{Answer, Backend, Circuit, Lit};

/// Those of `clauses`, in their order, that are enough.
///
/// # Errors
/// If the budget ends first.
///
/// # Panics
/// If the clauses are not preserved by every step, or do not exclude what is bad.
pub(super) fn support(
    system: &System<'_>,
    clauses: &[Vec<Is>],
    backend: Backend,
    budget: &Budget,
) -> Result<Vec<Vec<Is>>, Exhausted> {
    let mut path = system.paths_from_anywhere(backend, budget);
    path.grow_to(1);
    let (now, next) = (path.statements(0), path.statements(1));
    let (step, bad) = (path.reaches(1), path.bad(0));
    let circuit = &mut path.unrolling.circuit;
    let mut holds = Vec::new();
    for clause in clauses {
        let lits: Vec<Lit> = clause.iter().map(|is| is.literal(&now)).collect();
        holds.push(circuit.any(&lits));
    }
    let mut support = Support { holds, needed: vec![false; clauses.len()], open: Vec::new() };
    support.refute(circuit, &[bad])?;
    while let Some(clause) = support.open.pop() {
        let mut violated = vec![step];
        violated.extend(clauses[clause].iter().map(|is| !is.literal(&next)));
        support.refute(circuit, &violated)?;
    }
    let needed = clauses.iter().zip(support.needed).filter(|(_, needed)| *needed);
    Ok(needed.map(|(clause, _)| clause.clone()).collect())
}

struct Support {
    /// The literal of each clause before the step.
    holds: Vec<Lit>,
    /// Which clauses are known to be needed.
    needed: Vec<bool>,
    /// Those of them of which it is not known yet what preserves them.
    open: Vec<usize>,
}

impl Support {
    /// Finds clauses that exclude this, no other ones than are needed anyway if possible.
    fn refute(&mut self, circuit: &mut Circuit, what: &[Lit]) -> Result<(), Exhausted> {
        let known = self.holds.iter().zip(&self.needed).filter(|(_, needed)| **needed);
        let known: Vec<Lit> = known.map(|(lit, _)| *lit).collect();
        for assumed in [known, self.holds.clone()] {
            match circuit.solve(&[what, &assumed].concat()) {
                Answer::Sat => continue,
                Answer::Unknown(why) => return Err(why),
                Answer::Unsat => {}
            }
            for lit in circuit.core() {
                if let Some(clause) = self.holds.iter().position(|holds| *holds == lit)
                    && !std::mem::replace(&mut self.needed[clause], true)
                {
                    self.open.push(clause);
                }
            }
            return Ok(());
        }
        panic!("the clauses are no inductive invariant");
    }
}
