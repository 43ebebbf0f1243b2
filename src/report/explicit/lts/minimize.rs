//! `lts minimize`: `docs/schema/lts-minimize-1.json`.

use super::documents::sizes;
use super::words::size;
use crate::explicit::Report;
use crate::explicit::object::object;
use crate::shared::document::VERSION;
use crate::writing::paint::Paint;
use explicit::lts::{Lts, Quotient, StateId};
use kit::diagnostics::escaped;
use kit::number::counted;
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;

/// The equivalence that a system is reduced by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Modulo {
    /// Strong bisimulation.
    Strong,
    /// Branching bisimulation, blind to divergence.
    Branching,
    /// Weak bisimulation, blind to divergence.
    Weak,
    /// Equality of traces.
    Trace,
}

/// A reduced system.
#[derive(Debug)]
pub struct Reduced {
    /// The system.
    pub lts: Lts,
    /// For each state of the original system its state here, `None` for unreachable ones; `None` modulo traces, where a state is a
    /// set of original ones.
    pub state_of: Option<Vec<Option<StateId>>>,
    /// The equivalence.
    pub modulo: Modulo,
}

impl Reduced {
    /// A quotient modulo an equivalence of states.
    pub fn quotient(quotient: Quotient, modulo: Modulo) -> Self {
        Self { lts: quotient.lts, state_of: Some(quotient.state_of), modulo }
    }
}

/// The result of `lts minimize`.
pub struct MinimizeReport<'a> {
    /// The file as the user wrote it.
    pub file: &'a str,
    /// The system in it.
    pub lts: &'a Lts,
    /// The reduced system.
    pub reduced: &'a Reduced,
    /// The file that it was written to.
    pub written: Option<&'a Path>,
}

impl Report for MinimizeReport<'_> {
    fn document(&self) -> impl Serialize {
        object!({
            schema: "cladist/lts-minimize-1",
            version: VERSION,
            file: self.file,
            lts: sizes(self.lts),
            quotient: sizes(&self.reduced.lts),
            modulo: self.reduced.modulo,
            state_of: self.reduced.state_of.as_deref(),
        })
    }

    fn text(&self, _: Paint, _: usize) -> String {
        let modulo = match self.reduced.modulo {
            Modulo::Strong => "strong bisimulation",
            Modulo::Branching => "branching bisimulation",
            Modulo::Weak => "weak bisimulation",
            Modulo::Trace => "equality of traces",
        };
        let mut out = format!(
            "{}\n  modulo {modulo}: {}, {}\n",
            size(self.file, self.lts),
            counted(self.reduced.lts.declared_states(), "state"),
            counted(self.reduced.lts.transitions(), "transition")
        );
        if let Some(path) = self.written {
            let _ = writeln!(out, "  written to {}", escaped(&path.to_string_lossy()));
        }
        out
    }
}
