//! The system that a result is about.

use super::documents::SystemDocument;
use super::words::{count, size};
use explicit::lts::Lts;
use serde::Serialize;
use std::fmt::Write;

/// The size of a system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Size {
    /// States, those that cannot be reached included.
    pub states: usize,
    /// Transitions.
    pub transitions: usize,
}

impl Size {
    /// Of a system.
    pub fn of(lts: &Lts) -> Self {
        Self { states: lts.declared_states(), transitions: lts.transitions() }
    }
}

/// A system that was analysed.
#[derive(Debug, Clone, Copy)]
pub struct System<'a> {
    /// The file as the user wrote it.
    pub file: &'a str,
    /// The system.
    pub lts: &'a Lts,
    /// Its size before the reduction modulo strong bisimulation; `None` if it was not reduced.
    pub reduced_from: Option<Size>,
}

/// The same in a document.
#[derive(Debug, Serialize)]
pub(super) struct AnalysedDocument {
    #[serde(flatten)]
    lts: SystemDocument,
    reduced_from: Option<Size>,
}

impl System<'_> {
    pub(super) fn document(&self) -> AnalysedDocument {
        AnalysedDocument { lts: self.lts.into(), reduced_from: self.reduced_from }
    }

    /// The size, and whose states have the numbers that follow.
    pub(super) fn lines(&self) -> String {
        let mut out = format!("  {:<15} {}\n", "system", size(self.file, self.lts));
        if let Some(Size { states, transitions }) = self.reduced_from {
            let (states, transitions) = (count(states, "state"), count(transitions, "transition"));
            let _ = writeln!(
                out,
                "  {:<15} from {states}, {transitions} modulo strong bisimulation; states are numbered as by \
                 `cladist lts minimize`",
                "reduced"
            );
        }
        out
    }
}
