//! Results about explicit systems.

mod answers;
mod bugs;
mod bugs_text;
mod check;
mod compare;
mod counterexample;
mod decisive;
mod documents;
mod escapes;
mod generate;
mod inevitable;
mod info;
mod minimize;
mod neighbours;
mod property_text;
mod safety;
mod system;
mod tag;
mod words;

pub use answers::Answered;
pub use bugs::{BugsRequest, bugs_document};
pub use bugs_text::bugs_text;
pub use check::{CheckDocument, CheckRequest, check_document, check_text};
pub use compare::{CompareRequest, compare_document, compare_text};
pub use counterexample::{
    Asked, CounterexampleRequest, Outcome, counterexample_document, counterexample_text,
};
pub use decisive::Decisive;
pub use documents::{SystemDocument, undecided_document};
pub use escapes::{EscapesRequest, escapes_document, escapes_text};
pub use generate::{GenerateRequest, generate_document, generate_text};
pub use inevitable::{InevitableRequest, Wanted, inevitable_document, inevitable_text};
pub use info::{InfoRequest, info_document, info_text};
pub use minimize::{Modulo, Reduced, minimize_document, minimize_text};
pub use neighbours::{NeighboursRequest, neighbours_document, neighbours_text};
pub use property_text::PropertyText;
pub use safety::SafetyRequest;
pub use system::{Size, System};
pub use tag::{TagRequest, tag_document, tag_text};
pub use words::count;
