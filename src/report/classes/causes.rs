//! What tells the traces of classes apart, as a tree and as JSON.

use crate::classes::class_json::class_document;
use crate::classes::shown::Shown;
use crate::shared::request::{Asked, ClassifyRequest};
use crate::shared::verdict::{ended as ended_text, why_ended};
use classify::{Atoms, Cause, Class, Classification, Refinement};
use lang::model::Model;
use verify::document::{StoredClass, StoredRefinement};

/// The most facts that are shown of those that all traces of a class have.
const MOST_NECESSARY: usize = 3;

/// A class or a cause with what is below it.
#[derive(Debug, PartialEq, Eq)]
pub struct Branch {
    /// Its number and constraint.
    pub head: String,
    /// What else is to be known of it.
    pub notes: Vec<String>,
    /// What its traces differ by.
    pub branches: Vec<Branch>,
}

/// Returns the classes with their causes; none if these were not requested.
pub(crate) fn cause_tree<K: Shown>(model: &Model, result: &Classification<K>) -> Vec<Branch> {
    let classes = (1..).zip(result.classes.iter().zip(result.refinements.iter().flatten()));
    classes
        .map(|(number, (class, refinement)): (usize, _)| {
            let above = Above { number: number.to_string(), said: &[] };
            branch((model, &result.atoms), class, Some(refinement), above)
        })
        .collect()
}

fn branch<K: Shown>(
    (model, atoms): (&Model, &Atoms),
    class: &Class<K>,
    refinement: Option<&Refinement<K>>,
    Above { number, said }: Above<'_>,
) -> Branch {
    let show = |constraint| K::show(constraint, model, atoms);
    let extent = K::shown(&class.representative).extent;
    let head = format!("{number}  {} ({extent})", show(&class.constraint));
    let Some(Refinement { causes, necessary, remainder, minimum, ended }) = refinement else {
        return Branch { head, notes: Vec::new(), branches: Vec::new() };
    };
    let necessary = necessary.iter().map(show);
    let necessary: Vec<String> = necessary.filter(|text| !said.contains(text)).collect();
    let mut notes: Vec<String> =
        necessary.iter().take(MOST_NECESSARY).map(|text| format!("always {text}")).collect();
    match (ended, remainder) {
        (Some(why), _) => notes.push(format!("not examined: {}", ended_text(*why))),
        (None, Some(trace)) => {
            notes.push(format!(
                "already violating without a further cause: {}",
                K::shown(trace).labels(model)
            ));
        }
        (None, None) if !minimum => notes.push("fewer causes may suffice".to_owned()),
        (None, None) => {}
    }
    let said: Vec<String> = said.iter().cloned().chain(necessary).collect();
    let branches = (1..).zip(causes).map(|(child, cause): (usize, &Cause<K>)| {
        let above = Above { number: format!("{number}.{child}"), said: &said };
        branch((model, atoms), &cause.class, cause.refinement.as_ref(), above)
    });
    Branch { head, notes, branches: branches.collect() }
}

/// What a branch takes from above.
struct Above<'a> {
    /// Its own number.
    number: String,
    /// What all traces of a class above it have.
    said: &'a [String],
}

/// The tree as lines.
pub fn tree_lines(branches: &[Branch]) -> Vec<String> {
    let mut lines = Vec::new();
    for branch in branches {
        lines.push(branch.head.clone());
        add_below(&mut lines, branch, "");
    }
    lines
}

/// What is below a branch, each line after `margin`.
fn add_below(lines: &mut Vec<String>, branch: &Branch, margin: &str) {
    let bar = if branch.branches.is_empty() { "   " } else { "│  " };
    lines.extend(branch.notes.iter().map(|note| format!("{margin}{bar}{note}")));
    let last = branch.branches.len().saturating_sub(1);
    for (index, child) in branch.branches.iter().enumerate() {
        let (corner, below) = if index == last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        lines.push(format!("{margin}{corner}{}", child.head));
        add_below(lines, child, &format!("{margin}{below}"));
    }
}

/// The document of a class, with its causes.
pub fn refined_document(
    request: &ClassifyRequest<'_>,
    atoms: &Atoms,
    class: &Class,
    refinement: Option<&Refinement>,
    id: usize,
) -> StoredClass {
    let mut document = class_document(request, atoms, class, id);
    let Some(refinement) = refinement else { return document };
    let causes = (1..).zip(&refinement.causes);
    let causes = causes.map(|(id, cause): (usize, &Cause)| {
        refined_document(request, atoms, &cause.class, cause.refinement.as_ref(), id)
    });
    document.causes = Some(causes.collect());
    document.refined = Some(refinement_document((&request.asked, atoms), refinement));
    document
}

/// Returns the document of a refinement without the causes.
pub(crate) fn refinement_document<K: Shown>(
    (asked, atoms): (&Asked<'_>, &Atoms),
    refinement: &Refinement<K>,
) -> StoredRefinement {
    let trace = |trace| K::document(asked.model, trace, &[], &asked.view);
    StoredRefinement {
        necessary: refinement.necessary.iter().map(|c| K::show(c, asked.model, atoms)).collect(),
        remainder: refinement.remainder.as_ref().map(trace),
        minimum: refinement.minimum,
        reason: refinement.ended.map(why_ended),
    }
}
