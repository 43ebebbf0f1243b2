//! Numbers of items, with digits in groups of three.

pub use kit::number::{grouped, thousands};

/// `1 clause`, `1,200 clauses`.
pub fn counted<N: PartialEq + From<u8> + ToString>(number: N, noun: &str) -> String {
    if number == N::from(1) { format!("1 {noun}") } else { format!("{} {noun}s", thousands(number)) }
}
