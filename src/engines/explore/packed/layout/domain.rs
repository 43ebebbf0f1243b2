//! The values of elements of a set or keys of a map, by rank.

use super::{Layout, LayoutShape, PackedCode};
use kit::number::to_u32;
use lang::model::types::{Type, Types};
use lang::model::value::Value;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// All values of a type without options, in ascending order.
#[derive(Debug)]
pub struct Domain {
    /// The layout of the values, which is small.
    pub layout: Arc<Layout>,
    ranks: Ranks,
    count: u32,
}

#[derive(Debug)]
enum Ranks {
    /// Codes are consecutive.
    From(i64),
    /// A table in both directions.
    Table { codes: Vec<PackedCode>, ranks: FxHashMap<PackedCode, u32> },
}

impl Domain {
    /// Returns the domain of a type with at most `most` values; `None` if it has more, or its values do not fit into a
    /// code.
    pub fn of(types: &Types, ty: &Type, most: u64) -> Option<Arc<Self>> {
        if types.cardinality(ty) > most || ty.is_option() {
            return None;
        }
        let layout = Layout::of(types, ty)?;
        let count = to_u32(types.cardinality(ty));
        let ranks = match layout.shape {
            LayoutShape::Scalar { least, .. } => Ranks::From(least),
            _ if !layout.is_small() => return None,
            _ => {
                let values = types.values(ty);
                let codes: Vec<PackedCode> =
                    values.iter().map(|value| layout.code_of(value)?).collect::<Option<_>>()?;
                let ranks = codes.iter().zip(0..).map(|(&code, rank)| (code, rank)).collect();
                Ranks::Table { codes, ranks }
            }
        };
        Some(Arc::new(Self { layout, ranks, count }))
    }

    /// Returns the number of values.
    pub fn size(&self) -> u32 {
        self.count
    }

    /// Returns the rank of a value, if it is in the domain.
    #[inline]
    pub fn rank(&self, code: PackedCode) -> Option<u32> {
        match &self.ranks {
            Ranks::From(least) => {
                let rank = code.wrapping_sub((*least).cast_unsigned());
                (rank < u64::from(self.count)).then(|| to_u32(rank))
            }
            Ranks::Table { ranks, .. } => ranks.get(&code).copied(),
        }
    }

    /// Returns the value of a rank below [`Domain::size`].
    #[inline]
    pub fn code(&self, rank: u32) -> PackedCode {
        match &self.ranks {
            Ranks::From(least) => u64::from(rank).wrapping_add((*least).cast_unsigned()),
            Ranks::Table { codes, .. } => codes[rank as usize],
        }
    }

    /// Returns the value of a rank as a [`Value`].
    pub fn value(&self, rank: u32) -> Value {
        self.layout.value_of(Some(self.code(rank)))
    }

    /// Returns the rank of a [`Value`], if it is in the domain.
    pub fn rank_of_value(&self, value: &Value) -> Option<u32> {
        self.layout.code_of(value).flatten().and_then(|code| self.rank(code))
    }
}
