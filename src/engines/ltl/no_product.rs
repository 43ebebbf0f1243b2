//! Reasons why a formula is not decided over a product.

use kit::budget::Exhausted;

/// The reason why there is no product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoProduct {
    /// The budget ended.
    Exhausted(Exhausted),
    /// The product has more states than this.
    States(usize),
    /// The formula has more operators than the automaton construction admits.
    Operators,
    /// There are more fairness conditions and `until` operators than marks.
    Conditions,
}

impl From<Exhausted> for NoProduct {
    fn from(why: Exhausted) -> Self {
        Self::Exhausted(why)
    }
}
