//! Text inside drawings, which are written as SVG by hand.

use crate::diagnostics::printable;
use maud::Escaper;
use std::fmt::Write;

/// The text escaped for XML and HTML, with control characters as numbers.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // Writing to a string cannot fail.
    let _ = Escaper::new(&mut out).write_str(&printable(text));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_to_interpret() {
        assert_eq!(escape("<a & \"b\">\u{1b}"), "&lt;a &amp; &quot;b&quot;&gt;\\u001b");
    }
}
