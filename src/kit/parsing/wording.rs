//! Words of messages and characters of texts.

use std::fmt::Display;

/// Returns `a`, `a or b`, `a, b or c`; "something else" if there are none.
pub fn alternatives<T: Display>(all: &[T]) -> String {
    match all {
        [] => "something else".to_owned(),
        [one] => one.to_string(),
        [others @ .., last] => {
            let others: Vec<String> = others.iter().map(T::to_string).collect();
            format!("{} or {last}", others.join(", "))
        }
    }
}

/// Returns the number of bytes at the beginning of a text that are characters of a kind.
pub fn prefix(text: &str, is: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is(c)).unwrap_or(text.len())
}

/// Returns a character for messages: `U+001B` if printing would not show it.
pub fn printable(c: char) -> String {
    if c.is_control() || c.is_whitespace() { format!("U+{:04X}", u32::from(c)) } else { c.to_string() }
}

/// Returns a message with the expected items and the actual token; `None` at the end of a `text`, the word for the
/// ended text.
pub fn unexpected<T: Display>(expected: &[T], found: Option<&str>, text: &str) -> String {
    let wanted = alternatives(expected);
    match found {
        Some(token) => format!("expected {wanted}, but found `{}`", shortened(token)),
        None => format!("expected {wanted}, but the {text} ends here"),
    }
}

/// Returns a token for messages: its first 30 characters.
pub fn shortened(text: &str) -> String {
    let mut shown: String = text.chars().take(30).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}
