//! `lts minimize`: `docs/schema/lts-minimize-1.json`.

use super::documents::SystemDocument;
use super::words::{count, size};
use crate::diagnostics::escaped;
use crate::lts::{Lts, Quotient, StateId};
use crate::report::document::VERSION;
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
    /// For each state its state in the quotient; `null` for unreachable ones.
    state_of: &'a [Option<StateId>],
}

/// The document for a reduction.
pub fn minimize_document<'a>(
    file: &'a str,
    lts: &Lts,
    quotient: &'a Quotient,
    modulo: Modulo,
) -> MinimizeDocument<'a> {
    MinimizeDocument {
        schema: "cladist/lts-minimize-1",
        version: VERSION,
        file,
        lts: lts.into(),
        quotient: (&quotient.lts).into(),
        modulo,
        state_of: &quotient.state_of,
    }
}

/// The sizes before and after, as text, with the file that the quotient was written to.
pub fn minimize_text(
    file: &str,
    lts: &Lts,
    quotient: &Quotient,
    modulo: Modulo,
    written: Option<&Path>,
) -> String {
    let word = match modulo {
        Modulo::Strong => "strong",
        Modulo::Branching => "branching",
    };
    let mut out = format!(
        "{}\n  modulo {word} bisimulation: {}, {}\n",
        size(file, lts),
        count(quotient.lts.declared_states(), "state"),
        count(quotient.lts.transitions(), "transition")
    );
    if let Some(path) = written {
        let _ = writeln!(out, "  written to {}", escaped(&path.to_string_lossy()));
    }
    out
}
