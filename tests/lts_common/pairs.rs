//! States with how much of a sequence of actions has come, by definition.

use std::collections::BTreeSet;

/// The transitions of a system.
pub type Triples = BTreeSet<(u32, char, u32)>;

/// A state, and how much of the sequence has come.
pub type Pair = (u32, usize);

/// How much of a sequence is matched, greedily, after so much and a label.
pub fn grow(sequence: &[char], matched: usize, label: char) -> usize {
    if sequence.get(matched) == Some(&label) { matched + 1 } else { matched }
}

/// The pairs after one more transition.
pub fn after(triples: &Triples, sequence: &[char], (state, matched): Pair) -> BTreeSet<Pair> {
    let out = triples.iter().filter(|t| t.0 == state);
    out.map(|&(_, label, to)| (to, grow(sequence, matched, label))).collect()
}

/// All pairs that traces from some pair come to, itself included.
pub fn pairs(triples: &Triples, sequence: &[char], start: Pair) -> BTreeSet<Pair> {
    let (mut found, mut open) = (BTreeSet::from([start]), vec![start]);
    while let Some(pair) = open.pop() {
        open.extend(after(triples, sequence, pair).into_iter().filter(|&next| found.insert(next)));
    }
    found
}
