//! What changed from one state to the next, down to map entries and record fields.

use crate::model::Model;
use crate::model::types::Type;
use crate::model::value::{State, Value};

/// A place of the state whose value changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The variable, as an index into [`Model::variables`].
    pub variable: usize,
    /// The place: `phase[Alice]`, `wire[A].flag`.
    pub place: String,
    /// The value before, as text.
    pub before: String,
    /// The value after, as text.
    pub after: String,
}

/// What changed, in the order of the variables. A record of which every field changes is one change.
pub fn changes(model: &Model, before: &State, after: &State) -> Vec<Change> {
    let mut out = Vec::new();
    for (variable, (old, new)) in before.0.iter().zip(&after.0).enumerate() {
        descend(model, variable, model.variables[variable].name.clone(), old, new, &mut out);
    }
    out
}

fn descend(model: &Model, variable: usize, place: String, old: &Value, new: &Value, out: &mut Vec<Change>) {
    if old == new {
        return;
    }
    let types = &model.types;
    match (old, new) {
        (Value::Record(id, before), Value::Record(_, after)) if before.iter().zip(after).any(|(a, b)| a == b) => {
            for ((name, _), (a, b)) in types.record(*id).fields.iter().zip(before.iter().zip(after)) {
                descend(model, variable, format!("{place}.{name}"), a, b, out);
            }
        }
        (Value::Map(before), Value::Map(after)) => {
            for ((key, a), b) in before.iter().zip(after.values()) {
                descend(model, variable, format!("{place}[{}]", types.show_value(key)), a, b, out);
            }
        }
        _ => out.push(Change {
            variable,
            place,
            before: types.show_value(old),
            after: types.show_value(new),
        }),
    }
}

/// The leaves of a state with their values: map entries and, through options, record fields.
pub fn leaves(model: &Model, state: &State) -> Vec<(String, Value)> {
    let mut out = Vec::new();
    for (variable, value) in model.variables.iter().zip(&state.0) {
        split(model, variable.name.clone(), &variable.ty, value, &mut out);
    }
    out
}

fn split(model: &Model, place: String, ty: &Type, value: &Value, out: &mut Vec<(String, Value)>) {
    match (ty.inner(), value) {
        (Type::Map(_, ty), Value::Map(entries)) => {
            for (key, value) in entries {
                split(model, format!("{place}[{}]", model.types.show_value(key)), ty, value, out);
            }
        }
        (Type::Record(id), value) => {
            for (index, (name, ty)) in model.types.record(*id).fields.iter().enumerate() {
                let field = match value {
                    Value::Record(_, fields) => &fields[index],
                    _ => &Value::None,
                };
                split(model, format!("{place}.{name}"), ty, field, out);
            }
        }
        _ => out.push((place, value.clone())),
    }
}
