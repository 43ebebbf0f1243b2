//! Security protocols in the language of Scyther (`.spdl`).
//!
//! C. Cremers, S. Mauw: *Operational Semantics and Verification of Security Protocols* (2012).

mod as_model;
mod check;
mod format;
pub mod ir;
mod load;
pub mod text;
pub mod translate;

pub use crate::written::Refused;
pub use as_model::{LoadedModel, TranslatedFile, is_protocol, load_model, translate_file};
pub use format::format;
pub use ir::{
    Claim, Event, EventKind, Message, Protocol, ProtocolId, Protocols, Role, RoleId, Symbol, SymbolId,
    SymbolKind, Term, TypeId, Variable, VariableId,
};
pub use load::{Loaded, load, load_text};
pub use translate::{
    Binding, Chart, ChartEvent, ChartRun, Charts, ClaimedProperty, Happening, Loss, Matching, Reveals, Scope,
    Translation, translate,
};
