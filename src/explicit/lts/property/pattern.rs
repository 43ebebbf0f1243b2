//! Patterns for labels: basic regular expressions as POSIX defines them, matched with the whole label.

use regex_lite::Regex;

/// A basic regular expression.
#[derive(Debug, Clone)]
pub struct LabelPattern {
    text: String,
    compiled: Regex,
}

impl LabelPattern {
    /// Reads a pattern. `.` is any character, `*` repeats what is before it, `[a-z]` is one of these, `\(` and
    /// `\)` group, `\{m,n\}` counts; other characters are themselves, also `(`, `{`, `+`, `?` and `|`.
    ///
    /// # Errors
    /// With one sentence.
    pub fn new(text: &str) -> Result<Self, String> {
        let translated = format!("^(?:{})$", translate(text)?);
        let compiled = Regex::new(&translated).map_err(|error| {
            let error = error.to_string();
            let last = error.lines().last().unwrap_or_default();
            format!("invalid regular expression: {}", last.strip_prefix("error: ").unwrap_or(last))
        })?;
        Ok(Self { text: text.to_owned(), compiled })
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// True if it matches a whole label.
    pub fn matches(&self, label: &str) -> bool {
        self.compiled.is_match(label)
    }
}

/// The pattern in the syntax of regex_lite.
fn translate(text: &str) -> Result<String, String> {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    // Whether something stands before that `*` could repeat.
    let mut repeatable = false;
    let mut first = true;
    while let Some(c) = chars.next() {
        let before = repeatable;
        repeatable = true;
        match c {
            '*' if before => out.push('*'),
            '.' => out.push('.'),
            '^' if first => repeatable = false,
            '$' if chars.peek().is_none() => {}
            '[' => bracket(&mut chars, &mut out)?,
            '\\' => match chars.next() {
                Some('(') => {
                    out.push_str("(?:");
                    repeatable = false;
                }
                Some(')') => out.push(')'),
                Some('{') => {
                    let mut count = String::new();
                    loop {
                        match chars.next() {
                            Some('\\') if chars.next_if_eq(&'}').is_some() => break,
                            Some(c) if c.is_ascii_digit() || c == ',' => count.push(c),
                            _ => return Err("`\\{` is not followed by a count and `\\}`".into()),
                        }
                    }
                    out.push_str(&format!("{{{count}}}"));
                }
                Some(c) if c.is_ascii_digit() => {
                    return Err("references to groups (`\\1`) are not supported".into());
                }
                Some(c) => out.push_str(&regex_lite::escape(&c.to_string())),
                None => return Err("the pattern ends with `\\`".into()),
            },
            c => out.push_str(&regex_lite::escape(&c.to_string())),
        }
        first = false;
    }
    Ok(out)
}

/// A bracket expression after its `[`.
fn bracket(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, out: &mut String) -> Result<(), String> {
    out.push('[');
    if chars.next_if_eq(&'^').is_some() {
        out.push('^');
    }
    let mut first = true;
    loop {
        match chars.next() {
            None => return Err("`[` is not closed by `]`".into()),
            Some(']') if !first => break,
            Some('[') if chars.peek() == Some(&':') => {
                let class: String = chars.by_ref().take_while(|&c| c != ']').collect();
                out.push_str(&format!("[{class}]"));
            }
            Some('-') if !first && chars.peek() != Some(&']') => out.push('-'),
            Some(c) if c.is_alphanumeric() => out.push(c),
            Some(c) => out.push_str(&regex_lite::escape(&c.to_string())),
        }
        first = false;
    }
    out.push(']');
    Ok(())
}
