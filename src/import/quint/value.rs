//! Constant values.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// A value of Quint. Lists, tuples, records and maps are equal if they are as functions, as in TLA+.
#[derive(Debug, Clone)]
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

    /// Returns the arguments of a function with its values, in order.
    fn function(&self) -> Option<Vec<(Self, &Self)>> {
        match self {
            Self::List(parts) | Self::Tup(parts) => Some((1..).map(Self::Int).zip(parts).collect()),
            Self::Rec(fields) => Some(fields.iter().map(|(n, v)| (Self::Str(n.clone()), v)).collect()),
            Self::Map(entries) => Some(entries.iter().map(|(k, v)| (k.clone(), v)).collect()),
            _ => None,
        }
    }

    /// Returns the rank of values of its kind among those of others.
    fn kind(&self) -> u8 {
        match self {
            Self::Bool(_) => 0,
            Self::Int(_) => 1,
            Self::Str(_) => 2,
            Self::Set(_) => 3,
            Self::List(_) | Self::Tup(_) | Self::Rec(_) | Self::Map(_) => 4,
            Self::Sum(..) => 5,
        }
    }

    pub fn integer(&self) -> Option<i64> {
        match self {
            Self::Int(n) => Some(*n),
            _ => None,
        }
    }
}

impl Ord for QuintValue {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Bool(a), Self::Bool(b)) => a.cmp(b),
            (Self::Int(a), Self::Int(b)) => a.cmp(b),
            (Self::Str(a), Self::Str(b)) => a.cmp(b),
            (Self::Set(a), Self::Set(b)) => a.cmp(b),
            (Self::Sum(a, p), Self::Sum(b, q)) => (a, p).cmp(&(b, q)),
            (Self::List(a) | Self::Tup(a), Self::List(b) | Self::Tup(b)) => a.cmp(b),
            (Self::Rec(a), Self::Rec(b)) => a.cmp(b),
            (Self::Map(a), Self::Map(b)) => a.cmp(b),
            _ => match (self.function(), other.function()) {
                (Some(a), Some(b)) => a.cmp(&b),
                _ => self.kind().cmp(&other.kind()),
            },
        }
    }
}

impl PartialOrd for QuintValue {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Eq for QuintValue {}

impl PartialEq for QuintValue {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
