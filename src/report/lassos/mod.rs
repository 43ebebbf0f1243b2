//! Classifications of infinite traces for people and programs.

mod json;
pub mod necessary;
pub mod words;

pub use json::lasso_document;
pub use words::{constraint_words, placed, sentence};

use crate::findings::notices::restatement;
use crate::shared::request::{CommonRequest, GivenFairness};
use classify::lassos::{Infinite, LassoProblem};
use classify::{Classification, Comparison, Restates};
use kit::diagnostics::Diagnostic;
use lang::model::{Property, Vocabulary};

/// A request for a classification of infinite traces.
#[derive(Debug)]
pub struct LassoRequest<'a> {
    /// The part that every classification has. The property is one of linear time.
    pub asked: CommonRequest<'a>,
    /// How many conditions of fairness infinite traces met.
    pub fairness: usize,
    /// Which of them the user gave, and whether those of the model were ignored.
    pub given: GivenFairness<'a>,
    /// The result beside a stored one; `None` if that was not asked.
    pub baseline: Option<&'a Comparison<Infinite>>,
}

impl<'a> LassoRequest<'a> {
    /// A [plain](CommonRequest::plain) request.
    pub fn plain(
        problem: LassoProblem<'a>,
        property: &'a Property,
        vocabulary: &'a Vocabulary,
        file: &'a str,
    ) -> Self {
        let asked = CommonRequest::plain(problem.model, property, vocabulary, file);
        Self { asked, fairness: problem.fairness.len(), given: GivenFairness::default(), baseline: None }
    }
}

/// A warning if classes only restate the property, perhaps in names of actions.
pub fn lasso_restatements(
    property: &Property,
    vocabulary: &Vocabulary,
    result: &Classification<Infinite>,
) -> Option<Diagnostic> {
    let restating = || {
        let classes = result.classes.iter().enumerate();
        classes.filter(|(_, class)| result.says_only_the_property(class))
    };
    let numbers: Vec<usize> = restating().map(|(index, _)| index + 1).collect();
    let in_names = restating().any(|(_, class)| class.restates == Restates::Step);
    restatement(property, vocabulary, (&numbers, in_names), None)
}
