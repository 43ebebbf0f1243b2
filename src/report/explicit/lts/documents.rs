//! Parts that several documents share.

use crate::shared::document::VERSION;
use explicit::lts::property::Phase;
use explicit::lts::safety::Tag;
use explicit::lts::{Lts, StateId, safety::Analysis, safety::Position};
use kit::budget::Stage;
use serde::Serialize;

/// The size of a system.
#[derive(Debug, Serialize)]
pub struct SystemDocument {
    /// The number of states, including unreachable ones.
    pub states: usize,
    /// The number of transitions, equal ones counted once.
    pub transitions: usize,
    /// The labels of its transitions.
    pub labels: usize,
}

impl From<&Lts> for SystemDocument {
    fn from(lts: &Lts) -> Self {
        Self { states: lts.declared_states(), transitions: lts.transitions(), labels: lts.used_labels() }
    }
}

/// A position of the product.
#[derive(Debug, Serialize)]
pub(super) struct PositionDocument {
    /// The state of the system, as in its file.
    pub state: StateId,
    /// The state of the property's automaton.
    pub phase: Phase,
}

impl PositionDocument {
    pub(super) fn new(analysis: &Analysis<'_>, position: Position) -> Self {
        let (state, phase) = analysis.product.parts(position);
        Self { state, phase }
    }
}

pub(super) fn tag_word(tag: Tag) -> &'static str {
    match tag {
        Tag::Correct => "correct",
        Tag::Incorrect => "incorrect",
        Tag::Neutral => "neutral",
    }
}

pub(super) fn verdict(holds: bool) -> &'static str {
    if holds { "holds" } else { "violated" }
}

/// No result: `docs/schema/lts-undecided-1.json`.
#[derive(Debug, Serialize)]
pub struct UndecidedDocument {
    schema: &'static str,
    version: &'static str,
    verdict: &'static str,
    reason: String,
    /// The progress so far, if known.
    done: Option<DoneDocument>,
}

/// The progress of a phase of the computation.
#[derive(Debug, Serialize)]
struct DoneDocument {
    number: u64,
    of: Option<u64>,
    what: &'static str,
}

/// The document for a command without a result.
pub fn undecided_document(reason: &str, stage: Option<Stage>) -> UndecidedDocument {
    UndecidedDocument {
        schema: "cladist/lts-undecided-1",
        version: VERSION,
        verdict: "undecided",
        reason: reason.to_owned(),
        done: stage.map(|stage| DoneDocument { number: stage.done, of: stage.of, what: stage.what }),
    }
}
