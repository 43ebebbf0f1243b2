//! Automatic vocabularies: collects the words that a model offers, chooses those with the fewest classes,
//! repairs vocabularies that are too weak, and searches for additions with fewer classes.
//!
//! Every proposal was classified with; none is guessed from the form of a model. A proposal is a text that
//! can be pasted into the model, with the meaning of the vocabulary tried.

mod candidate;
mod choose;
mod conditions;
mod establishing;
mod fewer;
mod inventory;
mod lassos;
mod patience;
mod rating;
mod repair;
mod survey;
mod trial;
pub mod word;

pub use candidate::CandidateVocabulary;
pub use choose::{ChoiceSummary, VocabularyChoice, choose};
pub use establishing::declare_conditions;
pub use fewer::fewer;
pub use inventory::Inventory;
pub use lassos::{LassoChoice, choose_for_lassos, offered_for_lassos, repairs_for_lassos};
pub use patience::SEARCH;
pub use rating::{Completeness, FEW_KINDS, Objection, Rating};
pub use repair::{MOST_REPAIRS, Repair, Repairs, SearchEffort, repairs};
pub use survey::{PartialSurvey, Survey, SurveyEnd, survey};
pub use trial::{Cut, Trial, TrialQuestion};
pub use word::{RestrictedObservable, Word, words_text};

/// The name that requests an automatic vocabulary, unless the model declares a vocabulary of this name.
pub const AUTO: &str = "auto";
