//! Clauses, and their reader for DIMACS CNF.

use super::lines::Lines;
use super::{ProofStopped, push_decimal};
use crate::budget::Budget;
use crate::number::{to_i32, to_i64, to_usize};
use std::io::{self, BufRead, Write};

/// The greatest number of a variable.
const MOST_VARIABLES: i64 = i32::MAX as i64 - 1;

/// Clauses over variables from 1; a negated one is negative.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CnfFormula {
    variables: usize,
    lits: Vec<i32>,
    /// The end of each clause in `lits`.
    ends: Vec<usize>,
}

impl CnfFormula {
    /// The greatest variable.
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// The number of clauses.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there is no clause.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Adds a clause.
    ///
    /// # Panics
    /// If a literal is 0.
    pub fn push(&mut self, clause: impl IntoIterator<Item = i32>) {
        for lit in clause {
            assert_ne!(lit, 0, "0 is no literal");
            self.variables = self.variables.max(lit.unsigned_abs() as usize);
            self.lits.push(lit);
        }
        self.ends.push(self.lits.len());
    }

    /// The clauses in their order.
    pub fn clauses(&self) -> impl ExactSizeIterator<Item = &[i32]> {
        (0..self.ends.len()).map(|index| {
            let begin = if index == 0 { 0 } else { self.ends[index - 1] };
            &self.lits[begin..self.ends[index]]
        })
    }

    /// Writes `p cnf` with at least `variables` variables, and the clauses.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write(&self, variables: usize, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "p cnf {} {}", self.variables.max(variables), self.len())?;
        let mut line = Vec::new();
        for clause in self.clauses() {
            line.clear();
            clause.iter().for_each(|&lit| push_decimal(&mut line, lit.into()));
            line.extend_from_slice(b"0\n");
            out.write_all(&line)?;
        }
        Ok(())
    }

    /// Reads DIMACS CNF. Lines that begin with `c` are comments; a clause may continue on the next line. As the
    /// standard demands, there are as many clauses as the header declares, and no more variables.
    ///
    /// # Errors
    /// If the text is not of this form or cannot be read, or the budget ends.
    pub fn read(text: &mut dyn BufRead, budget: &Budget) -> Result<Self, ProofStopped> {
        let mut lines = Lines::new(text, budget);
        if !lines.next()? {
            return Err(lines.fault("there is no header `p cnf VARIABLES CLAUSES`").into());
        }
        let header: Vec<&[u8]> = lines.words().collect();
        let [b"p", b"cnf", variables, clauses] = header[..] else {
            return Err(lines.fault("the header `p cnf VARIABLES CLAUSES` was expected").into());
        };
        let (variables, clauses) = (lines.integer(variables)?, lines.integer(clauses)?);
        if !(0..=MOST_VARIABLES).contains(&variables) || clauses < 0 {
            return Err(lines.fault("a number of the header is negative or too large").into());
        }
        let mut formula = Self { variables: to_usize(variables), ..Self::default() };
        let mut is_open = false;
        while lines.next()? {
            for word in lines.words() {
                let lit = lines.integer(word)?;
                is_open = lit != 0;
                if !is_open {
                    formula.ends.push(formula.lits.len());
                } else if lit.abs() > variables {
                    let reason = format!("{lit} is no literal of {variables} variables");
                    return Err(lines.fault(reason).into());
                } else {
                    formula.lits.push(to_i32(lit));
                }
            }
        }
        if is_open {
            return Err(lines.fault("the last clause does not end with 0").into());
        }
        if to_i64(formula.len()) != clauses {
            let reason = format!("there are {} clauses, and the header says {clauses}", formula.len());
            return Err(lines.fault(reason).into());
        }
        Ok(formula)
    }
}
