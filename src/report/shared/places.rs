//! The places of a state: the parts that have a row of their own where states are shown side by side.

use crate::shared::request::TraceView;
use lang::model::Model;
use lang::model::expr::VarId;
use lang::model::types::Type;
use lang::model::value::{State, Value};

/// The places of a state with their values: map entries and, through options, record fields, named as a vocabulary would name
/// them. All states of a model have the same places, in the same order.
pub fn places(model: &Model, state: &State) -> Vec<(String, Value)> {
    places_of(model, state, &[])
}

/// The places of the variables that the view shows.
pub(crate) fn visible_places(model: &Model, state: &State, view: &TraceView) -> Vec<(String, Value)> {
    places_of(model, state, &view.hidden)
}

fn places_of(model: &Model, state: &State, hidden: &[VarId]) -> Vec<(String, Value)> {
    let mut out = Vec::new();
    for (index, (variable, value)) in model.variables.iter().zip(&state.0).enumerate() {
        if !hidden.contains(&VarId(index as u32)) {
            split(model, variable.name.clone(), &variable.ty, value, &mut out);
        }
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
        (Type::Record(id), value) if !model.types.record(*id).is_tagged() => {
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
