//! Text from files, names and arguments, made safe to print.

use std::borrow::Cow;
use std::fmt::Write;

/// The text with every control character but line feeds and tabs as `\u001b`, in the notation of JSON: C0
/// and C1 controls, `DEL`, and the characters that change the direction of text. What is left cannot move
/// the cursor, change colours or hide other text on a terminal. JSON documents stay JSON documents.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unprintable) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match is_unprintable(c) {
            true => _ = write!(out, "\\u{:04x}", u32::from(c)),
            false => out.push(c),
        }
    }
    Cow::Owned(out)
}

fn is_unprintable(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t')
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_written_as_numbers() {
        assert_eq!(printable("a\u{1b}[31mb\r\u{7f}\u{9b}\u{202e}"), r"a\u001b[31mb\u000d\u007f\u009b\u202e");
        assert!(matches!(printable("∃ i: \tx → y\n"), Cow::Borrowed("∃ i: \tx → y\n")));
    }
}
