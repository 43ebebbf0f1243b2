//! Escaping of characters that must not reach a terminal or report.

use std::borrow::Cow;

/// Escapes a text from a file, an argument or a label for terminals and reports: control characters and those that
/// hide or reorder others (bidirectional overrides, zero-width characters, tags) are written as `\u{1b}` or `\n`.
///
/// Line ends and tabs are control characters too: to keep them, escape line by line.
pub fn escaped(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\n' | '\t' | '\r' => safe.extend(c.escape_default()),
            c if is_hidden(c) => safe.extend(c.escape_unicode()),
            c => safe.push(c),
        }
    }
    Cow::Owned(safe)
}

/// Escapes text of several lines, such as a JSON document: line feeds and tabs are kept, every other hidden
/// character is written as `\\u001b`, the notation of JSON, so that a document keeps its meaning.
pub fn printable(text: &str) -> Cow<'_, str> {
    let hidden = |c: char| is_hidden(c) && !matches!(c, '\n' | '\t');
    // Most texts are long and plain.
    let is_plain = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    if text.as_bytes().iter().all(is_plain) || !text.contains(hidden) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match hidden(c) {
            true => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| safe += &format!("\\u{unit:04x}")),
            false => safe.push(c),
        }
    }
    Cow::Owned(safe)
}

/// True if a character is invisible but may affect how others are displayed: the Unicode categories Cc, Cf, Zl and Zp,
/// the variation selectors and private use.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}'
            | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{e0fff}'
            | '\u{f0000}'..='\u{10ffff}')
}
