//! Parsers for the values of options, with advice on values that cannot be read.

pub use cladist::batch::parse_override;
pub use cladist::budget::{bytes_text, parse_bytes, parse_duration};
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

/// Parses a range of integers: its least and its greatest.
pub fn parse_range(text: &str) -> Result<(i64, i64), String> {
    let ends =
        text.split_once("..").and_then(|(lo, hi)| Some((lo.trim().parse().ok()?, hi.trim().parse().ok()?)));
    let limits = -1_i64 << 48..=1 << 48;
    ends.filter(|(lo, hi)| lo <= hi && limits.contains(lo) && limits.contains(hi))
        .ok_or_else(|| "write the least and the greatest integer, of -2^48..2^48: 0..9".to_owned())
}

/// Parses the length of a list: 1 to 64.
pub fn parse_length(text: &str) -> Result<usize, String> {
    let number = text.trim().parse().ok().filter(|n| (1..=64).contains(n));
    number.ok_or_else(|| "write a number from 1 to 64".to_owned())
}

/// Parses an index or a seed: 0 or more.
pub fn parse_number<N: FromStr>(text: &str) -> Result<N, String> {
    text.trim().parse().map_err(|_| "write a whole number, 0 or more".to_owned())
}
