//! Indices of declared types.

/// Index of an enumeration in [`super::types::Types`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct EnumId(pub u32);

/// Index of a record type in [`super::types::Types`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordId(pub u32);

impl RecordId {
    /// The first index of records that no declaration, but a formula makes.
    pub const FIRST_MADE: u32 = 1 << 31;
}
