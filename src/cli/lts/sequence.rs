//! Sequences of actions on the command line: `--actions`, `--through`.

use super::origin::Known;
use crate::cli::console::Console;
use crate::cli::refusal::Refusal;
use cladist::diagnostics::{Diagnostic, SourceMap};
use cladist::lts::{Lts, Sequence, Steps};
use std::sync::Arc;

/// A sequence that was read.
pub struct Actions {
    pub names: Vec<String>,
    pub sequence: Sequence,
    /// The sources that warnings refer to.
    pub sources: SourceMap,
}

/// Reads a sequence, the argument of `option`.
pub fn load(option: &str, text: &str) -> Result<Actions, Refusal> {
    let mut sources = SourceMap::new();
    let source = sources.add(option, text);
    match Sequence::parse(source, text) {
        Ok(sequence) => Ok(Actions { names: sequence.names(), sequence, sources }),
        Err(diagnostics) => Err(Refusal { diagnostics, sources: Arc::new(sources) }),
    }
}

impl Actions {
    /// Warns about actions that the system does not have, see [`Known::look_at`].
    pub fn warn(&self, known: Known<'_>, console: &Console) -> Result<Vec<Diagnostic>, Refusal> {
        let missing = self.sequence.without_labels(known.labels);
        known.look_at(&missing, Vec::new(), &self.sources, console)
    }

    /// The sequence over the labels of a system.
    pub fn over(&self, lts: &Lts) -> Steps {
        self.sequence.over(lts.labels())
    }
}
