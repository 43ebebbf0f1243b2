//! Words of messages and characters of texts.

use std::fmt::Display;

/// `a`, `a or b`, `a, b or c`; "something else" if there are none.
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

/// How many bytes at the beginning of a text are characters of a kind.
pub fn prefix(text: &str, is: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is(c)).unwrap_or(text.len())
}

/// A character as messages show it: `U+001B` where printing it would not show it.
pub fn printable(c: char) -> String {
    if c.is_control() || c.is_whitespace() { format!("U+{:04X}", u32::from(c)) } else { c.to_string() }
}

/// What was expected, and the token that was found instead; `None` at the end of a `text`, a word for what ends there.
pub fn unexpected<T: Display>(expected: &[T], found: Option<&str>, text: &str) -> String {
    let wanted = alternatives(expected);
    match found {
        Some(token) => format!("expected {wanted}, but found `{}`", shortened(token)),
        None => format!("expected {wanted}, but the {text} ends here"),
    }
}

/// A token as messages show it: its first 30 characters.
pub fn shortened(text: &str) -> String {
    let mut shown: String = text.chars().take(30).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}
