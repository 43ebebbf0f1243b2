//! What tells the infinite counterexamples of classes apart, as a tree and as JSON.

use super::LassoRequest;
use crate::classes::causes::{Branch, TreeWords};
use crate::shared::document::infinite_trace_document;
use crate::shared::verdict::extent_of_lassos;
use crate::shared::verdict::why_ended;
use crate::traces::trace_text::{lasso_labels, lasso_words};
use classify::lassos::{LassoClass, LassoClassification, LassoConstraint, LassoRefinement};
use lang::trace::Lasso;
use verify::document::StoredRefinement;

/// The classes with their causes; none where these were not asked for.
pub fn cause_tree(request: &LassoRequest<'_>, result: &LassoClassification) -> Vec<Branch> {
    let Some(refinements) = &result.refinements else { return Vec::new() };
    let (model, atoms) = (request.asked.model, &result.atoms);
    let words: TreeWords<'_, LassoClass, LassoConstraint, Lasso> = TreeWords {
        head: &|class| {
            format!("{} ({})", class.constraint.show(model, atoms), lasso_words(&class.representative))
        },
        show: &|constraint| constraint.show(model, atoms),
        labels: &|lasso| lasso_labels(model, lasso),
    };
    words.tree(result.classes.iter(), refinements)
}

/// The head of the tree. What tells counterexamples apart is known up to the bound.
pub fn tree_title(request: &LassoRequest<'_>, result: &LassoClassification) -> String {
    let those = extent_of_lassos(request.fairness, "infinite counterexamples", Some(result.bound));
    format!("causes of the {}", those.replacen("repeats", "repeat", 1))
}

/// What is known of the lassos of a class beside the causes.
pub fn refinement_document(
    request: &LassoRequest<'_>,
    result: &LassoClassification,
    refinement: &LassoRefinement,
) -> StoredRefinement {
    let model = request.asked.model;
    let trace = |lasso: &Lasso| infinite_trace_document(model, lasso, &[], &request.asked.view);
    StoredRefinement {
        necessary: refinement.necessary.iter().map(|c| c.show(model, &result.atoms)).collect(),
        remainder: refinement.remainder.as_ref().map(trace),
        minimum: refinement.minimum,
        reason: refinement.ended.map(why_ended),
    }
}
