//! What a system is analysed for, in words and documents.

use kit::diagnostics::escaped;
use serde::Serialize;

/// What should hold.
#[derive(Debug, Clone, Copy)]
pub enum PropertyText<'a> {
    /// A property of labels, `[R] false`.
    Labels(&'a str),
    /// An invariant of a model.
    States {
        /// Its name.
        invariant: &'a str,
        /// The steps of the environment, if there is one.
        environment: Option<&'a [String]>,
    },
}

/// The same in a document.
#[derive(Debug, Serialize)]
pub(super) struct PropertyDocument<'a> {
    property: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    invariant: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    environment: Option<&'a [String]>,
}

impl PropertyDocument<'_> {
    /// Where something else than a safety property is asked for.
    pub(super) fn none() -> Self {
        Self { property: None, invariant: None, environment: None }
    }
}

impl<'a> PropertyText<'a> {
    pub(super) fn document(self) -> PropertyDocument<'a> {
        match self {
            PropertyText::Labels(text) => {
                PropertyDocument { property: Some(text), invariant: None, environment: None }
            }
            PropertyText::States { invariant, environment } => {
                PropertyDocument { property: None, invariant: Some(invariant), environment }
            }
        }
    }

    /// After the verdict.
    pub(super) fn headline(self) -> String {
        match self {
            PropertyText::Labels(text) => escaped(text).into_owned(),
            PropertyText::States { invariant, .. } => format!("invariant {invariant}"),
        }
    }

    /// The line about the environment, if there is one.
    pub(super) fn lines(self) -> String {
        match self {
            PropertyText::States { environment: Some(steps), .. } => {
                format!("  {:<15} {}\n", "environment", escaped(&steps.join(", ")))
            }
            _ => String::new(),
        }
    }
}
