//! Values with open parts.

use kit::number::{to_u32, to_usize};
use lang::model::eval::PlaceStep;
use lang::model::types::{RecordId, Type, Types};
use lang::model::value::Value;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A value whose parts may be open.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Partial {
    Known(Value),
    /// One of these candidates; no two of them can become the same value.
    Open(Arc<[Partial]>),
    /// An integer from `lo` to `hi`, a large range.
    Between {
        /// The least one.
        lo: i64,
        /// The greatest one.
        hi: i64,
    },
    /// A record with open fields.
    Record(RecordId, Vec<Partial>),
    /// A map with open entries, in order of the keys.
    Map(Vec<(Value, Partial)>),
    /// A set that has the `certain` elements and possibly some of the `possible` ones, which are disjoint from them.
    Set {
        /// Elements it has.
        certain: BTreeSet<Value>,
        /// Elements it may have.
        possible: BTreeSet<Value>,
    },
    /// No information; the result of operators that do not evaluate open values.
    Unknown,
}

/// An open part: the way to it (indices of fields and map entries) and the candidates for it.
pub(super) struct OpenPart {
    /// Indices into records and maps, outermost first.
    pub way: Vec<usize>,
    /// The candidates, exactly one of which it will be.
    pub candidates: Vec<Partial>,
}

impl Partial {
    /// Returns any value of a type.
    pub fn any(types: &Types, ty: &Type) -> Partial {
        match ty {
            Type::Int { lo, hi } => between(*lo, *hi),
            Type::Bool | Type::Enum(_) => one_of(types.values(ty).into_iter().map(Partial::Known).collect()),
            Type::Option(inner) => match Partial::any(types, inner) {
                Partial::Open(present) => {
                    let none = std::iter::once(Partial::Known(Value::None));
                    one_of(none.chain(present.iter().cloned()).collect())
                }
                present => one_of(vec![Partial::Known(Value::None), present]),
            },
            Type::Set(element) => {
                let possible = types.values(element).into_iter().collect();
                Partial::Set { certain: BTreeSet::new(), possible }.settled()
            }
            Type::Record(id) if types.record(*id).is_tagged() => {
                let decl = types.record(*id);
                let constructors = decl.constructors.iter().enumerate().map(|(index, constructor)| {
                    let Value::Record(_, values) = decl.constructed(*id, index, Vec::new()) else {
                        unreachable!("variants and collections are records")
                    };
                    let mut fields: Vec<_> = values.into_iter().map(Partial::Known).collect();
                    for part in &constructor.payload {
                        fields[part.field] = Partial::any(types, &part.ty);
                    }
                    Partial::Record(*id, fields).settled()
                });
                one_of(constructors.collect())
            }
            Type::Record(id) => {
                let fields = types.record(*id).fields.iter();
                Partial::Record(*id, fields.map(|(_, ty)| Partial::any(types, ty)).collect()).settled()
            }
            Type::Map(key, value) => {
                let open = Partial::any(types, value);
                let keys = types.values(key).into_iter();
                Partial::Map(keys.map(|k| (k, open.clone())).collect()).settled()
            }
            Type::Pos | Type::Abstract(_) => Partial::Open(Arc::new([])),
        }
    }

    /// Returns the value, if nothing is open.
    pub fn known(&self) -> Option<&Value> {
        match self {
            Partial::Known(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the number of ways to fill in the open parts; saturates.
    pub fn ways(&self) -> usize {
        match self {
            Partial::Known(_) | Partial::Unknown => 1,
            Partial::Open(candidates) => candidates.iter().fold(0, |n: usize, c| n.saturating_add(c.ways())),
            Partial::Between { lo, hi } => to_usize(hi.saturating_sub(*lo).saturating_add(1).max(0)),
            Partial::Record(_, fields) => fields.iter().fold(1, |n: usize, f| n.saturating_mul(f.ways())),
            Partial::Map(entries) => entries.iter().fold(1, |n: usize, (_, v)| n.saturating_mul(v.ways())),
            Partial::Set { possible, .. } => 1usize.checked_shl(to_u32(possible.len())).unwrap_or(usize::MAX),
        }
    }

    /// Turns a structure without open parts into a known value.
    pub fn settled(self) -> Partial {
        match self {
            Partial::Record(id, fields) if fields.iter().all(|f| f.known().is_some()) => Partial::Known(
                Value::Record(id, fields.into_iter().filter_map(Partial::into_known).collect()),
            ),
            Partial::Map(entries) if entries.iter().all(|(_, v)| v.known().is_some()) => {
                let known = entries.into_iter().filter_map(|(k, v)| Some((k, v.into_known()?)));
                Partial::Known(Value::Map(known.collect()))
            }
            Partial::Set { certain, possible } if possible.is_empty() => Partial::Known(Value::Set(certain)),
            other => other,
        }
    }

    /// Returns all choices that can be decided now.
    pub fn choices(&self) -> Vec<OpenPart> {
        let mut found = Vec::new();
        self.collect_choices(&mut Vec::new(), &mut found);
        found
    }

    /// Replaces the part at `way`.
    pub fn decide(&mut self, way: &[usize], part: Partial) {
        match (way, &mut *self) {
            ([], here) => *here = part,
            ([first, rest @ ..], Partial::Record(_, fields)) => fields[*first].decide(rest, part),
            ([first, rest @ ..], Partial::Map(entries)) => entries[*first].1.decide(rest, part),
            (way, here) => unreachable!("no way {way:?} into {here:?}"),
        }
        *self = std::mem::replace(self, Partial::Unknown).settled();
    }

    /// Puts `part` at a place; does nothing below an open part, or if there is no such place.
    pub fn put(&mut self, steps: &[PlaceStep], part: Partial) {
        let Some((step, rest)) = steps.split_first() else {
            *self = part;
            return;
        };
        *self = std::mem::replace(self, Partial::Unknown).unfolded();
        match (step, &mut *self) {
            (PlaceStep::Field(field), Partial::Record(_, fields)) => fields[*field].put(rest, part),
            (PlaceStep::Key(key), Partial::Map(entries)) => {
                if let Ok(at) = entries.binary_search_by(|(k, _)| k.cmp(key)) {
                    entries[at].1.put(rest, part);
                }
            }
            _ => {}
        }
        *self = std::mem::replace(self, Partial::Unknown).settled();
    }

    fn into_known(self) -> Option<Value> {
        match self {
            Partial::Known(value) => Some(value),
            _ => None,
        }
    }

    /// Converts a known record or map to a structure of known parts.
    fn unfolded(self) -> Partial {
        match self {
            Partial::Known(Value::Record(id, fields)) => {
                Partial::Record(id, fields.into_iter().map(Partial::Known).collect())
            }
            Partial::Known(Value::Map(entries)) => {
                Partial::Map(entries.into_iter().map(|(k, v)| (k, Partial::Known(v))).collect())
            }
            other => other,
        }
    }

    fn collect_choices(&self, way: &mut Vec<usize>, found: &mut Vec<OpenPart>) {
        match self {
            Partial::Known(_) | Partial::Unknown => {}
            Partial::Open(candidates) => {
                found.push(OpenPart { way: way.clone(), candidates: candidates.to_vec() });
            }
            Partial::Between { lo, hi } => {
                found.push(OpenPart { way: way.clone(), candidates: split(*lo, *hi) })
            }
            Partial::Set { certain, possible } => {
                if let Some(element) = possible.first() {
                    let mut rest = possible.clone();
                    rest.remove(element);
                    let mut with = certain.clone();
                    with.insert(element.clone());
                    let without = Partial::Set { certain: certain.clone(), possible: rest.clone() };
                    let with = Partial::Set { certain: with, possible: rest };
                    let candidates = vec![without.settled(), with.settled()];
                    found.push(OpenPart { way: way.clone(), candidates });
                }
            }
            Partial::Record(_, fields) => {
                for (i, field) in fields.iter().enumerate() {
                    way.push(i);
                    field.collect_choices(way, found);
                    way.pop();
                }
            }
            Partial::Map(entries) => {
                for (i, (_, value)) in entries.iter().enumerate() {
                    way.push(i);
                    value.collect_choices(way, found);
                    way.pop();
                }
            }
        }
    }
}

/// The most integers of a range that is listed.
const MOST_LISTED: i64 = 4096;

/// The number of parts that a larger range is split into at once.
const PARTS: i64 = 16;

/// Returns an integer of a range.
pub(super) fn between(lo: i64, hi: i64) -> Partial {
    if hi.saturating_sub(lo) >= MOST_LISTED {
        return Partial::Between { lo, hi };
    }
    one_of((lo..=hi).map(|n| Partial::Known(Value::Int(n))).collect())
}

/// Splits a large range into parts.
fn split(lo: i64, hi: i64) -> Vec<Partial> {
    let size = (hi.saturating_sub(lo) / PARTS).max(1);
    let mut parts = Vec::new();
    let mut from = lo;
    while from <= hi {
        let to = if hi - from < 2 * size { hi } else { from + size - 1 };
        parts.push(between(from, to));
        from = to + 1;
    }
    parts
}

/// Returns one of these candidates; the only one, if there is no choice.
pub(super) fn one_of(mut candidates: Vec<Partial>) -> Partial {
    match (candidates.len(), candidates.pop()) {
        (1, Some(only)) => only,
        (_, last) => Partial::Open(candidates.into_iter().chain(last).collect()),
    }
}
