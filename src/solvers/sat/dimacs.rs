//! Output in DIMACS CNF, with comments on the meaning of variables.

use super::Lit;
use kit::proof::CnfFormula;
use std::io::{self, Write};

/// A copy of the clauses added to a solver. Variables are numbered from 1, one more than their index.
#[derive(Debug, Clone, Default)]
pub struct Cnf {
    formula: CnfFormula,
}

impl Cnf {
    /// Adds a clause.
    pub fn push(&mut self, clause: &[Lit]) {
        self.formula.push(clause.iter().map(|lit| lit.to_ipasir()));
    }

    /// The clauses in the order they were added.
    pub fn clauses(&self) -> impl Iterator<Item = Vec<Lit>> {
        let lit = |&lit: &i32| Lit::new(lit.unsigned_abs() - 1, lit < 0);
        self.formula.clauses().map(move |clause| clause.iter().map(lit).collect())
    }

    /// The clauses for callers that know no solver.
    pub fn formula(&self) -> &CnfFormula {
        &self.formula
    }

    /// The clauses with `assumptions` as unit clauses at the end.
    #[must_use]
    pub fn assuming(&self, assumptions: &[Lit]) -> Self {
        let mut all = self.clone();
        assumptions.iter().for_each(|&lit| all.push(&[lit]));
        all
    }

    /// Writes `p cnf` and the clauses. They are preceded by a comment `c var 12 = text` for each of `names`; a negated literal
    /// is `c var -12 = text`.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn write(&self, names: &[(Lit, String)], out: &mut dyn Write) -> io::Result<()> {
        for (lit, text) in names {
            let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            writeln!(out, "c var {} = {line}", lit.to_ipasir())?;
        }
        let named = names.iter().map(|(lit, _)| lit.vidx() + 1).max();
        self.formula.write(named.unwrap_or_default(), out)
    }
}

/// Clauses that a result needs to be unsatisfiable, with what their variables mean.
#[derive(Debug, Clone, Default)]
pub struct ClauseObligation {
    /// The clauses, with what is assumed as unit clauses.
    pub clauses: Cnf,
    /// The meaning of literals, see [`Cnf::write`].
    pub names: Vec<(Lit, String)>,
}

impl ClauseObligation {
    /// Writes the clauses in DIMACS CNF, after a comment for each variable that stands for something in the model: `c var 12 =
    /// phase@3 = Idle` says that variable 12 is true iff `phase` is `Idle` after three steps.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.clauses.write(&self.names, out)
    }
}
