//! What tells the traces of classes apart, as a tree and as JSON.

use crate::classes::class_json::class_document;
use crate::shared::document::trace_document;
use crate::shared::request::ClassifyRequest;
use crate::shared::verdict::{ended as ended_text, steps, why_ended};
use crate::traces::trace_text::labels_line;
use classify::{Atoms, Cause, Class, Classification, Constraint, Refinement};
use lang::trace::Trace;
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

/// How the causes of some kind of traces are spoken of.
pub(crate) struct TreeWords<'a, K, C, T> {
    /// A class, with the number of steps of its representative.
    pub head: &'a dyn Fn(&K) -> String,
    /// What all traces of a class have.
    pub show: &'a dyn Fn(&C) -> String,
    /// The labels of a trace.
    pub labels: &'a dyn Fn(&T) -> String,
}

impl<K, C, T> TreeWords<'_, K, C, T> {
    /// Classes with what tells their traces apart.
    pub fn tree<'c>(
        &self,
        classes: impl Iterator<Item = &'c K>,
        refinements: &[Refinement<K, C, T>],
    ) -> Vec<Branch>
    where
        K: 'c,
    {
        let classes = (1..).zip(classes.zip(refinements));
        classes
            .map(|(number, (class, refinement)): (usize, _)| {
                self.branch(class, Some(refinement), Above { number: number.to_string(), said: &[] })
            })
            .collect()
    }

    fn branch(
        &self,
        class: &K,
        refinement: Option<&Refinement<K, C, T>>,
        Above { number, said }: Above<'_>,
    ) -> Branch {
        let head = format!("{number}  {}", (self.head)(class));
        let Some(Refinement { causes, necessary, remainder, minimum, ended }) = refinement else {
            return Branch { head, notes: Vec::new(), branches: Vec::new() };
        };
        let necessary = necessary.iter().map(self.show);
        let necessary: Vec<String> = necessary.filter(|text| !said.contains(text)).collect();
        let mut notes: Vec<String> =
            necessary.iter().take(MOST_NECESSARY).map(|text| format!("always {text}")).collect();
        match (ended, remainder) {
            (Some(why), _) => notes.push(format!("not examined: {}", ended_text(*why))),
            (None, Some(trace)) => {
                notes.push(format!("already violating without a further cause: {}", (self.labels)(trace)))
            }
            (None, None) if !minimum => notes.push("fewer causes may suffice".to_owned()),
            (None, None) => {}
        }
        let said: Vec<String> = said.iter().cloned().chain(necessary).collect();
        let branches: Vec<Branch> = (1..)
            .zip(causes)
            .map(|(child, cause): (usize, &Cause<K, C, T>)| {
                let above = Above { number: format!("{number}.{child}"), said: &said };
                self.branch(&cause.class, cause.refinement.as_ref(), above)
            })
            .collect();
        Branch { head, notes, branches }
    }
}

/// What a branch takes from above.
struct Above<'a> {
    /// Its own number.
    number: String,
    /// What all traces of a class above it have.
    said: &'a [String],
}

/// The classes with their causes; none where these were not asked for.
pub fn cause_tree(request: &ClassifyRequest<'_>, result: &Classification) -> Vec<Branch> {
    let Some(refinements) = &result.refinements else { return Vec::new() };
    let (model, atoms) = (request.asked.model, &result.atoms);
    let words: TreeWords<'_, Class, Constraint, Trace> = TreeWords {
        head: &|class| {
            format!("{} ({})", class.constraint.show(model, atoms), steps(class.representative.len()))
        },
        show: &|constraint| constraint.show(model, atoms),
        labels: &|trace| labels_line(model, trace),
    };
    words.tree(result.classes.iter(), refinements)
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
    document.refined = Some(StoredRefinement {
        necessary: refinement.necessary.iter().map(|c| c.show(request.asked.model, atoms)).collect(),
        remainder: refinement
            .remainder
            .as_ref()
            .map(|trace| trace_document(request.asked.model, trace, &[], &request.asked.view)),
        minimum: refinement.minimum,
        reason: refinement.ended.map(why_ended),
    });
    document
}
