//! One state as representative of each orbit of symmetries.

use super::packed::{PackedImage, StateLayout};
use lang::model::Model;
use lang::model::permutation::Permutation;
use std::cmp::Ordering;

/// Normal forms of states under a group of symmetries, so that one state of each orbit needs to be visited.
#[derive(Debug)]
pub struct Orbits {
    images: Vec<PackedImage>,
    /// True if the images are those of a whole group.
    whole: bool,
    words: usize,
}

impl Orbits {
    /// Prepares normal forms under permutations that are symmetries of the model: all but the identity of a group
    /// (`whole`), or some of them. `None` if they move names in values that are too large to be packed.
    pub fn new(model: &Model, symmetries: &[Permutation], whole: bool) -> Option<Self> {
        let states = StateLayout::of(model);
        let images = symmetries.iter().map(|by| PackedImage::of(model, &states, by));
        Some(Self { images: images.collect::<Option<_>>()?, whole, words: states.words })
    }

    /// True if the normal form is the same for all states of an orbit.
    pub fn are_whole(&self) -> bool {
        self.whole
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
    image: Vec<u64>,
}

impl Normaliser<'_> {
    /// Returns the normal form of a state: the least image under a whole group; otherwise one that no single
    /// permutation makes less. Also returns the number of states in the orbit; without a whole group, 1.
    pub fn normal_form(&mut self, state: &[u64]) -> (&[u64], u64) {
        let Self { orbits, normal, image } = self;
        normal.copy_from_slice(state);
        if orbits.whole {
            let mut same = 1;
            for permutation in &orbits.images {
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
            return (normal, (orbits.images.len() as u64 + 1) / same);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for permutation in &orbits.images {
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
