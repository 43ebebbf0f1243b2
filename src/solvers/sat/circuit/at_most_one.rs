//! At-most-one constraints as clauses.
//!
//! The pairwise encoding is used for up to six literals, otherwise the product encoding (J. Chen, "A new SAT encoding of the at-most-one
//! constraint", ModRef 2010): the literals are arranged in a grid, each literal implies its row and its
//! column, and at most one row and one column are true. It takes 2n + O(√n) clauses and propagates as
//! strongly as the pairwise encoding.

use super::Circuit;
use crate::sat::Lit;

/// The maximum number of literals for the pairwise encoding, which has no more clauses than others there.
const PAIRWISE: usize = 6;

/// Adds clauses that prevent any two entries of `lits` from holding together.
pub fn at_most_one(circuit: &mut Circuit, lits: &[Lit]) {
    if lits.len() <= PAIRWISE {
        for (index, &a) in lits.iter().enumerate() {
            for &b in &lits[index + 1..] {
                circuit.add_clause(&[!a, !b]);
            }
        }
        return;
    }
    let columns = ceil_sqrt(lits.len());
    let across: Vec<Lit> = (0..columns).map(|_| circuit.fresh()).collect();
    let mut down = Vec::new();
    for row in lits.chunks(columns) {
        let holds = circuit.fresh();
        down.push(holds);
        for (&lit, &column) in row.iter().zip(&across) {
            circuit.add_clause(&[!lit, holds]);
            circuit.add_clause(&[!lit, column]);
        }
    }
    at_most_one(circuit, &across);
    at_most_one(circuit, &down);
}

/// The least number whose square is at least `n`.
fn ceil_sqrt(n: usize) -> usize {
    let root = n.isqrt();
    if root * root == n { root } else { root + 1 }
}
