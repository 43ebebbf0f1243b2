//! Classifications of infinite traces for people and programs.

mod html;
mod json;
mod text;
mod words;

pub use html::lasso_page;
pub use json::{LassoDocument, lasso_document};
pub use text::lasso_classification_text;
pub(super) use words::lasso_words;

use super::View;
use crate::diagnostics::Diagnostic;
use crate::model::{Model, Property, Vocabulary};

/// What a classification of infinite traces was asked to do.
#[derive(Debug)]
pub struct LassoRequest<'a> {
    /// The model.
    pub model: &'a Model,
    /// The file of the model, as the user wrote it.
    pub file: &'a str,
    /// The property, of linear time.
    pub property: &'a Property,
    /// The vocabulary.
    pub vocabulary: &'a Vocabulary,
    /// How many conditions of fairness infinite traces met.
    pub fairness: usize,
    /// Whether the conditions of the model were ignored.
    pub ignore_fairness: bool,
    /// Names in the vocabulary whose facts were asked to be preferred.
    pub prefer: &'a [String],
    /// Names in the vocabulary whose facts were not used.
    pub hide: &'a [String],
    /// Names of types whose values were not to become individuals; `all` stands for every type.
    pub ground: &'a [String],
    /// What decided the order in which the solvers search.
    pub seed: u64,
    /// What was found to be odd about the input.
    pub warnings: &'a [Diagnostic],
    /// The command line that gives this result again.
    pub rerun: &'a str,
    /// How traces are shown.
    pub view: View,
}
