//! Sets of states as conjunctions of literals over the statements of a system.

use super::statement::StateLit;

/// A set of states: those that satisfy all of its literals. Literals ascend, each occurring once; the cube without
/// literals is the set of all states.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cube {
    literals: Vec<StateLit>,
    /// A bit for each literal, several of which share one: where this has a bit that another cube's has not, the other one
    /// lacks a literal (N. Eén, A. Biere, "Effective preprocessing in SAT through variable and clause elimination", SAT 2005).
    signature: u64,
}

impl Cube {
    /// The cube of these literals.
    pub fn new(mut literals: Vec<StateLit>) -> Self {
        literals.sort_unstable();
        literals.dedup();
        Self::of_ascending(literals)
    }

    fn of_ascending(literals: Vec<StateLit>) -> Self {
        let bit = |literal: &StateLit| 1 << ((2 * literal.statement.0 + usize::from(literal.holds)) % 64);
        let signature = literals.iter().map(bit).fold(0, |bits, bit: u64| bits | bit);
        Self { literals, signature }
    }

    /// Its literals, in ascending order.
    pub fn literals(&self) -> &[StateLit] {
        &self.literals
    }

    /// The number of its literals.
    pub fn width(&self) -> usize {
        self.literals.len()
    }

    /// True if it has a literal.
    pub fn contains(&self, literal: StateLit) -> bool {
        self.literals.binary_search(&literal).is_ok()
    }

    /// Whether every state of `other` is one of this cube because the literals here are among those there.
    pub fn subsumes(&self, other: &Self) -> bool {
        if self.signature & !other.signature != 0 || self.width() > other.width() {
            return false;
        }
        let mut rest = other.literals.iter();
        self.literals.iter().all(|literal| rest.any(|o| o == literal))
    }

    /// The cube of those literals that satisfy a condition; it has more states.
    pub fn filtered(&self, keep: impl Fn(StateLit) -> bool) -> Self {
        Self::of_ascending(self.literals.iter().copied().filter(|&literal| keep(literal)).collect())
    }

    /// The clause that excludes the states of this cube.
    pub fn negated(&self) -> Vec<StateLit> {
        self.literals.iter().map(|&literal| !literal).collect()
    }
}
