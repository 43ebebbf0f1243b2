//! Why something never happens, in a form that is quick to check again: by another solver, from clauses
//! made anew.

use super::statement::StateLit;
use super::system::{Path, System};
use crate::budget::{Budget, Exhausted};
use crate::sat::{Answer, Backend, Lit};

/// Why something never happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Certificate {
    /// Clauses that hold in the initial states, are preserved by every step, and exclude what is bad.
    Invariant(Vec<Vec<StateLit>>),
    /// Nothing bad happens at positions below `k`; and nowhere does it follow on k states in a row in which
    /// it has not happened.
    Induction {
        /// At least 0.
        k: usize,
        /// Pairs of positions whose states were taken to differ in the second part. A path may be cut short
        /// where a state comes back, so this takes nothing away.
        distinct: Vec<(usize, usize)>,
    },
}

/// What checking a certificate again gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checked {
    /// It is right.
    Confirmed,
    /// It is wrong, for this reason.
    Refused(&'static str),
    /// The budget ended first.
    Exhausted(Exhausted),
}

impl Certificate {
    /// Checks it from scratch.
    pub fn check(&self, system: &System<'_>, backend: Backend, budget: &Budget) -> Checked {
        let result = match self {
            Self::Invariant(clauses) => invariant(system, clauses, backend, budget),
            Self::Induction { k, distinct } => induction(system, *k, distinct, backend, budget),
        };
        match result {
            Ok(None) => Checked::Confirmed,
            Ok(Some(wrong)) => Checked::Refused(wrong),
            Err(why) => Checked::Exhausted(why),
        }
    }

    /// The clauses of an invariant, as the language writes them; none for induction.
    pub fn texts(&self, system: &System<'_>) -> Vec<String> {
        let Self::Invariant(clauses) = self else { return Vec::new() };
        clauses.iter().map(|clause| clause_text(system, clause)).collect()
    }
}

fn clause_text(system: &System<'_>, clause: &[StateLit]) -> String {
    if clause.is_empty() {
        return "false".into();
    }
    // Conditions first, conclusions last: `a and b => c or d`, `a and b => not c`.
    let (mut conclusions, mut conditions): (Vec<&StateLit>, Vec<&StateLit>) =
        clause.iter().partition(|is| is.holds);
    if conclusions.is_empty() {
        conclusions.extend(conditions.pop());
    }
    let texts = |list: &[&StateLit], holds: fn(&StateLit) -> bool, word: &str| {
        let texts: Vec<String> = list.iter().map(|is| system.text(is.statement, holds(is))).collect();
        texts.join(word)
    };
    let then = texts(&conclusions, |is| is.holds, " or ");
    if conditions.is_empty() {
        return then;
    }
    format!("{} => {then}", texts(&conditions, |_| true, " and "))
}

/// Whether there is something: that is what makes a certificate wrong.
fn exists(path: &mut Path<'_>, assumptions: &[Lit]) -> Result<bool, Exhausted> {
    match path.unrolling.circuit.solve(assumptions) {
        Answer::Sat => Ok(true),
        Answer::Unsat => Ok(false),
        Answer::Unknown(why) => Err(why),
    }
}

fn invariant(
    system: &System<'_>,
    clauses: &[Vec<StateLit>],
    backend: Backend,
    budget: &Budget,
) -> Result<Option<&'static str>, Exhausted> {
    let mut path = system.paths_from_anywhere(backend, budget);
    path.grow_to(1);
    let holds = [0, 1].map(|position| {
        let literals = path.statements(position);
        let clauses: Vec<Lit> = clauses
            .iter()
            .map(|clause| {
                let lits: Vec<Lit> = clause.iter().map(|is| is.lit(&literals)).collect();
                path.unrolling.circuit.any(&lits)
            })
            .collect();
        path.unrolling.circuit.all(&clauses)
    });
    let initial = path.initial();
    if exists(&mut path, &[initial, !holds[0]])? {
        return Ok(Some("an initial state does not satisfy it"));
    }
    let bad = path.bad(0);
    if exists(&mut path, &[holds[0], bad])? {
        return Ok(Some("it does not exclude what is bad"));
    }
    let step = path.reaches(1);
    if exists(&mut path, &[step, holds[0], !holds[1]])? {
        return Ok(Some("a step does not preserve it"));
    }
    Ok(None)
}

fn induction(
    system: &System<'_>,
    k: usize,
    distinct: &[(usize, usize)],
    backend: Backend,
    budget: &Budget,
) -> Result<Option<&'static str>, Exhausted> {
    let mut base = system.paths_from_start(backend, budget);
    for position in 0..k {
        base.grow_to(position);
        let (here, bad) = (base.reaches(position), base.bad(position));
        if exists(&mut base, &[here, bad])? {
            return Ok(Some("something bad happens within its first steps"));
        }
    }
    let mut step = system.paths_from_anywhere(backend, budget);
    step.grow_to(k);
    let mut assumptions = vec![step.reaches(k), step.bad(k)];
    for position in 0..k {
        assumptions.push(!step.bad(position));
    }
    for &(i, j) in distinct {
        if i >= j || j > k {
            return Ok(Some("it speaks of positions that are not there"));
        }
        assumptions.push(differ(&mut step, i, j));
    }
    if exists(&mut step, &assumptions)? {
        return Ok(Some("something bad can follow on so many good states"));
    }
    Ok(None)
}

/// Whether two positions have different states.
pub(super) fn differ(path: &mut Path<'_>, i: usize, j: usize) -> Lit {
    let (a, b) = (path.statements(i), path.statements(j));
    let circuit = &mut path.unrolling.circuit;
    let differences: Vec<Lit> = a.into_iter().zip(b).map(|(a, b)| circuit.xor(a, b)).collect();
    circuit.any(&differences)
}
