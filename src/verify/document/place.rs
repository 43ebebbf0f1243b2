//! Places of errors in JSON texts.

use std::fmt;

/// A place in a JSON text: the path of the value, with its line and column.
#[derive(Debug, PartialEq, Eq)]
pub struct JsonPlace {
    path: String,
    line: usize,
    column: usize,
}

/// An object or a list that is open at a place.
enum OpenContainer {
    /// An object with the key of the entry that is being read.
    Object(String),
    /// A list with the index of the element that is being read.
    List(usize),
}

impl JsonPlace {
    /// Returns the place of an error in its text.
    pub fn of(text: &str, error: &serde_json::Error) -> Self {
        let (line, column) = (error.line(), error.column());
        let lines: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
        let end = (lines + column).min(text.len());
        Self { path: path(&text.as_bytes()[..end]), line, column }
    }
}

impl fmt::Display for JsonPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, column } = self;
        let path = if path.is_empty() { "the document" } else { path };
        write!(f, "{path} (line {line}, column {column})")
    }
}

/// Returns the path of the last value that the beginning of a JSON text reads, as a JSON pointer (RFC 6901).
pub fn path(text: &[u8]) -> String {
    let mut open: Vec<OpenContainer> = Vec::new();
    let (mut at, mut key_follows) = (0, false);
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b'{' => {
                open.push(OpenContainer::Object(String::new()));
                key_follows = true;
            }
            b'[' => open.push(OpenContainer::List(0)),
            // The end of the erroneous part may be the end of a whole object.
            b'}' | b']' if at < text.len() => _ = open.pop(),
            b',' => match open.last_mut() {
                Some(OpenContainer::List(index)) if at < text.len() => *index += 1,
                Some(OpenContainer::Object(_)) if at < text.len() => key_follows = true,
                _ => {}
            },
            b'"' => {
                let start = at;
                while text.get(at).is_some_and(|byte| *byte != b'"') {
                    at += if text[at] == b'\\' { 2 } else { 1 };
                }
                let word = String::from_utf8_lossy(&text[start..at.min(text.len())]).into_owned();
                at += 1;
                if let (true, Some(OpenContainer::Object(key))) = (key_follows, open.last_mut()) {
                    *key = word;
                }
                key_follows = false;
            }
            _ => {}
        }
    }
    let part = |open: &OpenContainer| match open {
        OpenContainer::Object(key) if key.is_empty() => String::new(),
        OpenContainer::Object(key) => format!("/{}", key.replace('~', "~0").replace('/', "~1")),
        OpenContainer::List(index) => format!("/{index}"),
    };
    open.iter().map(part).collect()
}
