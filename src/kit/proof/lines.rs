//! Lines of numbers, read from a stream.

use super::{ProofFault, ProofStopped};
use crate::budget::Budget;
use std::io::BufRead;

/// The number of lines between two checks of the budget.
const POLL: u64 = 1 << 10;

/// The longest line, in bytes.
const LONGEST: u64 = 1 << 30;

/// The lines of a text, one at a time.
pub(super) struct Lines<'a> {
    text: &'a mut dyn BufRead,
    budget: &'a Budget,
    /// The line read last, without its end.
    line: Vec<u8>,
    number: u64,
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a mut dyn BufRead, budget: &'a Budget) -> Self {
        Self { text, budget, line: Vec::new(), number: 0 }
    }

    /// Reads the next line that is neither empty nor a comment; returns `false` at the end of the text.
    pub fn next(&mut self) -> Result<bool, ProofStopped> {
        loop {
            if self.number.is_multiple_of(POLL)
                && let Some(why) = self.budget.exhausted()
            {
                return Err(why.into());
            }
            self.line.clear();
            let mut limited = std::io::Read::take(&mut *self.text, LONGEST);
            if limited.read_until(b'\n', &mut self.line)? == 0 {
                return Ok(false);
            }
            self.number += 1;
            if self.line.len() as u64 >= LONGEST {
                return Err(self.fault("the line is too long").into());
            }
            let line = self.line.trim_ascii();
            if !line.is_empty() && line[0] != b'c' {
                return Ok(true);
            }
        }
    }

    pub fn words(&self) -> impl Iterator<Item = &[u8]> {
        self.line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
    }

    pub fn integer(&self, word: &[u8]) -> Result<i64, ProofFault> {
        let (negative, digits) = match word.strip_prefix(b"-") {
            Some(digits) => (true, digits),
            None => (false, word),
        };
        let value = digits.iter().try_fold(0i64, |value, digit| match digit {
            b'0'..=b'9' => value.checked_mul(10)?.checked_add(i64::from(digit - b'0')),
            _ => None,
        });
        match value.filter(|_| !digits.is_empty()) {
            Some(value) => Ok(if negative { -value } else { value }),
            None => Err(self.fault(format!("`{}` is not a number", shown(word)))),
        }
    }

    /// Returns a fault in the line read last.
    pub fn fault(&self, reason: impl Into<String>) -> ProofFault {
        ProofFault { line: self.number, reason: reason.into() }
    }
}

/// Shortens a word of a foreign text for messages.
fn shown(word: &[u8]) -> String {
    const LONGEST_SHOWN: usize = 30;
    let text = String::from_utf8_lossy(&word[..word.len().min(LONGEST_SHOWN)]).into_owned();
    if word.len() > LONGEST_SHOWN { text + "…" } else { text }
}

/// Appends a number and a space.
pub fn push_decimal(text: &mut Vec<u8>, number: i64) {
    let mut digits = [0; 20];
    let mut begin = digits.len();
    let mut rest = number.unsigned_abs();
    loop {
        begin -= 1;
        digits[begin] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        text.push(b'-');
    }
    text.extend_from_slice(&digits[begin..]);
    text.push(b' ');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_the_standard_library_writes_them() {
        let mut text = Vec::new();
        let numbers = [0, 7, -1, 10, -905, i64::MAX, i64::MIN];
        numbers.iter().for_each(|&number| push_decimal(&mut text, number));
        let expected: String = numbers.iter().map(|number| format!("{number} ")).collect();
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }
}
