//! `lts minimize`: `docs/schema/lts-minimize-1.json`.

use super::documents::SystemDocument;
use super::words::{count, size};
use crate::shared::document::VERSION;
use explicit::lts::{Lts, Quotient, StateId};
use kit::diagnostics::escaped;
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

/// The JSON document.
#[derive(Debug, Serialize)]
pub struct MinimizeDocument<'a> {
    schema: &'static str,
    version: &'static str,
    file: &'a str,
    lts: SystemDocument,
    quotient: SystemDocument,
    modulo: Modulo,
    /// For each state its state in the quotient; `null` for unreachable ones, and where states are sets of states.
    state_of: Option<&'a [Option<StateId>]>,
}

/// The document for a reduction.
pub fn minimize_document<'a>(file: &'a str, lts: &Lts, reduced: &'a Reduced) -> MinimizeDocument<'a> {
    MinimizeDocument {
        schema: "cladist/lts-minimize-1",
        version: VERSION,
        file,
        lts: lts.into(),
        quotient: (&reduced.lts).into(),
        modulo: reduced.modulo,
        state_of: reduced.state_of.as_deref(),
    }
}

/// The sizes before and after, as text, with the file that the quotient was written to.
pub fn minimize_text(file: &str, lts: &Lts, reduced: &Reduced, written: Option<&Path>) -> String {
    let modulo = match reduced.modulo {
        Modulo::Strong => "strong bisimulation",
        Modulo::Branching => "branching bisimulation",
        Modulo::Weak => "weak bisimulation",
        Modulo::Trace => "equality of traces",
    };
    let mut out = format!(
        "{}\n  modulo {modulo}: {}, {}\n",
        size(file, lts),
        count(reduced.lts.declared_states(), "state"),
        count(reduced.lts.transitions(), "transition")
    );
    if let Some(path) = written {
        let _ = writeln!(out, "  written to {}", escaped(&path.to_string_lossy()));
    }
    out
}
