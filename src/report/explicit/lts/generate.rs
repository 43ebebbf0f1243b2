//! `lts generate`: `docs/schema/lts-generate-1.json`.

use super::documents::sizes;
use super::words::size;
use crate::explicit::Report;
use crate::explicit::object::object;
use crate::shared::document::VERSION;
use crate::writing::paint::Paint;
use explicit::lts::Lts;
use kit::number::counted;
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;

/// The result of `lts generate`.
pub struct GenerateReport<'a> {
    /// The file of the text.
    pub file: &'a str,
    /// The system, as far as it was generated.
    pub generated: &'a Lts,
    /// The number of its states whose transitions were not computed.
    pub unexplored: usize,
    /// Its quotient by strong bisimulation, if requested; only of a complete system.
    pub reduced: Option<&'a Lts>,
    /// True if the quotient was requested.
    pub reduce: bool,
    /// Why it is incomplete.
    pub reason: Option<&'a str>,
    /// The output file.
    pub written: Option<&'a Path>,
}

impl Report for GenerateReport<'_> {
    fn document(&self) -> impl Serialize {
        object!({
            schema: "cladist/lts-generate-1",
            version: VERSION,
            verdict: if self.reason.is_none() { "complete" } else { "undecided" },
            file: self.file,
            complete: self.reason.is_none(),
            reason: self.reason,
            lts: sizes(self.generated),
            unexplored: self.unexplored,
            reduced: self.reduced.map(sizes),
            written: self.written.map(Path::to_string_lossy),
        })
    }

    fn text(&self, _: Paint, _: usize) -> String {
        let mut out = format!("{}\n", size(self.file, self.generated));
        if self.unexplored > 0 {
            let _ = writeln!(out, "  incomplete: {} not explored", counted(self.unexplored, "state"));
        }
        if let Some(reduced) = self.reduced {
            let _ = writeln!(
                out,
                "  modulo strong bisimulation: {}, {}",
                counted(reduced.declared_states(), "state"),
                counted(reduced.transitions(), "transition")
            );
        } else if self.reduce {
            out.push_str("  not reduced because it is incomplete\n");
        }
        if let Some(path) = self.written {
            let part = if self.reason.is_some() { "this part is " } else { "" };
            let _ = writeln!(out, "  {part}written to {}", path.display());
        }
        out
    }
}
