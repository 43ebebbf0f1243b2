//! Values, states and labels of the reference semantics.

use std::collections::{BTreeMap, BTreeSet};

/// A value. A present optional value is represented by the value itself: options do not nest, so this is
/// unambiguous, and `=` between `T` and `option T` needs no conversion.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// The absent value.
    None,
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A value of an enumeration, by its index.
    Enum(EnumId, u32),
    /// A set of values of one type.
    Set(BTreeSet<Value>),
    /// A record, its fields in declaration order.
    Record(RecordId, Vec<Value>),
    /// A total map: an entry for every key.
    Map(BTreeMap<Value, Value>),
}

impl Value {
    /// True if it is `true`; false for `none` and values of other types.
    pub fn is_true(&self) -> bool {
        matches!(self, Value::Bool(true))
    }
}

/// A state: the values of all variables, in the order of [`super::Model::variables`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State(pub Vec<Value>);

/// The label of a step: which action, with which arguments.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label {
    /// The action, as an index into [`super::Model::actions`].
    pub action: usize,
    /// Its arguments, in order.
    pub args: Vec<Value>,
}

/// A state of a trace with the label of the step that led to it (`None` in the initial state).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Moment {
    /// The label of the step that led here.
    pub label: Option<Label>,
    /// The state.
    pub state: State,
}

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
