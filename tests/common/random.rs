//! The random numbers of all tests that do not draw their cases with proptest.
#![allow(dead_code, reason = "each test uses a part of it")]

/// How many random cases a test goes through: `usual`, times the factor `CLADIST_CASES` if that is set (`CLADIST_CASES=4`).
pub fn cases(usual: u64) -> u64 {
    (usual as f64 * factor()).ceil() as u64
}

/// One of so many cases that take long; all of them if `CLADIST_CASES` is at least `number`.
pub fn one_in<T>(number: usize, all: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
    all.into_iter().step_by((number as f64 / factor()).ceil().max(1.0) as usize)
}

fn factor() -> f64 {
    std::env::var("CLADIST_CASES").ok().and_then(|factor| factor.parse().ok()).unwrap_or(1.0)
}

/// The seeds of as many random cases, from the number `CLADIST_FIRST` on if that is set: so a long run can be made of short ones.
pub fn seeds(usual: u64) -> std::ops::Range<u64> {
    let first = std::env::var("CLADIST_FIRST").ok().and_then(|first| first.parse().ok()).unwrap_or(0);
    first..first + cases(usual)
}

/// A generator of random numbers; the same seed gives the same ones.
#[derive(Clone)]
pub struct Random(fastrand::Rng);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    /// A number below `n`. Drawn with 64 bits, so that all platforms test the same cases.
    pub fn below(&mut self, n: usize) -> usize {
        self.0.u64(..n as u64) as usize
    }

    /// `true` in `p` cases of 100.
    pub fn percent(&mut self, p: usize) -> bool {
        self.below(100) < p
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
