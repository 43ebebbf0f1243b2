//! Text from files as it can be shown.

use std::borrow::Cow;

/// Whether a character does something to a terminal, or to the order of those around it, instead of being shown: control
/// characters of both ranges, line separators, and marks of direction.
fn acts(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// A text in which characters that are not shown are written as in Rust: `\u{1b}`, `\n`.
///
/// ```
/// assert_eq!(cladist::lts::escaped("SEND \u{1b}[31m"), "SEND \\u{1b}[31m");
/// ```
pub fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\n' | '\t' | '\r' => shown.extend(c.escape_default()),
            c if acts(c) => shown.extend(c.escape_unicode()),
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_is_written_out() {
        assert_eq!(escaped("GET !1 é → \\"), "GET !1 é → \\");
        assert_eq!(escaped("a\nb\tc\r"), "a\\nb\\tc\\r");
        assert_eq!(escaped("\0\u{7f}\u{9b}2J\u{202e}"), "\\u{0}\\u{7f}\\u{9b}2J\\u{202e}");
    }
}
