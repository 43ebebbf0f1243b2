//! Traces in the Informal Trace Format (ITF, JSON), as Apalache and Quint write it.
//!
//! The format is that of ADR-015 of Apalache (revision of 2023-09-14), where every integer is written
//! as `{"#bigint": "7"}`; plain JSON integers are read as well. Types map as follows.
//!
//! | here | ITF |
//! | --- | --- |
//! | `bool`, integers | `true`, `{"#bigint": "7"}` |
//! | a value of an enumeration | `"Alice"`; also read: `{"tag": "Alice", …}` |
//! | `none`, a present optional value | `{"tag": "None", "value": {"#tup": []}}`, `{"tag": "Some", "value": …}` |
//! | record | `{"sender": …, "receiver": …}` |
//! | set, map | `{"#set": […]}`, `{"#map": [[key, value], …]}` |
//!
//! The label of a step is two more variables, after the example of Quint's `mbt::actionTaken` and
//! `mbt::nondetPicks`: `action_taken`, the name of the action that led to the state (`"init"` in the
//! first one), and `parameters`, a record of its arguments (empty in the first state). If the model has
//! variables of these names, underscores are appended to the names for the label.

use super::Trace;
use crate::model::types::Type;
use crate::model::value::{Label, Moment, State, Value};
use crate::model::{Local, Model};
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// What `action_taken` is in the first state; no action has this name because it is a keyword.
const INITIAL: &str = "init";

/// Why a text is not a trace of the model in ITF.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItfError {
    /// The index of the state it is about, from 0.
    pub state: Option<usize>,
    /// The variable it is about, as it is called in the file.
    pub variable: Option<String>,
    /// What is wrong, lower case, without a full stop.
    pub message: String,
}

impl fmt::Display for ItfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(state) = self.state {
            write!(f, "state {state}: ")?;
        }
        if let Some(variable) = &self.variable {
            write!(f, "variable `{variable}`: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for ItfError {}

/// A trace as ITF, in readable JSON.
pub fn to_itf(model: &Model, trace: &Trace) -> String {
    let [action_name, parameters_name] = label_names(model);
    let mut names: Vec<&str> = model.variables.iter().map(|v| v.name.as_str()).collect();
    names.extend([action_name.as_str(), parameters_name.as_str()]);
    let states: Vec<Json> = trace
        .moments
        .iter()
        .enumerate()
        .map(|(index, moment)| {
            let mut state = Map::new();
            state.insert("#meta".into(), json!({ "index": index }));
            for (variable, value) in model.variables.iter().zip(&moment.state.0) {
                state.insert(variable.name.clone(), write_value(model, &variable.ty, value));
            }
            let (action, parameters) = match &moment.label {
                None => (INITIAL, Map::new()),
                Some(label) => {
                    let action = &model.actions[label.action];
                    let args = action.params.iter().zip(&label.args);
                    let args = args.map(|(p, v)| (p.name.clone(), write_value(model, &p.ty, v)));
                    (action.name.as_str(), args.collect())
                }
            };
            state.insert(action_name.clone(), json!(action));
            state.insert(parameters_name.clone(), Json::Object(parameters));
            Json::Object(state)
        })
        .collect();
    let document = json!({
        "#meta": {
            "format": "ITF",
            "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
            "description": format!("A trace of the model {}", model.name),
        },
        "vars": names,
        "states": states,
    });
    format!("{document:#}\n")
}

/// Reads a trace of the model from ITF. All values are of their types then; whether the trace is one of
/// the model's is for [`crate::model::eval::check_trace`] to say. Names with `::` or `#` that the model
/// does not know are passed over, other unknown names are mistakes.
pub fn from_itf(model: &Model, text: &str) -> Result<Trace, ItfError> {
    let document: Json = serde_json::from_str(text).map_err(|e| whole(format!("this is not JSON: {e}")))?;
    if document.get("loop").is_some_and(|l| !l.is_null()) {
        return Err(whole("a trace with a loop cannot be read, only finite traces"));
    }
    let states = document.get("states").and_then(Json::as_array);
    let states = states.ok_or_else(|| whole("there is no list `states`"))?;
    if states.is_empty() {
        return Err(whole("there is no state; a trace has at least one"));
    }
    let label_names = label_names(model);
    let moments =
        states.iter().enumerate().map(|(index, state)| read_moment(model, &label_names, index, state));
    Ok(Trace { moments: moments.collect::<Result<_, _>>()? })
}

fn whole(message: impl Into<String>) -> ItfError {
    ItfError { state: None, variable: None, message: message.into() }
}

/// The names of the two variables that hold the label.
fn label_names(model: &Model) -> [String; 2] {
    ["action_taken", "parameters"].map(|name| {
        let mut name = name.to_string();
        while model.variables.iter().any(|v| v.name == name) {
            name.push('_');
        }
        name
    })
}

fn write_value(model: &Model, ty: &Type, value: &Value) -> Json {
    if let Type::Option(inner) = ty {
        return match value {
            Value::None => json!({ "tag": "None", "value": { "#tup": [] } }),
            present => json!({ "tag": "Some", "value": write_value(model, inner, present) }),
        };
    }
    match (ty, value) {
        (_, Value::Bool(b)) => json!(b),
        (_, Value::Int(n)) => json!({ "#bigint": n.to_string() }),
        (Type::Set(element), Value::Set(members)) => {
            let members: Vec<Json> = members.iter().map(|m| write_value(model, element, m)).collect();
            json!({ "#set": members })
        }
        (Type::Record(id), Value::Record(_, values)) => {
            let fields = model.types.record(*id).fields.iter().zip(values);
            Json::Object(fields.map(|((n, ty), v)| (n.clone(), write_value(model, ty, v))).collect())
        }
        (Type::Map(key_type, value_type), Value::Map(entries)) => {
            let entries: Vec<Json> = entries
                .iter()
                .map(|(k, v)| json!([write_value(model, key_type, k), write_value(model, value_type, v)]))
                .collect();
            json!({ "#map": entries })
        }
        (_, other) => json!(model.types.show_value(other)),
    }
}

fn read_moment(
    model: &Model,
    label_names: &[String; 2],
    index: usize,
    state: &Json,
) -> Result<Moment, ItfError> {
    let fault = |variable: Option<&str>, message: String| ItfError {
        state: Some(index),
        variable: variable.map(String::from),
        message,
    };
    let state = state.as_object().ok_or_else(|| fault(None, "it is not a JSON object".into()))?;
    let known = |name: &String| label_names.contains(name) || model.variables.iter().any(|v| v.name == *name);
    if let Some(name) = state.keys().find(|name| !name.contains('#') && !name.contains("::") && !known(name))
    {
        return Err(fault(Some(name), "the model has no such variable".into()));
    }
    let variable = |name: &str, ty: &Type| match state.get(name) {
        None => Err(fault(Some(name), "it has no value".into())),
        Some(value) => read_value(model, ty, value).map_err(|message| fault(Some(name), message)),
    };
    let values: Result<Vec<Value>, ItfError> =
        model.variables.iter().map(|v| variable(&v.name, &v.ty)).collect();
    let values = values?;

    let [action_name, parameters_name] = label_names;
    let taken = match state.get(action_name) {
        None if index == 0 => None,
        None => {
            return Err(fault(Some(action_name), "it is missing, but says which action was taken".into()));
        }
        Some(taken) => Some(taken.as_str().ok_or_else(|| {
            fault(Some(action_name), format!("expected the name of an action, found {taken}"))
        })?),
    };
    let label = match (index, taken) {
        (0, None | Some(INITIAL)) => None,
        (0, Some(name)) => {
            let message =
                format!("no step leads to the first state; expected \"{INITIAL}\", found \"{name}\"");
            return Err(fault(Some(action_name), message));
        }
        (_, taken) => {
            let name = taken.unwrap_or_default();
            let found = model.actions.iter().position(|a| a.name == name);
            let action = found
                .ok_or_else(|| fault(Some(action_name), format!("the model has no action \"{name}\"")))?;
            let args = read_arguments(model, action, state.get(parameters_name));
            let args = args.map_err(|message| fault(Some(parameters_name), message))?;
            Some(Label { action, args })
        }
    };
    Ok(Moment { label, state: State(values) })
}

fn read_arguments(model: &Model, action: usize, given: Option<&Json>) -> Result<Vec<Value>, String> {
    let action = &model.actions[action];
    let none_given = Map::new();
    let given = match given {
        None => &none_given,
        Some(given) => given.as_object().ok_or_else(|| format!("expected a record, found {given}"))?,
    };
    if let Some(name) = given.keys().find(|name| action.params.iter().all(|p| p.name != **name)) {
        return Err(format!("action `{}` has no parameter `{name}`", action.name));
    }
    let read = |p: &Local| {
        let value = given.get(&p.name).ok_or_else(|| format!("there is no value for `{}`", p.name))?;
        read_value(model, &p.ty, value).map_err(|message| format!("in `{}`: {message}", p.name))
    };
    action.params.iter().map(read).collect()
}

/// Reads a value of a type; an error says what is wrong and where inside of the value.
fn read_value(model: &Model, ty: &Type, json: &Json) -> Result<Value, String> {
    let expected = || format!("expected a value of {}, found {json}", model.types.show(ty));
    let tag = json.get("tag").and_then(Json::as_str);
    match ty {
        Type::Bool => json.as_bool().map(Value::Bool).ok_or_else(expected),
        Type::Int { lo, hi } => {
            let big = json.get("#bigint").and_then(Json::as_str).and_then(|text| text.parse().ok());
            let n: i64 = big.or(json.as_i64()).ok_or_else(expected)?;
            if (*lo..=*hi).contains(&n) {
                Ok(Value::Int(n))
            } else {
                Err(format!("{n} is not in {lo}..{hi}"))
            }
        }
        Type::Enum(id) => {
            let name = json.as_str().or(tag).ok_or_else(expected)?;
            let at = model.types.enumeration(*id).variants.iter().position(|v| v == name);
            at.map(|at| Value::Enum(*id, at as u32)).ok_or_else(expected)
        }
        Type::Option(inner) => match tag {
            Some("None") => Ok(Value::None),
            Some("Some") => read_value(model, inner, json.get("value").ok_or_else(expected)?),
            _ => Err(format!("{} (with a tag \"None\" or \"Some\")", expected())),
        },
        Type::Set(element) => {
            let members = json.get("#set").and_then(Json::as_array).ok_or_else(expected)?;
            let members: Result<BTreeSet<Value>, String> =
                members.iter().map(|m| read_value(model, element, m)).collect();
            members.map(Value::Set)
        }
        Type::Record(id) => {
            let given = json.as_object().ok_or_else(expected)?;
            let fields = &model.types.record(*id).fields;
            if let Some(name) = given.keys().find(|name| fields.iter().all(|(n, _)| n != *name)) {
                return Err(format!("{} has no field `{name}`", model.types.show(ty)));
            }
            let read = |(name, ty): &(String, Type)| {
                let value = given.get(name).ok_or_else(|| format!("there is no field `{name}`"))?;
                read_value(model, ty, value).map_err(|message| format!("in `.{name}`: {message}"))
            };
            Ok(Value::Record(*id, fields.iter().map(read).collect::<Result<_, _>>()?))
        }
        Type::Map(key_type, value_type) => {
            let pairs = json.get("#map").and_then(Json::as_array).ok_or_else(expected)?;
            let mut entries = BTreeMap::new();
            for pair in pairs {
                let Some([key, value]) = pair.as_array().map(Vec::as_slice) else { return Err(expected()) };
                let key = read_value(model, key_type, key)?;
                let name = model.types.show_value(&key);
                let value = read_value(model, value_type, value)
                    .map_err(|message| format!("in `[{name}]`: {message}"))?;
                if entries.insert(key, value).is_some() {
                    return Err(format!("there are two entries for {name}"));
                }
            }
            let missing = model.types.values(key_type).into_iter().find(|key| !entries.contains_key(key));
            match missing {
                Some(key) => Err(format!("there is no entry for {}", model.types.show_value(&key))),
                None => Ok(Value::Map(entries)),
            }
        }
        Type::Pos | Type::Abstract(_) => Err(expected()),
    }
}
