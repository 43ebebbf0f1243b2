//! Limits of values that have none in their specification: integers and lists of Quint and TLA+.
//!
//! They travel like the values of constants, under the names of their options, so that stored results are read again with them.

use kit::diagnostics::Diagnostic;

/// The name of the limits of integers.
pub const INTEGERS: &str = "--int";

/// The name of the greatest length of lists.
pub const LISTS: &str = "--list";

/// The limits among the values of constants.
#[derive(Debug, Clone, Default)]
pub struct ValueLimits {
    /// The limits, inclusive, of integers that are otherwise unbounded.
    pub integers: Option<(i64, i64)>,
    /// The greatest length, from 1 to 64, of lists that are otherwise unbounded.
    pub lists: Option<usize>,
    /// The values of constants.
    pub constants: Vec<(String, String)>,
}

impl ValueLimits {
    /// Takes the limits from the values of constants. The last of several counts.
    ///
    /// # Errors
    /// All texts that are no limits.
    pub fn among(overrides: &[(String, String)]) -> Result<Self, Vec<Diagnostic>> {
        let (mut limits, mut mistakes) = (Self::default(), Vec::new());
        let mistake = |name: &str, text: &str, help: String| {
            Diagnostic::error_without_place(format!("{name} {text} is no limit")).with_help(help)
        };
        for (name, text) in overrides {
            match name.as_str() {
                INTEGERS => match parse_range(text) {
                    Ok(range) => limits.integers = Some(range),
                    Err(help) => mistakes.push(mistake(name, text, help)),
                },
                LISTS => match parse_length(text) {
                    Ok(length) => limits.lists = Some(length),
                    Err(help) => mistakes.push(mistake(name, text, help)),
                },
                _ => limits.constants.push((name.clone(), text.clone())),
            }
        }
        if mistakes.is_empty() { Ok(limits) } else { Err(mistakes) }
    }
}

/// Parses a range of integers: its least and its greatest.
///
/// # Errors
/// Text to write instead.
pub fn parse_range(text: &str) -> Result<(i64, i64), String> {
    let ends =
        text.split_once("..").and_then(|(lo, hi)| Some((lo.trim().parse().ok()?, hi.trim().parse().ok()?)));
    let limits = -1_i64 << 48..=1 << 48;
    ends.filter(|(lo, hi)| lo <= hi && limits.contains(lo) && limits.contains(hi))
        .ok_or_else(|| "write the least and the greatest integer, of -2^48..2^48: 0..9".to_owned())
}

/// Parses the length of a list: 1 to 64.
///
/// # Errors
/// Text to write instead.
pub fn parse_length(text: &str) -> Result<usize, String> {
    let number = text.trim().parse().ok().filter(|n| (1..=64).contains(n));
    number.ok_or_else(|| "write a number from 1 to 64".to_owned())
}
