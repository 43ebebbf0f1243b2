//! Constant values.

use std::collections::{BTreeMap, BTreeSet};

/// A value of Quint.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum QuintValue {
    Bool(bool),
    Int(i64),
    Str(String),
    Set(BTreeSet<QuintValue>),
    List(Vec<QuintValue>),
    Tup(Vec<QuintValue>),
    Rec(BTreeMap<String, QuintValue>),
    /// A value of a sum type: a constructor and its payload.
    Sum(String, Box<QuintValue>),
    Map(BTreeMap<QuintValue, QuintValue>),
}

impl QuintValue {
    pub fn members(&self) -> Option<&BTreeSet<Self>> {
        match self {
            Self::Set(members) => Some(members),
            _ => None,
        }
    }

    pub fn integer(&self) -> Option<i64> {
        match self {
            Self::Int(n) => Some(*n),
            _ => None,
        }
    }
}
