//! The pseudo-random numbers behind `--seed`.
//!
//! A seed must mean the same on every platform and in every version of the program, because results are stored and
//! compared by it. The generators of crates do not promise that (the sequences of `fastrand` changed with its version
//! 2.1), so this one is written out here; tests, which need no such promise, use `fastrand`.

use crate::number::to_usize;

/// SplitMix64 (G. Steele, D. Lea, C. Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014).
#[derive(Debug, Clone)]
pub struct SplitMix64(u64);

/// The difference between two states: an odd number near 2^64 divided by the golden ratio.
const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

impl SplitMix64 {
    /// A generator; different seeds give unrelated sequences.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number, with all 64 bits equally probable.
    pub fn next_u64(&mut self) -> u64 {
        let number = mix(self.0);
        self.0 = self.0.wrapping_add(GOLDEN_GAMMA);
        number
    }

    /// A number below `limit`, which must not be 0; the bias is less than `limit` / 2^64.
    pub fn below(&mut self, limit: usize) -> usize {
        to_usize((u128::from(self.next_u64()) * limit as u128) >> 64)
    }

    /// Shuffles a slice (Fisher and Yates).
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }
}

/// Returns the first number of SplitMix64 after the seed `number`: a hash in which each input bit affects half of the
/// output bits.
pub fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(GOLDEN_GAMMA);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
