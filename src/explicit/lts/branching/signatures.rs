//! Signatures: what states can do, as numbers.

use crate::lts::labels::LabelId;
use kit::number::{to_u32, to_usize};
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// A step of a signature: a label with the class that it leads to, in ascending order of the bits. The greatest of them, if there are
/// any, are invisible steps inside a class to a state with a signature: its key.
pub type SignatureStep = u64;

/// The label of a step inside a class.
const INSIDE: u64 = u32::MAX as u64;

#[inline]
pub fn leaving(label: LabelId, class: u32) -> SignatureStep {
    u64::from(label.to_u32()) << 32 | u64::from(class)
}

/// An invisible step to a state of the same class that has the signature with this key.
#[inline]
pub fn inside(key: u32) -> SignatureStep {
    INSIDE << 32 | u64::from(key)
}

/// Different signatures of states of one class, and their keys: their numbers in the order in which they were first met.
#[derive(Default)]
pub struct Signatures {
    /// All signatures, one after the other.
    steps: Vec<SignatureStep>,
    /// The end of each signature in `steps`.
    ends: Vec<usize>,
    /// A hash table with open addressing: keys plus one, 0 where a slot is free, with the upper half of the hash.
    slots: Vec<(u32, u32)>,
    mask: usize,
}

impl Signatures {
    /// Forgets all signatures, and makes room for so many different ones.
    pub fn clear(&mut self, most: usize) {
        self.steps.clear();
        self.ends.clear();
        let size = (2 * most).next_power_of_two();
        self.mask = size - 1;
        self.slots.clear();
        self.slots.resize(size, (0, 0));
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The key of what can be done, given in any order, which is then sorted.
    pub fn key(&mut self, steps: &mut Vec<SignatureStep>) -> u32 {
        if !steps.is_sorted_by(|a, b| a < b) {
            steps.sort_unstable();
            steps.dedup();
        }
        if let Some((&last, others)) = steps.split_last()
            && last >> 32 == INSIDE
        {
            // What is done inside the class changes nothing if all else can be done after it.
            let key = to_u32(last & u64::from(u32::MAX));
            if is_subset(others, self.get(key)) {
                return key;
            }
        }
        let mut hasher = FxHasher::default();
        steps.iter().for_each(|&step| hasher.write_u64(step));
        let hash = hasher.finish();
        let upper = (hash >> 32) as u32;
        let mut slot = to_usize(hash & self.mask as u64);
        loop {
            match self.slots[slot] {
                (0, _) => break,
                (taken, same) if same == upper && self.get(taken - 1) == *steps => return taken - 1,
                _ => slot = (slot + 1) & self.mask,
            }
        }
        self.steps.extend_from_slice(steps);
        self.ends.push(self.steps.len());
        self.slots[slot] = (to_u32(self.ends.len()), upper);
        to_u32(self.ends.len()) - 1
    }

    fn get(&self, key: u32) -> &[SignatureStep] {
        let at = key as usize;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.steps[start..self.ends[at]]
    }
}

/// True if all of `some` are among `all`; both are in ascending order.
fn is_subset(some: &[SignatureStep], all: &[SignatureStep]) -> bool {
    let mut all = all.iter();
    some.len() <= all.len() && some.iter().all(|step| all.by_ref().find(|other| *other >= step) == Some(step))
}
