//! Why a formula is not decided over a product.

use kit::budget::Exhausted;

/// Why there is no product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoProduct {
    /// The budget ended.
    Exhausted(Exhausted),
    /// It has more states than this.
    States(usize),
    /// The formula has more operators than an automaton is made for.
    Operators,
    /// There are more conditions of fairness, and `until`s, than marks.
    Conditions,
}

impl From<Exhausted> for NoProduct {
    fn from(why: Exhausted) -> Self {
        Self::Exhausted(why)
    }
}
