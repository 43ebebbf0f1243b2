//! Sets of states as conjunctions of literals over the statements of a system.

use super::statement::StateLit;

/// A set of states: those that satisfy all of its literals. Literals ascend, each occurring once; the cube without
/// literals is the set of all states.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cube(Vec<StateLit>);

impl Cube {
    pub fn new(mut literals: Vec<StateLit>) -> Self {
        literals.sort_unstable();
        literals.dedup();
        Self(literals)
    }

    pub fn literals(&self) -> &[StateLit] {
        &self.0
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn contains(&self, literal: StateLit) -> bool {
        self.0.binary_search(&literal).is_ok()
    }

    /// Whether every state of `other` is one of this cube because the literals here are among those there.
    pub fn subsumes(&self, other: &Self) -> bool {
        let mut rest = other.0.iter();
        self.len() <= other.len() && self.0.iter().all(|literal| rest.any(|o| o == literal))
    }

    /// The cube of those literals that satisfy a condition; it has more states.
    pub fn filtered(&self, keep: impl Fn(StateLit) -> bool) -> Self {
        Self(self.0.iter().copied().filter(|&literal| keep(literal)).collect())
    }

    /// The clause that excludes the states of this cube.
    pub fn negated(&self) -> Vec<StateLit> {
        self.0.iter().map(|&literal| !literal).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prove::StatementId;

    #[test]
    fn fewer_literals_are_more_states() {
        let literal = |statement, holds| StateLit { statement: StatementId(statement), holds };
        let [a, b, c] = [literal(0, true), literal(1, false), literal(2, true)];
        let [all, ab, ac] = [vec![], vec![b, a, b], vec![a, c]].map(Cube::new);
        assert_eq!(ab.literals(), [a, b]);
        assert!(all.subsumes(&ab) && ab.subsumes(&ab) && !ab.subsumes(&all) && !ab.subsumes(&ac));
        assert!(ac.filtered(|l| l != c).subsumes(&ab));
        assert!(!Cube::new(vec![!a]).subsumes(&ab));
        assert_eq!(ac.negated(), [!a, !c]);
    }
}
