//! Proof obligations: clauses that are claimed to be unsatisfiable.

use super::{Cnf, Lit};
use std::io::{self, Write};

/// Clauses that a result needs to be unsatisfiable, with what their variables mean.
#[derive(Debug, Clone, Default)]
pub struct Obligation {
    /// The clauses, with what is assumed as unit clauses.
    pub clauses: Cnf,
    /// What literals stand for, see [`Cnf::write`].
    pub names: Vec<(Lit, String)>,
}

impl Obligation {
    /// Writes the clauses in DIMACS CNF, after a comment for each variable that stands for something in the model: `c var 12 =
    /// phase@3 = Idle` says that variable 12 is true iff `phase` is `Idle` after three steps.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.clauses.write(&self.names, out)
    }
}
