//! Classifications of infinite traces for people and programs.

mod causes;
mod cover;
mod facts;
mod html;
mod json;
mod necessary;
mod text;
mod words;

pub use html::lasso_page;
pub use json::{LassoDocument, lasso_document};
pub use text::{lasso_baseline_text, lasso_classification_text};
pub(super) use words::{constraint_words, lasso_words, placed, sentence};

use super::View;
use super::restating::restatement;
use crate::classify::lassos::{LassoClassification, LassoComparison, LassoProblem};
use crate::diagnostics::Diagnostic;
use crate::model::{Model, Property, Vocabulary};
use crate::vocabulary::{Chosen, Repairs};

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
    /// How the vocabulary was chosen, if the program did that.
    pub chosen: Option<&'a Chosen>,
    /// Additions to a vocabulary that is too weak, if they were looked for.
    pub repairs: Option<&'a Repairs>,
    /// How many conditions of fairness infinite traces met.
    pub fairness: usize,
    /// Whether the conditions of the model were ignored.
    pub ignore_fairness: bool,
    /// The conditions that were given beside, weak ones of actions or those of states, as they were written.
    pub fair: &'a [String],
    /// The strong ones of actions.
    pub strongly_fair: &'a [String],
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
    /// The result beside a stored one; `None` if that was not asked.
    pub baseline: Option<&'a LassoComparison>,
}

impl<'a> LassoRequest<'a> {
    /// A plain request for a result with these, without options.
    pub fn plain(
        problem: LassoProblem<'a>,
        property: &'a Property,
        vocabulary: &'a Vocabulary,
        file: &'a str,
    ) -> Self {
        Self {
            model: problem.model,
            file,
            property,
            vocabulary,
            chosen: None,
            repairs: None,
            fairness: problem.fairness.len(),
            ignore_fairness: false,
            fair: &[],
            strongly_fair: &[],
            prefer: &[],
            hide: &[],
            ground: &[],
            seed: 0,
            warnings: &[],
            rerun: "",
            view: View::plain(80),
            baseline: None,
        }
    }
}

/// A warning if classes only restate the property.
pub fn lasso_restatements(
    property: &Property,
    vocabulary: &Vocabulary,
    result: &LassoClassification,
) -> Option<Diagnostic> {
    let restating = result.classes.iter().enumerate().filter(|(_, class)| class.restates);
    let numbers: Vec<usize> = restating.map(|(index, _)| index + 1).collect();
    restatement(property, vocabulary, &numbers, None)
}
