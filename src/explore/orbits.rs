//! One state in the place of all that symmetries make of it.

use super::packed::{PackedImage, StateLayout};
use crate::model::Model;
use crate::model::permutation::Permutation;

/// Normal forms of states under a group of symmetries, so that one state of each orbit needs to be visited.
#[derive(Debug)]
pub struct Orbits {
    images: Vec<PackedImage>,
    /// Whether the images are those of a whole group.
    whole: bool,
    words: usize,
}

impl Orbits {
    /// The normal forms under permutations that are symmetries of the model: all but the identity of a group (`whole`), or
    /// some of it. `None` if they move something in values that are too large to be packed.
    pub fn new(model: &Model, symmetries: &[Permutation], whole: bool) -> Option<Self> {
        let states = StateLayout::of(model);
        let images = symmetries.iter().map(|by| PackedImage::of(model, &states, by));
        Some(Self { images: images.collect::<Option<_>>()?, whole, words: states.words })
    }

    /// Whether the normal form is the same for all states of an orbit.
    pub fn are_whole(&self) -> bool {
        self.whole
    }

    /// Replaces a state by its normal form: the least image under a whole group; otherwise one that no single permutation
    /// makes less. Returns the number of states in the orbit; without a whole group, 1.
    pub(super) fn normalise(&self, state: &mut Vec<u64>) -> u64 {
        let mut image = vec![0; self.words];
        if self.whole {
            let original = state.clone();
            let mut same = 1;
            for permutation in &self.images {
                permutation.write(&original, &mut image);
                match image.cmp(state) {
                    std::cmp::Ordering::Less => {
                        state.copy_from_slice(&image);
                        same = 1;
                    }
                    std::cmp::Ordering::Equal => same += 1,
                    std::cmp::Ordering::Greater => {}
                }
            }
            // As many permutations lead to each state of the orbit.
            return (self.images.len() as u64 + 1) / same;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for permutation in &self.images {
                permutation.write(state, &mut image);
                if image < *state {
                    state.copy_from_slice(&image);
                    changed = true;
                }
            }
        }
        1
    }
}
