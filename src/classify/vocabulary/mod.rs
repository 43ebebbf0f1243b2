//! Automatic vocabularies: collects the words that a model offers, chooses those with the fewest classes,
//! repairs vocabularies that are too weak, and searches for additions with fewer classes.
//!
//! Every proposal was classified with; none is guessed from the form of a model. A proposal is a text that
//! can be pasted into the model, with the meaning of the vocabulary tried.

mod candidate;
mod choose;
mod conditions;
mod fewer;
mod inventory;
mod lassos;
mod patience;
mod rating;
mod repair;
mod survey;
mod trial;
pub mod word;

pub use candidate::Candidate;
pub use choose::{Choice, Chosen, choose};
pub use fewer::fewer;
pub use inventory::Inventory;
pub use lassos::{LassoChoice, choose_for_lassos, offered_for_lassos, repairs_for_lassos};
pub use patience::SEARCH;
pub use rating::{FEW_KINDS, Objection, Rating, Standing};
pub use repair::{Effort, MOST_REPAIRS, Repair, Repairs, repairs};
pub use survey::{Ended, SoFar, Survey, survey};
pub use trial::{Cut, Question, Trial};
pub use word::{Part, Word, words_text};

/// The name that requests an automatic vocabulary, unless the model declares a vocabulary of this name.
pub const AUTO: &str = "auto";
