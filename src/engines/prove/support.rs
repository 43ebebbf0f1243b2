//! The needed part of an inductive invariant: the clauses that exclude the bad states, those that preserve these, those
//! that preserve these in turn, and so on. IC3 also learns clauses that are not needed.

use super::cube::StateLit;
use super::system::ObservedModel;
use kit::budget::{Budget, Exhausted};
use lang::model::Position;
use rustc_hash::FxHashMap;
use solvers::sat::{Backend, Circuit, Lit};

/// Returns a sufficient part of `clauses`, in their order.
///
/// # Errors
/// If the budget ends first.
///
/// # Panics
/// If the clauses are not preserved by every step, or do not exclude the bad states.
pub(super) fn support(
    system: &ObservedModel<'_>,
    clauses: &[Vec<StateLit>],
    backend: Backend,
    budget: &Budget,
) -> Result<Vec<Vec<StateLit>>, Exhausted> {
    let mut path = system.paths_from_anywhere(backend, budget);
    let (before, after) = (Position::FIRST, Position::FIRST.next());
    path.grow_to(after);
    let (now, next) = (path.statements(before), path.statements(after));
    let (step, bad) = (path.reaches(after), path.bad(before));
    let circuit = &mut path.unrolling.circuit;
    let mut holds = Vec::new();
    for clause in clauses {
        let lits: Vec<Lit> = clause.iter().map(|is| is.lit(&now)).collect();
        holds.push(circuit.any(&lits));
    }
    let mut support = Support {
        clause_of: holds.iter().enumerate().map(|(clause, &lit)| (lit, clause)).collect(),
        holds,
        needed: vec![false; clauses.len()],
        open: Vec::new(),
    };
    support.refute(circuit, vec![bad])?;
    while let Some(clause) = support.open.pop() {
        let mut violated = vec![step];
        violated.extend(clauses[clause].iter().map(|is| !is.lit(&next)));
        support.refute(circuit, violated)?;
    }
    let needed = clauses.iter().zip(support.needed).filter(|(_, needed)| *needed);
    Ok(needed.map(|(clause, _)| clause.clone()).collect())
}

struct Support {
    /// The literal of each clause before the step. Those of needed clauses are asserted.
    holds: Vec<Lit>,
    /// The clause of each of these literals.
    clause_of: FxHashMap<Lit, usize>,
    /// True for the clauses known to be needed.
    needed: Vec<bool>,
    /// The needed clauses whose preservation is still to be explained.
    open: Vec<usize>,
}

impl Support {
    /// Finds clauses that refute these assumptions, if possible only ones that are needed anyway.
    fn refute(&mut self, circuit: &mut Circuit, mut what: Vec<Lit>) -> Result<(), Exhausted> {
        if !circuit.solve(&what).is_sat()? {
            return Ok(());
        }
        let others = self.holds.iter().zip(&self.needed).filter(|(_, needed)| !**needed);
        what.extend(others.map(|(lit, _)| *lit));
        assert!(!circuit.solve(&what).is_sat()?, "the clauses are no inductive invariant");
        for lit in circuit.core() {
            if let Some(&clause) = self.clause_of.get(&lit)
                && !std::mem::replace(&mut self.needed[clause], true)
            {
                circuit.add_clause(&[lit]);
                self.open.push(clause);
            }
        }
        Ok(())
    }
}
