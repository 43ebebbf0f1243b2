//! Text inside drawings, which are written as SVG by hand.

use kit::diagnostics::printable;
use maud::Escaper;
use std::fmt::Write;

/// The text escaped for XML and HTML, with control characters as numbers.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // Writing to a string cannot fail.
    let _ = Escaper::new(&mut out).write_str(&printable(text));
    out
}
