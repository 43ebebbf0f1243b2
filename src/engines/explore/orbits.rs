//! One state as representative of each orbit of symmetries.

use super::columns::Columns;
use super::packed::{PackedImage, StateLayout};
use lang::model::Model;
use lang::model::permutation::Permutation;

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
    /// Returns the normal form of a state.
    pub fn normal_form(&mut self, state: &[u64]) -> &[u64] {
        let Self { orbits, normal, image } = self;
        normal.copy_from_slice(state);
        match &orbits.forms {
            NormalForms::Sorted(all) => all.iter().for_each(|columns| columns.sort(normal, image)),
            NormalForms::Least { images, whole: true } => {
                for permutation in images {
                    permutation.write(state, image);
                    if image < normal {
                        normal.copy_from_slice(image);
                    }
                }
            }
            NormalForms::Least { images, whole: false } => {
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
            }
        }
        normal
    }

    /// Returns the number of states in the orbit of a normal form, at most 2⁶⁴ − 1; `None` unless the group is whole.
    pub fn orbit_size(&mut self, normal: &[u64]) -> Option<u64> {
        match &self.orbits.forms {
            NormalForms::Sorted(all) => {
                let orders = all.iter().map(|columns| columns.orders(normal, &mut self.image));
                Some(orders.fold(1, u64::saturating_mul))
            }
            NormalForms::Least { images, whole: true } => {
                let is_fixed = |permutation: &&PackedImage| {
                    permutation.write(normal, &mut self.image);
                    self.image == normal
                };
                // Equally many permutations lead to each state of the orbit.
                let same = images.iter().filter(is_fixed).count();
                Some((images.len() as u64 + 1) / (same as u64 + 1))
            }
            NormalForms::Least { whole: false, .. } => None,
        }
    }
}
