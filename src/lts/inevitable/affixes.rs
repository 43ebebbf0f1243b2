//! How much of a sequence of actions is behind each state, and how much is before it.

use crate::lts::facts::reachable;
use crate::lts::graph::{Lts, Rows};

/// The four affixes of each state as lengths, from 0 to that of the sequence. They are about the paths from the
/// initial state, and where a state cannot be reached, the prefixes mean nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Affixes {
    /// The longest prefix that some path to the state has.
    pub max_prefix: Vec<u32>,
    /// The longest prefix that every path to the state has.
    pub common_prefix: Vec<u32>,
    /// The longest suffix that some run from the state has.
    pub max_suffix: Vec<u32>,
    /// The longest suffix that every run from the state has.
    pub common_suffix: Vec<u32>,
}

/// The length of the prefix of the sequence after one more action.
#[inline]
pub(super) fn extended(sequence: &[u32], prefix: u32, label: u32) -> u32 {
    prefix + u32::from(sequence.get(prefix as usize) == Some(&label))
}

/// The length of the suffix of the sequence with one more action before it.
#[inline]
fn preceded(sequence: &[u32], suffix: u32, label: u32) -> u32 {
    let next = sequence.len().checked_sub(suffix as usize + 1);
    suffix + u32::from(next.is_some_and(|at| sequence[at] == label))
}

impl Affixes {
    /// Computes them in time linear in the transitions and in the length of the sequence, whose members are
    /// numbers of labels (others stand for labels that the system does not have).
    pub fn new(lts: &Lts, backward: &Rows, sequence: &[u32]) -> Self {
        let (states, length) = (lts.states(), sequence.len() as u32);
        let reachable = reachable(lts);
        let initial = lts.initial();

        let mut max_prefix = vec![0; states];
        let seeds = reachable.iter().map(|s| s as u32).collect();
        spread(lts.forward(), seeds, &mut max_prefix, |known, from, label| {
            Some(extended(sequence, from, label)).filter(|&longer| longer > known)
        });
        // No path is known at first.
        let mut common_prefix = vec![length; states];
        common_prefix[initial as usize] = 0;
        let seeds = reachable.iter().map(|s| s as u32).collect();
        spread(lts.forward(), seeds, &mut common_prefix, |known, from, label| {
            Some(extended(sequence, from, label)).filter(|&shorter| shorter < known)
        });
        let mut max_suffix = vec![0; states];
        spread(backward, (0..states as u32).collect(), &mut max_suffix, |known, to, label| {
            Some(preceded(sequence, to, label)).filter(|&longer| longer > known)
        });
        let common_suffix = common_suffix(lts, backward, sequence);
        Self { max_prefix, common_prefix, max_suffix, common_suffix }
    }
}

/// Changes values along the rows until none has to be changed any more.
fn spread(
    rows: &Rows,
    mut open: Vec<u32>,
    values: &mut [u32],
    changed: impl Fn(u32, u32, u32) -> Option<u32>,
) {
    while let Some(state) = open.pop() {
        for (label, other) in rows.of(state) {
            if let Some(value) = changed(values[other as usize], values[state as usize], label) {
                values[other as usize] = value;
                open.push(other);
            }
        }
    }
}

/// The common suffixes, one action of the sequence after the other from the last one. Every run from a state has
/// one more action if each of its transitions is this action and leads to a state whose runs all have the rest, or
/// leads to a state of which this is known already; so loops without the action never get it.
fn common_suffix(lts: &Lts, backward: &Rows, sequence: &[u32]) -> Vec<u32> {
    let mut suffix = vec![0u32; lts.states()];
    for (have, &action) in sequence.iter().rev().enumerate() {
        let have = have as u32;
        // Transitions of which it is not known yet; those that are the action need no more than the rest.
        let mut left = vec![0u32; lts.states()];
        let mut open = Vec::new();
        for state in 0..lts.states() as u32 {
            let fine = |(label, to): (u32, u32)| label == action && suffix[to as usize] >= have;
            left[state as usize] = lts.out(state).filter(|&step| !fine(step)).count() as u32;
            if left[state as usize] == 0 && lts.out(state).len() > 0 {
                open.push(state);
            }
        }
        let mut longer = Vec::new();
        while let Some(state) = open.pop() {
            longer.push(state);
            for (label, from) in backward.of(state) {
                let fine_before = label == action && suffix[state as usize] >= have;
                if !fine_before {
                    left[from as usize] -= 1;
                    if left[from as usize] == 0 {
                        open.push(from);
                    }
                }
            }
        }
        longer.iter().for_each(|&state| suffix[state as usize] = have + 1);
    }
    suffix
}
