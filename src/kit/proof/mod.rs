//! Proofs of unsatisfiability in the format LRAT, and a checker that is independent of solvers.
//!
//! L. Cruz-Filipe, M. J. H. Heule, W. A. Hunt Jr., M. Kaufmann and P. Schneider-Kamp, *Efficient certified RAT
//! verification*, CADE 2017. Of its two kinds of steps, only those by unit propagation (RUP) are accepted, so each step
//! follows from the clauses before it.

mod formula;
mod lines;
mod lrat;

pub use formula::CnfFormula;
pub use lines::push_decimal;
pub use lrat::{LratResult, Verified, check};

use crate::budget::Exhausted;
use std::fmt;
use std::io;

/// An error in a text, or in a proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofFault {
    /// The line, from 1.
    pub line: u64,
    /// The error there.
    pub reason: String,
}

impl fmt::Display for ProofFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

impl std::error::Error for ProofFault {}

/// The reason why reading or checking ended early.
#[derive(Debug)]
pub enum ProofStopped {
    /// There is an error in the text.
    Fault(ProofFault),
    /// The text could not be read.
    Io(io::Error),
    /// The budget ended.
    Exhausted(Exhausted),
}

impl From<ProofFault> for ProofStopped {
    fn from(fault: ProofFault) -> Self {
        Self::Fault(fault)
    }
}

impl From<io::Error> for ProofStopped {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Exhausted> for ProofStopped {
    fn from(why: Exhausted) -> Self {
        Self::Exhausted(why)
    }
}
