//! Results about explicit systems.

mod counterexample;
mod documents;
mod inevitable;
mod info;
mod minimize;
mod neighbours;
mod safety;
mod tag;
mod words;

pub use counterexample::{
    Asked, CounterexampleRequest, Outcome, counterexample_document, counterexample_text,
};
pub use documents::{SystemDocument, undecided_document};
pub use inevitable::{InevitableRequest, inevitable_document, inevitable_text};
pub use info::{info_document, info_text};
pub use minimize::{minimize_document, minimize_text};
pub use neighbours::{NeighboursRequest, neighbours_document, neighbours_text};
pub use safety::SafetyRequest;
pub use tag::{TagRequest, tag_document, tag_text};
pub use words::count;
