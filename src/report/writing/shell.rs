//! Words of a command line for a shell.

/// Quotes a word for a POSIX shell: in single quotes unless every character stands for itself.
pub fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./=:,+@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}
