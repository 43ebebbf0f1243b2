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
    /// The labels; what is left out has the name of its dummy.
    pub labels: Vec<String>,
    /// Whether actions are left out in it: without that, other violations come first.
    pub leaves_out: bool,
    /// The last choice that could have avoided it: before which action, and the labels that were right.
    pub avoided_by: Option<(usize, Vec<String>)>,
}

/// A shortest run for each occurrence, one that leaves nothing out if there is any.
pub fn ways(marked: &Marked, original: &Analysis<'_>) -> Vec<Option<Way>> {
    let mut found: Vec<Option<Way>> = vec![None; marked.occurrences.len()];
    search(marked, &original.product, &mut found, |positions, labels| Way {
        labels: names(marked, labels),
        leaves_out: false,
        avoided_by: avoided_by(marked, original, positions, labels),
    });
    if found.iter().any(Option::is_none) {
        let automaton = marked.seeing_actions();
        let product = Product::new(&marked.lts, &automaton);
        search(marked, &product, &mut found, |_, labels| Way {
            labels: names(marked, labels),
            leaves_out: true,
            avoided_by: None,
        });
    }
    found
}

fn names(marked: &Marked, labels: &[u32]) -> Vec<String> {
    labels.iter().map(|&l| marked.names.text(marked.name_of[l as usize]).into_owned()).collect()
}

/// Breadth first through what is not bad yet; fills in what is missing.
fn search(
    marked: &Marked,
    product: &Product<'_>,
    found: &mut [Option<Way>],
    make: impl Fn(&[Position], &[u32]) -> Way,
) {
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
                    found[place] = Some(make(&positions, &labels));
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
    original: &Analysis<'_>,
    positions: &[Position],
    labels: &[u32],
) -> Option<(usize, Vec<String>)> {
    let right = |at: usize| {
        let tagged: Vec<(u32, Position, Tag)> = original.tagged(positions[at]).collect();
        let mut right: Vec<u32> =
            tagged.iter().filter(|(.., tag)| *tag == Tag::Correct).map(|&(label, ..)| label).collect();
        if right.is_empty() {
            // Where nothing is right for good, what leaves a way out is better than what does not.
            let next = positions.get(at + 1).copied();
            let is_lost = next.is_none_or(|next| original.tag(next) == Tag::Incorrect);
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
