//! Constant values.

use std::collections::{BTreeMap, BTreeSet};

/// A value of Quint.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    Bool(bool),
    Int(i64),
    Str(String),
    Set(BTreeSet<Value>),
    List(Vec<Value>),
    Tup(Vec<Value>),
    Rec(BTreeMap<String, Value>),
    /// A value of a sum type: a constructor and its payload.
    Sum(String, Box<Value>),
    Map(BTreeMap<Value, Value>),
}

impl Value {
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
