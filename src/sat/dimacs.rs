//! Output in DIMACS CNF, with comments on the meaning of variables.

use std::io::{self, Write};

use super::Lit;

/// A copy of the clauses added to a solver.
#[derive(Debug, Clone, Default)]
pub struct Cnf {
    /// The literals of all clauses, one clause after the other.
    lits: Vec<Lit>,
    /// The end of each clause in `lits`.
    ends: Vec<usize>,
    /// One more than the largest index of a variable.
    variables: usize,
}

impl Cnf {
    /// Adds a clause.
    pub fn push(&mut self, clause: &[Lit]) {
        self.lits.extend_from_slice(clause);
        self.ends.push(self.lits.len());
        self.see(clause);
    }

    /// The clauses in the order they were added.
    pub fn clauses(&self) -> impl ExactSizeIterator<Item = &[Lit]> {
        (0..self.ends.len()).map(|index| {
            let begin = if index == 0 { 0 } else { self.ends[index - 1] };
            &self.lits[begin..self.ends[index]]
        })
    }

    /// Writes `p cnf` and the clauses, with `assumptions` as unit clauses at the end. They are preceded by a
    /// comment `c var 12 = text` for each of `names`; a negated literal is `c var -12 = text`. Variables are
    /// numbered from 1, one more than their index.
    pub fn write(&self, names: &[(Lit, String)], assumptions: &[Lit], out: &mut dyn Write) -> io::Result<()> {
        for (lit, text) in names {
            let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            writeln!(out, "c var {} = {line}", lit.to_ipasir())?;
        }
        let mentioned = names.iter().map(|(lit, _)| lit).chain(assumptions);
        let variables = mentioned.map(|lit| lit.vidx() + 1).fold(self.variables, usize::max);
        writeln!(out, "p cnf {variables} {}", self.ends.len() + assumptions.len())?;
        for clause in self.clauses() {
            write_clause(clause, out)?;
        }
        if !assumptions.is_empty() {
            writeln!(out, "c assumptions")?;
        }
        assumptions.iter().try_for_each(|&lit| write_clause(&[lit], out))
    }

    fn see(&mut self, lits: &[Lit]) {
        self.variables = lits.iter().map(|lit| lit.vidx() + 1).fold(self.variables, usize::max);
    }
}

fn write_clause(clause: &[Lit], out: &mut dyn Write) -> io::Result<()> {
    for lit in clause {
        write!(out, "{} ", lit.to_ipasir())?;
    }
    writeln!(out, "0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_names_clauses_and_assumptions() {
        let [x, y, z] = [0, 1, 4].map(Lit::positive);
        let mut cnf = Cnf::default();
        cnf.push(&[x, !y]);
        cnf.push(&[]);
        let names = [(x, "door\nopen".to_owned()), (!y, "lock = none".to_owned())];
        let mut text = Vec::new();
        cnf.write(&names, &[!z], &mut text).unwrap();
        let expected =
            "c var 1 = door open\nc var -2 = lock = none\np cnf 5 3\n1 -2 0\n0\nc assumptions\n-5 0\n";
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }
}
