//! Differences between two states, down to the map entry, record field and set element.

use crate::model::Model;
use crate::model::types::{CollectionKind, RecordId, Types};
use crate::model::value::{State, Value};
use std::fmt;

/// One difference between two states.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Difference {
    /// The place that differs, in the syntax of the language: `phase[Alice]`, `net.sender`, `knows`.
    pub place: String,
    /// The old value, or the element removed from a set; empty if an element was added.
    pub before: String,
    /// The new value, or the element added to a set; empty if an element was removed.
    pub after: String,
    /// True if a value was replaced, or an element was added or removed.
    pub change: Change,
}

/// Kinds of differences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Change {
    /// The place has another value.
    Replaced,
    /// The set at that place has gained an element.
    Gained,
    /// The set at that place has lost an element.
    Lost,
}

/// All differences from state `a` to state `b`, in the order of the variables. Maps are compared by
/// entry, records by field (also present optional ones), sets by element.
pub fn differences(model: &Model, a: &State, b: &State) -> Vec<Difference> {
    let values = model.variables.iter().zip(a.0.iter().zip(&b.0));
    values.flat_map(|(variable, (a, b))| value_differences(&model.types, &variable.name, a, b)).collect()
}

/// True if two values of a record type are told apart as wholes: collections, and variants with different constructors.
fn other_constructor(types: &Types, record: RecordId, a: &[Value], b: &[Value]) -> bool {
    types.record(record).collection.is_some() || (types.record(record).is_variant() && a.first() != b.first())
}

/// All differences from value `a` to value `b` of the part named `place`.
pub fn value_differences(types: &Types, place: &str, a: &Value, b: &Value) -> Vec<Difference> {
    if a == b {
        return Vec::new();
    }
    match (a, b) {
        (Value::Record(r, old), Value::Record(s, new))
            if r == s && !other_constructor(types, *r, old, new) =>
        {
            let fields = types.record(*r).fields.iter().zip(old.iter().zip(new));
            fields
                .flat_map(|((f, _), (a, b))| value_differences(types, &format!("{place}.{f}"), a, b))
                .collect()
        }
        (Value::Map(old), Value::Map(new)) if old.keys().eq(new.keys()) => {
            let entries = old.iter().zip(new.values());
            entries
                .flat_map(|((key, a), b)| {
                    value_differences(types, &format!("{place}[{}]", types.show_value(key)), a, b)
                })
                .collect()
        }
        (Value::Record(r, old), Value::Record(s, new)) if r == s && is_unordered(types, *r) => {
            let decl = types.record(*r);
            let (mut lost, mut gained): (Vec<&Value>, Vec<&Value>) =
                (decl.elements(old).collect(), decl.elements(new).collect());
            for element in decl.elements(old) {
                if let Some(at) = gained.iter().position(|e| *e == element) {
                    gained.remove(at);
                    let kept = lost.iter().position(|e| *e == element).expect("one of them");
                    lost.remove(kept);
                }
            }
            exchanged(types, place, lost, gained)
        }
        (Value::Set(old), Value::Set(new)) => {
            exchanged(types, place, old.difference(new).collect(), new.difference(old).collect())
        }
        _ => vec![Difference {
            place: place.into(),
            before: types.show_value(a),
            after: types.show_value(b),
            change: Change::Replaced,
        }],
    }
}

/// The elements that a set or bag has lost and gained.
fn exchanged(types: &Types, place: &str, lost: Vec<&Value>, gained: Vec<&Value>) -> Vec<Difference> {
    let lost = lost.into_iter().map(|e| (types.show_value(e), String::new(), Change::Lost));
    let gained = gained.into_iter().map(|e| (String::new(), types.show_value(e), Change::Gained));
    lost.chain(gained)
        .map(|(before, after, change)| Difference { place: place.into(), before, after, change })
        .collect()
}

/// True if a record type is a bag or set of limited size.
fn is_unordered(types: &Types, record: RecordId) -> bool {
    let collection = types.record(record).collection.as_ref();
    collection.is_some_and(|collection| collection.kind != CollectionKind::Sequence)
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.change {
            Change::Replaced => write!(f, "{}: {} -> {}", self.place, self.before, self.after),
            Change::Gained => write!(f, "{} gains {}", self.place, self.after),
            Change::Lost => write!(f, "{} loses {}", self.place, self.before),
        }
    }
}
