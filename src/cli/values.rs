//! Parsers for the values of options, with advice on values that cannot be read.

pub use cladist::batch::parse_override;
pub use cladist::budget::{bytes_text, parse_bytes, parse_duration};
pub use cladist::limits::{parse_length, parse_range};
use std::num::NonZeroUsize;
use std::str::FromStr;

/// Parses a bound: a number of steps, 0 or more.
pub fn parse_bound(text: &str) -> Result<usize, String> {
    text.trim().parse().map_err(|_| "write a number of steps, 0 or more: 10".to_owned())
}

/// Parses a count: 1 or more.
pub fn parse_count(text: &str) -> Result<usize, String> {
    let number = text.trim().parse().ok().filter(|n| *n > 0);
    number.ok_or_else(|| "write a number, 1 or more".to_owned())
}

/// Parses a number of threads: 1 or more.
pub fn parse_threads(text: &str) -> Result<NonZeroUsize, String> {
    text.trim().parse().map_err(|_| "write a number, 1 or more".to_owned())
}

/// Parses an index or a seed: 0 or more.
pub fn parse_number<N: FromStr>(text: &str) -> Result<N, String> {
    text.trim().parse().map_err(|_| "write a whole number, 0 or more".to_owned())
}
