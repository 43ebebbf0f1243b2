//! Security protocols in the language of Scyther (`.spdl`), in Alice–Bob notation (`.anb`), and in that of CPSA (`.scm`).
//!
//! C. Cremers, S. Mauw: *Operational Semantics and Verification of Security Protocols* (2012).

mod anb;
mod as_model;
mod certificate;
mod check;
mod cpsa;
mod equation;
mod format;
pub mod ir;
mod overview;
mod patterns;
pub mod text;
pub mod translate;

pub use crate::written::Refused;
pub use as_model::{LoadedModel, TranslatedFile, is_own_notation, is_protocol, load_model, translate_file};
pub use certificate::{Certificate, CertificatePattern, Certificates, NotProved};
pub use format::format;
pub use ir::{
    Equation, Event, EventKind, Message, Protocol, ProtocolId, ProtocolSymbolKind, Protocols, Role,
    RoleClaim, RoleId, RoleTerm, RoleVariable, Symbol, SymbolId, TypeId, VariableId,
};
pub use patterns::{
    AttackKind, AttackPattern, Characterisation, Extent, PatternVerdict, Patterns, WORDS, fewest_words,
};
pub use translate::{
    Chart, ChartEvent, ChartRun, Charts, ClaimedProperty, ClaimsAsked, Happening, Loss, Matching,
    ProtocolScope, Reveals, SentPart, Translation, translate,
};

use as_model::{is_message_list, is_strand_file};
use check::{CheckedProtocol, check};
use kit::budget::Budget;
use kit::diagnostics::{Diagnostic, SourceMap, TEXT_LIMIT, first_mistakes, read_text, unreadable};
use lang::model::loading_ended;
use std::path::Path;
use std::sync::Arc;
use text::parse;

/// The contents of a protocol file, if it is free of errors, with its diagnostics.
#[derive(Debug, Clone)]
pub struct LoadedProtocols {
    /// The contents; present iff no diagnostic is an error.
    pub protocols: Option<Protocols>,
    /// Errors and warnings, in the order of the text, at most [`MISTAKES_SHOWN`](kit::diagnostics::MISTAKES_SHOWN) of
    /// them. If the budget was exhausted, the last one is [unfinished](Diagnostic::unfinished) and gives the reason.
    pub diagnostics: Vec<Diagnostic>,
    /// The text that the diagnostics refer to.
    pub sources: Arc<SourceMap>,
}

/// Reads a regular file of at most [`TEXT_LIMIT`] bytes. An unreadable file gives an error.
pub fn load(path: &Path, budget: &Budget) -> LoadedProtocols {
    match read_text(path, TEXT_LIMIT) {
        Ok(text) => load_text(&path.to_string_lossy(), &text, budget),
        Err(error) => LoadedProtocols {
            protocols: None,
            diagnostics: vec![unreadable(path, &error)],
            sources: Arc::default(),
        },
    }
}

/// Like [`load`], from a text. `name` is its path as shown in messages.
pub fn load_text(name: &str, text: &str, budget: &Budget) -> LoadedProtocols {
    let mut sources = SourceMap::new();
    let source = sources.add(name, text);
    let path = Path::new(name);
    let is_derived = is_message_list(path) || is_strand_file(path);
    let (file, mut diagnostics) = match () {
        () if is_message_list(path) => anb::parse(source, text),
        () if is_strand_file(path) => cpsa::parse(source, text),
        () => parse(source, text),
    };
    let CheckedProtocol { protocols, diagnostics: found, exhausted } = check(&file, budget);
    // Warnings about the roles are none about what they are made from.
    diagnostics.extend(found.into_iter().filter(|found| !is_derived || found.is_error()));
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.map(|span| span.start));
    let mut diagnostics = first_mistakes(diagnostics, &sources);
    diagnostics.extend(exhausted.map(loading_ended));
    LoadedProtocols { protocols, diagnostics, sources: Arc::new(sources) }
}
