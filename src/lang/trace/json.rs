//! Values in JSON documents, and traces read back from these.

use super::{Lasso, Trace};
use crate::model::types::{Payload, Type, Types};
use crate::model::value::{Label, Moment, State, Value};
use crate::model::{Local, Model, Position};
use kit::number::to_u32;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// The trace of a document, all of whose variables are shown; `None` if it is not one over the
/// variables, actions and types of this model.
pub fn trace_from_json(model: &Model, document: &Json) -> Option<Trace> {
    let states = document.get("states")?.as_array()?;
    let moments = states.iter().map(|state| moment(model, state));
    Some(Trace { moments: moments.collect::<Option<Vec<_>>>()? }).filter(|trace| !trace.moments.is_empty())
}

/// The infinite trace of a document; `None` if it is not one over the variables, actions and types of this model, or does not end in the
/// state in which its loop begins.
pub fn lasso_from_json(model: &Model, document: &Json) -> Option<Lasso> {
    let start = document.get("loop").and_then(Json::as_u64).and_then(|at| u32::try_from(at).ok())?;
    let found = Lasso { trace: trace_from_json(model, document)?, start: Position::from_u32(start) };
    found.is_closed().then_some(found)
}

fn moment(model: &Model, document: &Json) -> Option<Moment> {
    let state = document.get("state")?;
    let values = model.variables.iter().map(|v| value_from_json(model, &v.ty, state.get(&v.name)?));
    let label = match document.get("label")? {
        Json::Null => None,
        label => {
            let name = label.get("action")?.as_str()?;
            let action = model.actions.iter().position(|a| a.name == name)?;
            let given = label.get("arguments")?;
            let read = |p: &Local| value_from_json(model, &p.ty, given.get(&p.name)?);
            Some(Label {
                action,
                args: model.actions[action].params.iter().map(read).collect::<Option<_>>()?,
            })
        }
    };
    Some(Moment { label, state: State(values.collect::<Option<_>>()?) })
}

/// A value: names of enumeration values as strings, `none` as null, sets, sequences and bags as arrays, records and maps
/// as objects (keys as the user writes them), values of variants as the name of the constructor, or as an object with the payload under that
/// name.
pub fn value_json(types: &Types, value: &Value) -> Json {
    match value {
        Value::None => Json::Null,
        Value::Bool(b) => json!(b),
        Value::Int(n) => json!(n),
        Value::Enum(..) => json!(types.show_value(value)),
        Value::Set(members) => members.iter().map(|m| value_json(types, m)).collect(),
        Value::Record(id, fields) if types.record(*id).collection.is_some() => {
            types.record(*id).elements(fields).map(|element| value_json(types, element)).collect()
        }
        Value::Record(id, fields) if types.record(*id).is_variant() => {
            let (constructor, payload) = types.record(*id).parts(fields);
            if payload.is_empty() {
                return json!(constructor);
            }
            let payload = payload.into_iter().map(|(name, _, v)| (name.to_owned(), value_json(types, v)));
            json!({ constructor: Json::Object(payload.collect()) })
        }
        Value::Record(id, fields) => {
            let names = types.record(*id).fields.iter().map(|(name, _)| name.clone());
            Json::Object(names.zip(fields.iter().map(|f| value_json(types, f))).collect())
        }
        Value::Map(entries) => {
            Json::Object(entries.iter().map(|(k, v)| (types.show_value(k), value_json(types, v))).collect())
        }
    }
}

/// The inverse of [`value_json`] for values of this type; entries that they have not are passed over.
pub fn value_from_json(model: &Model, ty: &Type, document: &Json) -> Option<Value> {
    match ty {
        Type::Bool => document.as_bool().map(Value::Bool),
        Type::Int { lo, hi } => document.as_i64().filter(|n| (lo..=hi).contains(&n)).map(Value::Int),
        Type::Enum(id) => {
            let name = document.as_str()?;
            let at = model.types.enumeration(*id).variants.iter().position(|v| v == name)?;
            Some(Value::Enum(*id, to_u32(at)))
        }
        Type::Option(_) if document.is_null() => Some(Value::None),
        Type::Option(inner) => value_from_json(model, inner, document),
        Type::Set(element) => {
            let members = document.as_array()?.iter().map(|member| value_from_json(model, element, member));
            members.collect::<Option<_>>().map(Value::Set)
        }
        Type::Record(id) if model.types.record(*id).collection.is_some() => {
            let decl = model.types.record(*id);
            let read = |element| value_from_json(model, &decl.constructors[1].payload[0].ty, element);
            let elements = document.as_array()?.iter().map(read).collect::<Option<Vec<_>>>()?;
            (elements.len() < decl.constructors.len())
                .then(|| decl.constructed(*id, elements.len(), elements))
        }
        Type::Record(id) if model.types.record(*id).is_variant() => {
            let decl = model.types.record(*id);
            let (name, payload) = match document.as_str() {
                Some(name) => (name, None),
                None => document
                    .as_object()?
                    .iter()
                    .next()
                    .map(|(name, payload)| (name.as_str(), Some(payload)))?,
            };
            let index = decl.constructors.iter().position(|constructor| constructor.name == name)?;
            let parts = decl.constructors[index].payload.iter();
            let read =
                |part: &Payload| value_from_json(model, &part.ty, payload?.get(&decl.fields[part.field].0)?);
            Some(decl.constructed(*id, index, parts.map(read).collect::<Option<_>>()?))
        }
        Type::Record(id) => {
            let fields = &model.types.record(*id).fields;
            let read = |(name, ty): &(String, Type)| value_from_json(model, ty, document.get(name)?);
            Some(Value::Record(*id, fields.iter().map(read).collect::<Option<_>>()?))
        }
        Type::Map(keys, values) => {
            let entry = |key: Value| {
                let there = document.get(model.types.show_value(&key))?;
                Some((key, value_from_json(model, values, there)?))
            };
            let entries: Option<BTreeMap<_, _>> = model.types.values(keys).into_iter().map(entry).collect();
            entries.map(Value::Map)
        }
        Type::Pos | Type::Abstract(_) => None,
    }
}
