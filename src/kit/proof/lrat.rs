//! A checker of LRAT proofs. It reads the proof line by line and forgets the clauses that the proof deletes.

use super::ProofStopped;
use super::formula::CnfFormula;
use super::lines::Lines;
use crate::budget::Budget;
use crate::number::{to_i32, to_i64};
use rustc_hash::FxHashMap;
use std::io::BufRead;

/// A checked proof: the clauses are unsatisfiable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verified {
    /// The number of derived clauses, including the empty one.
    pub derived: u64,
    /// The number of deleted clauses.
    pub deleted: u64,
}

/// The result of checking.
pub type LratResult = Result<Verified, ProofStopped>;

/// Checks that `proof`, the text of an LRAT proof, derives the empty clause from `formula`, whose first clause has
/// number 1. Each step must follow by unit propagation along its hints; steps by resolution asymmetric tautologies
/// (negative hints) are refused. Lines after the empty clause are not read.
///
/// # Errors
/// [`ProofStopped::Fault`] with the first wrong step, or if the proof ends without the empty clause.
pub fn check(formula: &CnfFormula, proof: &mut dyn BufRead, budget: &Budget) -> LratResult {
    let mut lines = Lines::new(proof, budget);
    let mut checker = LratChecker::new(formula);
    let (mut numbers, mut verified) = (Vec::new(), Verified { derived: 0, deleted: 0 });
    while lines.next()? {
        let mut deletes = false;
        numbers.clear();
        for (index, word) in lines.words().enumerate() {
            match word {
                b"d" if index == 1 => deletes = true,
                _ => numbers.push(lines.integer(word)?),
            }
        }
        let step = LratStep::of(&numbers, deletes).map_err(|reason| lines.fault(reason))?;
        match step {
            LratStep::Delete(clauses) => {
                verified.deleted += clauses.len() as u64;
                checker.delete(clauses).map_err(|reason| lines.fault(reason))?;
            }
            LratStep::Derive { id, clause, hints } => {
                verified.derived += 1;
                checker.derive(id, clause, hints).map_err(|reason| lines.fault(reason))?;
                if clause.is_empty() {
                    return Ok(verified);
                }
            }
        }
    }
    Err(lines.fault("the proof ends without the empty clause").into())
}

enum LratStep<'a> {
    /// Clauses that are no longer used.
    Delete(&'a [i64]),
    /// A clause, with the hints along which unit propagation derives a conflict from its negation.
    Derive { id: i64, clause: &'a [i64], hints: &'a [i64] },
}

impl<'a> LratStep<'a> {
    fn of(numbers: &'a [i64], deletes: bool) -> Result<Self, String> {
        let Some((&id, rest)) = numbers.split_first() else {
            return Err("the number of the step is missing".into());
        };
        let ended = |part: &'a [i64]| match part.split_last() {
            Some((0, part)) if !part.contains(&0) => Ok(part),
            _ => Err("one list of numbers that ends with 0 was expected".to_owned()),
        };
        if deletes {
            return Ok(Self::Delete(ended(rest)?));
        }
        let Some(end) = rest.iter().position(|&number| number == 0) else {
            return Err("the clause does not end with 0".into());
        };
        Ok(Self::Derive { id, clause: &rest[..end], hints: ended(&rest[end + 1..])? })
    }
}

/// The current clauses, by number, and an assignment.
struct LratChecker {
    clauses: FxHashMap<i64, Box<[i32]>>,
    /// The number of the last clause.
    last: i64,
    variables: i64,
    /// The value of each variable in the current step: 1 or -1; 0 if none.
    values: Vec<i8>,
    assigned: Vec<usize>,
}

impl LratChecker {
    fn new(formula: &CnfFormula) -> Self {
        let numbered = formula.clauses().zip(1..);
        Self {
            clauses: numbered.map(|(clause, id)| (id, clause.into())).collect(),
            last: to_i64(formula.len()),
            variables: to_i64(formula.variables()),
            values: vec![0; formula.variables() + 1],
            assigned: Vec::new(),
        }
    }

    fn delete(&mut self, ids: &[i64]) -> Result<(), String> {
        for id in ids {
            self.clauses.remove(id).ok_or_else(|| format!("there is no clause {id} to delete"))?;
        }
        Ok(())
    }

    fn derive(&mut self, id: i64, clause: &[i64], hints: &[i64]) -> Result<(), String> {
        if id <= self.last {
            return Err(format!("step {id} has no greater number than a clause before it"));
        }
        if let Some(lit) = clause.iter().find(|lit| lit.abs() > self.variables) {
            return Err(format!("step {id}: the clauses have no variable {}", lit.abs()));
        }
        let clause: Box<[i32]> = clause.iter().map(|&lit| to_i32(lit)).collect();
        let follows = self.follows(&clause, hints);
        for variable in self.assigned.drain(..) {
            self.values[variable] = 0;
        }
        follows.map_err(|reason| format!("step {id}: {reason}"))?;
        self.last = id;
        self.clauses.insert(id, clause);
        Ok(())
    }

    /// Checks that unit propagation along the hints derives a conflict from the negation of the clause.
    fn follows(&mut self, clause: &[i32], hints: &[i64]) -> Result<(), String> {
        for &lit in clause {
            match self.value(lit) {
                0 => self.assign(-lit),
                // A tautology.
                1 => return Ok(()),
                _ => {}
            }
        }
        for &hint in hints {
            if hint < 0 {
                return Err("it does not claim to follow by unit propagation alone".into());
            }
            let Some(antecedent) = self.clauses.get(&hint) else {
                return Err(format!("there is no clause {hint}"));
            };
            if antecedent.iter().any(|&lit| self.value(lit) == 1) {
                // A redundant hint: solvers name such clauses if a literal has two reasons.
                continue;
            }
            let mut unit = None;
            for &lit in antecedent {
                match self.value(lit) {
                    -1 => {}
                    _ if unit.is_some_and(|other| other != lit) => {
                        return Err(format!("clause {hint} is neither unit nor false"));
                    }
                    _ => unit = Some(lit),
                }
            }
            match unit {
                None => return Ok(()),
                Some(lit) => self.assign(lit),
            }
        }
        Err("its hints end without a conflict".into())
    }

    /// Returns 1 if the literal is true, -1 if it is false, 0 if neither.
    fn value(&self, lit: i32) -> i8 {
        let value = self.values[lit.unsigned_abs() as usize];
        if lit < 0 { -value } else { value }
    }

    fn assign(&mut self, lit: i32) {
        let variable = lit.unsigned_abs() as usize;
        self.values[variable] = if lit < 0 { -1 } else { 1 };
        self.assigned.push(variable);
    }
}
