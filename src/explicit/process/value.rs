//! Values.

use std::rc::Rc;

/// A value; its type says what it means.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ProcessValue {
    Number(i64),
    /// A constructor, by its index in its type, with the values of its fields.
    Constructed(u32, Rc<[ProcessValue]>),
    List(Rc<[ProcessValue]>),
    Text(Rc<str>),
}

impl ProcessValue {
    pub fn truth(value: bool) -> Self {
        ProcessValue::Constructed(u32::from(value), Rc::default())
    }

    /// True if this is the truth value `true`; false for all other values.
    pub fn is_true(&self) -> bool {
        matches!(self, ProcessValue::Constructed(1, _))
    }
}
