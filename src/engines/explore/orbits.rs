//! One state as representative of each orbit of symmetries.

use super::columns::Columns;
use super::packed::{PackedImage, StateLayout};
use lang::model::Model;
use lang::model::permutation::Permutation;
use std::cmp::Ordering;

/// Normal forms of states under a group of symmetries, so that one state of each orbit needs to be visited.
#[derive(Debug)]
pub struct Orbits {
    forms: NormalForms,
    words: usize,
}

#[derive(Debug)]
enum NormalForms {
    /// The least image under a whole group (`whole`), by all elements but the identity; otherwise an image that no single one of these
    /// permutations makes less.
    Least { images: Vec<PackedImage>, whole: bool },
    /// The image with its columns in order, of a group that permutes them in all ways.
    Sorted(Vec<Columns>),
}

impl Orbits {
    /// Prepares normal forms under permutations that are symmetries of the model: all but the identity of a group
    /// (`whole`), or some of them. `None` if they move names in values that are too large to be packed.
    pub fn new(model: &Model, symmetries: &[Permutation], whole: bool) -> Option<Self> {
        let states = StateLayout::of(model);
        let moves = symmetries.iter().map(|by| PackedImage::moves(model, &states, by));
        let columns = moves.collect::<Option<Vec<_>>>().and_then(|moves| Columns::of(&moves));
        let forms = match columns {
            Some(columns) => NormalForms::Sorted(columns),
            None => {
                let images = symmetries.iter().map(|by| PackedImage::of(model, &states, by));
                NormalForms::Least { images: images.collect::<Option<_>>()?, whole }
            }
        };
        Some(Self { forms, words: states.words })
    }

    /// True if the normal form is the same for all states of an orbit.
    pub fn are_whole(&self) -> bool {
        match &self.forms {
            NormalForms::Least { whole, .. } => *whole,
            NormalForms::Sorted(_) => true,
        }
    }

    /// Returns a computation of normal forms.
    pub(super) fn normaliser(&self) -> Normaliser<'_> {
        let none = || vec![0; self.words];
        Normaliser { orbits: self, normal: none(), image: none() }
    }
}

/// Computes normal forms of packed states.
pub(super) struct Normaliser<'a> {
    orbits: &'a Orbits,
    normal: Vec<u64>,
    /// Room for an image, or for keys of columns.
    image: Vec<u64>,
}

impl Normaliser<'_> {
    /// Returns the normal form of a state, and the number of states in its orbit; without a whole group, 1.
    pub fn normal_form(&mut self, state: &[u64]) -> (&[u64], u64) {
        let Self { orbits, normal, image } = self;
        normal.copy_from_slice(state);
        let (images, whole) = match &orbits.forms {
            NormalForms::Sorted(all) => {
                let orders = all.iter().map(|columns| columns.sort(normal, image));
                let in_orbit = orders.fold(1, u64::saturating_mul);
                return (normal, in_orbit);
            }
            NormalForms::Least { images, whole } => (images, *whole),
        };
        if whole {
            let mut same = 1;
            for permutation in images {
                permutation.write(state, image);
                match image.cmp(&normal) {
                    Ordering::Less => {
                        normal.copy_from_slice(image);
                        same = 1;
                    }
                    Ordering::Equal => same += 1,
                    Ordering::Greater => {}
                }
            }
            // Equally many permutations lead to each state of the orbit.
            return (normal, (images.len() as u64 + 1) / same);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for permutation in images {
                permutation.write(normal, image);
                if image < normal {
                    std::mem::swap(normal, image);
                    changed = true;
                }
            }
        }
        (normal, 1)
    }
}
