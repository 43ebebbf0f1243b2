//! `--theory`: the encoding of numbers for SMT solvers.

use cladist::smt::Theory;
use clap::ValueEnum;

/// The encoding of numbers in a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TheoryArg {
    /// Integers: QF_LIA
    Int,
    /// Bit vectors: QF_BV
    Bv,
}

impl From<TheoryArg> for Theory {
    fn from(theory: TheoryArg) -> Self {
        match theory {
            TheoryArg::Int => Theory::Int,
            TheoryArg::Bv => Theory::Bv,
        }
    }
}
