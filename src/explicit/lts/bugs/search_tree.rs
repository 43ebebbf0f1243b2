//! How the places of a breadth-first search were reached.

use crate::lts::LabelId;

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
