//! Decomposition of symbolic values into one-hot parts; each bit of an integer is a part of its own.

use super::symbolic::{Symbolic, literal_of};
use crate::sat::{Circuit, Lit};
use lang::model::value::Value;

use Symbolic as S;

/// A part of an unconstrained value, with the corresponding part of another value of the same type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairedLeaf {
    /// The literals of the unconstrained value; at most one of them holds. Their variables are distinct, except
    /// that one of two literals can be the negation of the other.
    pub free: Vec<Lit>,
    /// The corresponding literals of the other value.
    pub other: Vec<Lit>,
    /// True if one of `free` always holds.
    pub total: bool,
}

impl Symbolic {
    /// The parts of a value made by [`Symbolic::fresh`], with those of another value of its type. They determine
    /// the values. Parts that can have only one value are left out.
    pub fn parts(&self, c: &mut Circuit, other: &S) -> Vec<PairedLeaf> {
        let mut parts = Vec::new();
        self.add_parts(c, Some(other), c.yes(), &mut parts);
        parts
    }

    fn add_parts(&self, c: &mut Circuit, other: Option<&S>, above: Lit, parts: &mut Vec<PairedLeaf>) {
        let no = c.no();
        let single =
            |free: Lit, other: Lit| PairedLeaf { free: vec![free], other: vec![other], total: false };
        let presence = |c: &Circuit, present: Lit, parts: &mut Vec<PairedLeaf>| {
            if present != above {
                parts.push(single(present, other.map_or(no, |other| other.is_some(c))));
            }
        };
        match self {
            S::Bool(lit) => {
                let truth = match other {
                    Some(S::Bool(truth)) => *truth,
                    Some(S::Scalar(list)) => literal_of(list, &Value::Bool(true)).unwrap_or(no),
                    _ => no,
                };
                parts.push(single(*lit, truth));
            }
            // A part with a single value is present iff the value that contains it is.
            S::Scalar(entries) if entries.len() < 2 => {}
            S::Scalar(entries) => {
                let list = other.map_or_else(Vec::new, |other| other.as_scalar(c));
                let same = |(value, _): &(Value, Lit)| literal_of(&list, value).unwrap_or(no);
                let free = entries.iter().map(|(_, lit)| *lit).collect();
                parts.push(PairedLeaf {
                    free,
                    other: entries.iter().map(same).collect(),
                    total: above == c.yes(),
                });
            }
            S::Binary(number) => {
                let same = other.and_then(|other| other.as_binary(c, false));
                if number.there != above {
                    parts.push(single(number.there, same.as_ref().map_or(no, |same| same.there)));
                }
                for (index, bit) in number.open_bits() {
                    parts.push(single(bit, same.as_ref().map_or(no, |same| same.bit(index))));
                }
            }
            S::Set { present, members } => {
                presence(c, *present, parts);
                let list = match other {
                    Some(S::Set { members, .. }) => members.as_slice(),
                    _ => &[],
                };
                for (member, lit) in members {
                    parts.push(single(*lit, literal_of(list, member).unwrap_or(no)));
                }
            }
            S::Record { present, fields, .. } => {
                presence(c, *present, parts);
                let list = match other {
                    Some(S::Record { fields, .. }) => fields.as_slice(),
                    _ => &[],
                };
                for (index, field) in fields.iter().enumerate() {
                    field.add_parts(c, list.get(index), *present, parts);
                }
            }
            S::Map { present, entries } => {
                presence(c, *present, parts);
                let list = match other {
                    Some(S::Map { entries, .. }) => entries.as_slice(),
                    _ => &[],
                };
                for (key, entry) in entries {
                    let same = list.iter().find(|(k, _)| k == key).map(|(_, entry)| entry);
                    entry.add_parts(c, same, *present, parts);
                }
            }
        }
    }

    /// The literals of a value made by [`Symbolic::fresh`], each with its truth value if `value` is the value;
    /// `None` stands for a part below an absent composite.
    pub fn literals(&self, c: &Circuit, value: Option<&Value>) -> Vec<(Lit, bool)> {
        let mut list = Vec::new();
        self.each_literal(value, &mut |lit, holds| list.push((lit, holds)));
        list.retain(|(lit, _)| *lit != c.yes() && *lit != c.no());
        list
    }

    /// Passes on the same literals, and constants.
    pub fn each_literal(&self, value: Option<&Value>, sink: &mut impl FnMut(Lit, bool)) {
        let there = value.filter(|value| **value != Value::None);
        match self {
            S::Bool(lit) => sink(*lit, value == Some(&Value::Bool(true))),
            S::Scalar(entries) => entries.iter().for_each(|(v, lit)| sink(*lit, Some(v) == value)),
            S::Binary(number) => {
                let n = match there {
                    Some(Value::Int(n)) => Some(*n),
                    _ => None,
                };
                sink(number.there, n.is_some());
                number.open_bits().for_each(|(bit, lit)| sink(lit, n.is_some_and(|n| n >> bit & 1 == 1)));
            }
            S::Set { present, members } => {
                sink(*present, there.is_some());
                let has = |v: &Value| matches!(there, Some(Value::Set(set)) if set.contains(v));
                members.iter().for_each(|(v, lit)| sink(*lit, has(v)));
            }
            S::Record { present, fields, .. } => {
                sink(*present, there.is_some());
                for (index, field) in fields.iter().enumerate() {
                    let value = match there {
                        Some(Value::Record(_, values)) => values.get(index),
                        _ => None,
                    };
                    field.each_literal(value, sink);
                }
            }
            S::Map { present, entries } => {
                sink(*present, there.is_some());
                for (key, entry) in entries {
                    let value = match there {
                        Some(Value::Map(values)) => values.get(key),
                        _ => None,
                    };
                    entry.each_literal(value, sink);
                }
            }
        }
    }
}
