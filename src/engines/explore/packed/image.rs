//! The image of a packed state under a permutation of names, as a list of changes of bits.

use super::bits::{copy, read, write};
use super::layout::{Layout, LayoutShape};
use super::states::StateLayout;
use kit::number::{to_u32, to_usize};
use lang::model::Model;
use lang::model::expr::VarId;
use lang::model::permutation::Permutation;
use lang::model::types::Types;

/// The most bits of a value that is looked up in a table.
const TABLE: u32 = 10;

/// A permutation over packed states.
#[derive(Debug)]
pub struct PackedImage {
    changes: Vec<ImageChange>,
}

/// Bits that have another place in the image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct MovedBits {
    /// The offset in the state.
    pub from: u32,
    /// The offset in the image.
    pub to: u32,
    /// The number of bits.
    pub width: u32,
}

/// Bits of the image that may differ from those of the state.
#[derive(Debug)]
enum ImageChange {
    /// Bits copied from another offset.
    Moved(MovedBits),
    /// A value of few bits with another image. The table is indexed by the bits.
    Renamed { from: u32, to: u32, width: u32, table: Vec<u64> },
    /// Changes that depend on bits of the state.
    If { at: u32, width: u32, bits: u64, then: Vec<ImageChange>, otherwise: Vec<ImageChange> },
}

impl PackedImage {
    /// Compiles a permutation over the states of a model; `None` if it moves names in values that are not packed.
    pub fn of(model: &Model, states: &StateLayout, by: &Permutation) -> Option<Self> {
        Self::compiled(model, states, by, TABLE)
    }

    /// The bits that a permutation moves; `None` if it does more than that.
    pub fn moves(model: &Model, states: &StateLayout, by: &Permutation) -> Option<Vec<MovedBits>> {
        let moved = |change| match change {
            ImageChange::Moved(bits) => Some(bits),
            ImageChange::Renamed { .. } | ImageChange::If { .. } => None,
        };
        Self::compiled(model, states, by, 0)?.changes.into_iter().map(moved).collect()
    }

    fn compiled(model: &Model, states: &StateLayout, by: &Permutation, table: u32) -> Option<Self> {
        let compiler = ImageCompiler { types: &model.types, by, table };
        let mut changes = Vec::new();
        for variable in 0..model.variables.len() {
            let (offset, layout) = states.variable(VarId(to_u32(variable)));
            if by.moves_in(&model.types, &model.variables[variable].ty) {
                compiler.add(layout, offset, offset, &mut changes)?;
            }
        }
        Some(Self { changes })
    }

    /// Writes the image of a state.
    pub fn write(&self, state: &[u64], image: &mut [u64]) {
        image.copy_from_slice(state);
        apply(&self.changes, state, image);
    }
}

fn apply(changes: &[ImageChange], state: &[u64], image: &mut [u64]) {
    for change in changes {
        match change {
            ImageChange::Moved(MovedBits { from, to, width }) => copy(state, *from, image, *to, *width),
            ImageChange::Renamed { from, to, width, table } => {
                write(image, *to, *width, table[to_usize(read(state, *from, *width))]);
            }
            ImageChange::If { at, width, bits, then, otherwise } => {
                apply(if read(state, *at, *width) == *bits { then } else { otherwise }, state, image);
            }
        }
    }
}

fn moved(from: u32, to: u32, width: u32) -> Option<ImageChange> {
    (from != to).then_some(ImageChange::Moved(MovedBits { from, to, width }))
}

struct ImageCompiler<'a> {
    types: &'a Types,
    by: &'a Permutation,
    /// The most bits of a value that is looked up in a table.
    table: u32,
}

impl ImageCompiler<'_> {
    /// Adds the changes that turn the value at `from` into its image at `to`.
    fn add(&self, layout: &Layout, from: u32, to: u32, changes: &mut Vec<ImageChange>) -> Option<()> {
        let moves = || moved(from, to, layout.width);
        if !self.by.moves_in(self.types, &layout.ty) {
            changes.extend(moves());
            return Some(());
        }
        if layout.width <= self.table && !matches!(layout.shape, LayoutShape::Interned(_)) {
            // Bits that are not a value have no image, and none is needed.
            let image = |bits| {
                let (value, mut words) = (layout.unpack(&[bits], 0), [0]);
                let image = self.by.image(self.types, &layout.ty, &value);
                if layout.pack(&image, &mut words, 0) { words[0] } else { 0 }
            };
            let table = (0..1 << layout.width).map(image).collect();
            changes.push(ImageChange::Renamed { from, to, width: layout.width, table });
            return Some(());
        }
        let mut parts = Vec::new();
        self.add_parts(layout, from + layout.presence(), to + layout.presence(), &mut parts)?;
        if layout.presence() == 0 {
            changes.extend(parts);
            return Some(());
        }
        parts.extend(moved(from, to, 1));
        let absent = moves().into_iter().collect();
        changes.push(ImageChange::If { at: from, width: 1, bits: 1, then: parts, otherwise: absent });
        Some(())
    }

    /// Like `add`, for the parts of a present composite.
    fn add_parts(&self, layout: &Layout, from: u32, to: u32, changes: &mut Vec<ImageChange>) -> Option<()> {
        match &layout.shape {
            LayoutShape::Set(domain) => {
                for rank in 0..domain.size() {
                    let image = self.by.image(self.types, &domain.layout.ty, &domain.value(rank));
                    let (from, to) = (from + rank, to + domain.rank_of_value(&image)?);
                    changes.extend(moved(from, to, 1));
                }
            }
            LayoutShape::Map(keys, value) => {
                for rank in 0..keys.size() {
                    let image = self.by.image(self.types, &keys.layout.ty, &keys.value(rank));
                    let (at, goes) = (rank * value.width, keys.rank_of_value(&image)? * value.width);
                    self.add(value, from + at, to + goes, changes)?;
                }
            }
            LayoutShape::Record(id, fields) => {
                let mut moving = Vec::new();
                for (at, field) in fields {
                    self.add(field, from + at, to + at, &mut moving)?;
                }
                for (field, value) in self.by.fixed_in(*id) {
                    let (at, field) = &fields[field];
                    let bits = field.encode(field.code_of(value)?)?;
                    let width = fields.iter().map(|(_, field)| field.width).sum();
                    let stays = moved(from, to, width);
                    let (at, then) = (from + at, stays.into_iter().collect());
                    moving = vec![ImageChange::If { at, width: field.width, bits, then, otherwise: moving }];
                }
                changes.extend(moving);
            }
            LayoutShape::Scalar { .. } | LayoutShape::Interned(_) => return None,
        }
        Some(())
    }
}
