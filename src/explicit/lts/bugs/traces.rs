//! Shortest runs to the first violations that occurrences make.

use super::marked::{Marked, MarkedLabel};
use crate::lts::LabelId;
use crate::lts::safety::{LtsProduct, PositionSet, ProductPosition, SafetyAnalysis, Tag, TaggedStep};
use std::collections::VecDeque;

/// A run whose last action makes its first violation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViolatingRun {
    /// The labels; omitted actions have the names of their dummies.
    pub labels: Vec<String>,
    /// True if it omits actions: otherwise, other violations come first.
    pub leaves_out: bool,
    /// The last choice that could have avoided it: the index of the action, and the labels that would have been right.
    pub avoided_by: Option<(usize, Vec<String>)>,
}

/// A run as a path through the product.
#[derive(Debug, Clone)]
pub struct ProductRun {
    /// The position before each label.
    positions: Vec<ProductPosition>,
    labels: Vec<LabelId>,
    /// True if actions are omitted on it.
    leaves_out: bool,
}

/// A shortest run for each occurrence that makes a first violation, preferably without omissions.
pub fn runs(marked: &Marked, original: &SafetyAnalysis<'_>) -> Vec<Option<ProductRun>> {
    let mut found: Vec<Option<ProductRun>> = vec![None; marked.occurrences.len()];
    search(marked, &original.product, &mut found, false);
    if found.iter().any(Option::is_none) {
        let automaton = marked.seeing_actions();
        search(marked, &LtsProduct::new(&marked.lts, &automaton), &mut found, true);
    }
    found
}

impl ProductRun {
    /// The run with its labels, and the choice that could have avoided its end. The analysis is of the system in
    /// which inevitable bugs can be left out: otherwise nothing could avoid anything where there is one.
    pub fn explain(&self, marked: &Marked, analysis: &SafetyAnalysis<'_>) -> ViolatingRun {
        let avoided_by = match self.leaves_out {
            true => None,
            false => avoided_by(marked, analysis, &self.positions, &self.labels),
        };
        ViolatingRun { labels: names(marked, &self.labels), leaves_out: self.leaves_out, avoided_by }
    }
}

fn names(marked: &Marked, labels: &[LabelId]) -> Vec<String> {
    labels.iter().map(|&l| marked.names.text(marked.name_of[l.index()]).into_owned()).collect()
}

/// Breadth first through what is not bad yet; fills in what is missing.
fn search(marked: &Marked, product: &LtsProduct<'_>, found: &mut [Option<ProductRun>], leaves_out: bool) {
    let start = product.initial();
    if product.is_bad(start) {
        return;
    }
    let mut seen = PositionSet::none_of(product);
    seen.insert(start);
    let mut tree = SearchTree::new(start.index());
    let mut queue = VecDeque::from([0]);
    while let Some(at) = queue.pop_front() {
        let position = ProductPosition::new(tree.place(at));
        for (label, after) in product.after(position) {
            if !product.is_bad(after) {
                if seen.insert(after) {
                    queue.push_back(tree.add(after.index(), at, label));
                }
                continue;
            }
            let MarkedLabel::Actions { who, .. } = &marked.meanings[label.index()] else { continue };
            for id in who {
                if found[id.index()].is_none() {
                    let labels = tree.labels_to(at).into_iter().chain([label]).collect();
                    let positions = tree.places_to(at).into_iter().map(ProductPosition::new).collect();
                    found[id.index()] = Some(ProductRun { positions, labels, leaves_out });
                }
            }
        }
    }
}

/// The last step that made a violation certain or nearer, although another one would have avoided it.
fn avoided_by(
    marked: &Marked,
    analysis: &SafetyAnalysis<'_>,
    positions: &[ProductPosition],
    labels: &[LabelId],
) -> Option<(usize, Vec<String>)> {
    let right = |at: usize| {
        let is_action =
            |label: LabelId| matches!(marked.meanings[label.index()], MarkedLabel::Actions { .. });
        let tagged: Vec<TaggedStep> =
            analysis.tagged(positions[at]).filter(|step| is_action(step.label)).collect();
        let mut right: Vec<LabelId> =
            tagged.iter().filter(|step| step.tag == Tag::Correct).map(|step| step.label).collect();
        if right.is_empty() {
            // Where nothing is right for good, what leaves a way out is better than what does not.
            let next = positions.get(at + 1).copied();
            let is_lost = next.is_none_or(|next| analysis.tag(next) == Tag::Incorrect);
            let neutral = tagged.iter().filter(|step| is_lost && step.tag == Tag::Neutral);
            right = neutral.map(|step| step.label).collect();
        }
        right
    };
    let (at, right) =
        (0..labels.len()).rev().map(|at| (at, right(at))).find(|(_, right)| !right.is_empty())?;
    let mut names = names(marked, &right);
    names.sort();
    names.dedup();
    Some((at, names))
}

/// A place with the step by which it was reached first.
#[derive(Debug, Clone, Copy)]
struct Reached {
    place: usize,
    /// The index of the place before it; its own for the first one.
    before: usize,
    label: Option<LabelId>,
}

/// The places of a search in the order in which they were found.
#[derive(Debug, Clone)]
pub struct SearchTree {
    reached: Vec<Reached>,
}

impl SearchTree {
    /// The place where the search starts, with the index 0.
    pub fn new(start: usize) -> Self {
        Self { reached: vec![Reached { place: start, before: 0, label: None }] }
    }

    /// Adds a place that is reached from the one with index `before`; returns its index.
    pub fn add(&mut self, place: usize, before: usize, label: LabelId) -> usize {
        self.reached.push(Reached { place, before, label: Some(label) });
        self.reached.len() - 1
    }

    /// The place with an index.
    pub fn place(&self, at: usize) -> usize {
        self.reached[at].place
    }

    /// The labels on the path to the place with an index.
    pub fn labels_to(&self, at: usize) -> Vec<LabelId> {
        let mut labels: Vec<LabelId> = self.back_from(at).filter_map(|reached| reached.label).collect();
        labels.reverse();
        labels
    }

    /// The places on the path to the place with an index, both ends included.
    pub fn places_to(&self, at: usize) -> Vec<usize> {
        let mut places: Vec<usize> = self.back_from(at).map(|reached| reached.place).collect();
        places.reverse();
        places
    }

    /// The path to a place, from its end to its beginning.
    fn back_from(&self, at: usize) -> impl Iterator<Item = Reached> {
        std::iter::successors(Some(self.reached[at]), |reached| {
            reached.label.map(|_| self.reached[reached.before])
        })
    }
}
