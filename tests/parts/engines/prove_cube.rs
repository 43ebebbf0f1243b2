//! Tests of `engines::prove::cube`.

use engines::prove::StatementId;
use engines::prove::cube::StateLit;
use engines::prove::cube::*;

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
