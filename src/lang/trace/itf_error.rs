//! Faults of traces in ITF.

use serde_json::Value as Json;
use std::fmt;

/// Why a text is not a trace in ITF, or not one of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItfError {
    /// The index of the faulty state, from 0.
    pub state: Option<usize>,
    /// The name of the faulty part of the file or state.
    pub part: Option<String>,
    /// A description of the fault, lower case, without a full stop.
    pub message: String,
}

/// The most characters of a value in a message.
const MOST_SHOWN: usize = 80;

impl ItfError {
    pub(super) fn whole(message: impl Into<String>) -> Self {
        Self { state: None, part: None, message: message.into() }
    }

    /// Advice on how to correct the fault.
    pub fn help(&self) -> &'static str {
        match self.state {
            None => {
                "a trace in ITF is a JSON object with `\"vars\": [names]` and `\"states\": [objects]`, \
                 as `cladist classify --out DIR` writes it; the output of TLC and lists of `spin -t -p` are read, too"
            }
            Some(_) if self.message.contains(" is not in ") => {
                "write a wider range in the model; --int LO..HI gives one to integers of Quint and TLA+ that grow"
            }
            Some(_) => "check that the file is unchanged and belongs to this model",
        }
    }
}

impl fmt::Display for ItfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(state) = self.state {
            write!(f, "state {state}: ")?;
        }
        if let Some(part) = &self.part {
            write!(f, "`{part}`: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for ItfError {}

/// Returns the beginning of a text, for messages.
pub(super) fn cut(text: &str) -> String {
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Returns the beginning of a value, for messages.
pub(super) fn shown(value: &Json) -> String {
    cut(&value.to_string())
}
