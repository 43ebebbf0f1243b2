//! Shortest runs to the first violations that occurrences make.

use super::marked::Marked;
use crate::lts::Bits;
use crate::lts::safety::{Analysis, Position, Product, Tag};
use crate::process::program::CodeId;
use crate::process::semantics::Meaning;
use std::collections::VecDeque;

/// A run whose last action makes its first violation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// The labels; omitted actions have the names of their dummies.
    pub labels: Vec<String>,
    /// Whether it omits actions: otherwise, other violations come first.
    pub leaves_out: bool,
    /// The last choice that could have avoided it: the index of the action, and the labels that would have been right.
    pub avoided_by: Option<(usize, Vec<String>)>,
}

/// A run as a path through the product.
#[derive(Debug, Clone)]
pub struct Run {
    /// The position before each label.
    positions: Vec<Position>,
    labels: Vec<u32>,
    /// Whether it omits actions.
    leaves_out: bool,
}

/// A shortest run for each occurrence that makes a first violation, preferably without omissions.
pub fn runs(marked: &Marked, original: &Analysis<'_>) -> Vec<Option<Run>> {
    let mut found: Vec<Option<Run>> = vec![None; marked.occurrences.len()];
    search(marked, &original.product, &mut found, false);
    if found.iter().any(Option::is_none) {
        let automaton = marked.seeing_actions();
        search(marked, &Product::new(&marked.lts, &automaton), &mut found, true);
    }
    found
}

impl Run {
    /// The run with its labels, and the choice that could have avoided its end. The analysis is of the system in
    /// which inevitable bugs can be left out: otherwise nothing could avoid anything where there is one.
    pub fn explain(&self, marked: &Marked, analysis: &Analysis<'_>) -> Way {
        let avoided_by = match self.leaves_out {
            true => None,
            false => avoided_by(marked, analysis, &self.positions, &self.labels),
        };
        Way { labels: names(marked, &self.labels), leaves_out: self.leaves_out, avoided_by }
    }
}

fn names(marked: &Marked, labels: &[u32]) -> Vec<String> {
    labels.iter().map(|&l| marked.names.text(marked.name_of[l as usize]).into_owned()).collect()
}

/// Breadth first through what is not bad yet; fills in what is missing.
fn search(marked: &Marked, product: &Product<'_>, found: &mut [Option<Run>], leaves_out: bool) {
    let start = product.initial();
    if product.is_bad(start) {
        return;
    }
    let mut seen = Bits::new(product.positions());
    seen.insert(start);
    // How each position was reached, by its place in the order of the search.
    let mut order: Vec<(Position, usize, u32)> = vec![(start, 0, 0)];
    let mut queue = VecDeque::from([0]);
    while let Some(at) = queue.pop_front() {
        let position = order[at].0;
        for (label, after) in product.after(position) {
            if !product.is_bad(after) {
                if seen.insert(after) {
                    queue.push_back(order.len());
                    order.push((after, at, label));
                }
                continue;
            }
            let Meaning::Actions { who, .. } = &marked.meanings[label as usize] else { continue };
            for code in who {
                let Some(place) = occurrence(marked, *code) else { continue };
                if found[place].is_none() {
                    let (positions, labels) = path(&order, at, label);
                    found[place] = Some(Run { positions, labels, leaves_out });
                }
            }
        }
    }
}

fn occurrence(marked: &Marked, code: CodeId) -> Option<usize> {
    marked.occurrences.iter().position(|&other| other == code)
}

/// The positions before each label, and the labels.
fn path(order: &[(Position, usize, u32)], end: usize, last: u32) -> (Vec<Position>, Vec<u32>) {
    let (mut positions, mut labels, mut at) = (vec![order[end].0], vec![last], end);
    while at != 0 {
        let (_, before, label) = order[at];
        labels.push(label);
        positions.push(order[before].0);
        at = before;
    }
    positions.reverse();
    labels.reverse();
    (positions, labels)
}

/// The last step that made a violation certain or nearer, although another one would have avoided it.
fn avoided_by(
    marked: &Marked,
    analysis: &Analysis<'_>,
    positions: &[Position],
    labels: &[u32],
) -> Option<(usize, Vec<String>)> {
    let right = |at: usize| {
        let is_action = |label: u32| matches!(marked.meanings[label as usize], Meaning::Actions { .. });
        let tagged: Vec<(u32, Position, Tag)> =
            analysis.tagged(positions[at]).filter(|&(label, ..)| is_action(label)).collect();
        let mut right: Vec<u32> =
            tagged.iter().filter(|(.., tag)| *tag == Tag::Correct).map(|&(label, ..)| label).collect();
        if right.is_empty() {
            // Where nothing is right for good, what leaves a way out is better than what does not.
            let next = positions.get(at + 1).copied();
            let is_lost = next.is_none_or(|next| analysis.tag(next) == Tag::Incorrect);
            let neutral = tagged.iter().filter(|(.., tag)| is_lost && *tag == Tag::Neutral);
            right = neutral.map(|&(label, ..)| label).collect();
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
