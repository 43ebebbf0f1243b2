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
//! Other forms of the values, as Apalache and Quint write them, are read, too: names of variables with modules before them
//! (`c::x`), tuples as records with the fields `_1`, `_2`, …, present values without a tag, maps without the keys whose value is
//! `none`, maps as lists or records, a constructor's only field without its name, and strings and names that are no names here ([`as_name`]).
//!
//! The label of a step is stored in the `#meta` of the state that it leads to, where it cannot clash with a
//! variable: `action`, the name of the action (`"init"` in the initial state), and `parameters`, a record of
//! its arguments (empty in the initial state). Files of earlier versions, which stored the label in two
//! additional variables at the end of `vars`, are still read. Files of other programs have no labels: see [`stored_from_itf`].

use super::itf_error::{ItfError, cut, shown};
use super::itf_file::{INITIAL, ItfFile, LABEL_KEYS};
use super::{Lasso, Trace};
use crate::model::types::{Payload, RecordId, Type};
use crate::model::value::{Label, Moment, State, Value};
use crate::model::{Local, Model, Position};
use crate::syntax::as_name;
use kit::number::to_u32;
use serde_json::{Map, Value as Json, json};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Writes a trace as ITF, in indented JSON.
pub fn to_itf(model: &Model, trace: &Trace) -> String {
    written(model, trace, None)
}

/// Writes an infinite trace as ITF. Its last state is the one in which the loop begins, so that the label of the step that closes it is
/// in the file, and `loop` names the state after that: the one that follows the last.
pub fn lasso_to_itf(model: &Model, lasso: &Lasso) -> String {
    written(model, &lasso.trace, Some(lasso.start.next()))
}

fn written(model: &Model, trace: &Trace, back_to: Option<Position>) -> String {
    let names: Vec<&str> = model.variables.iter().map(|v| v.name.as_str()).collect();
    let states: Vec<Json> = trace
        .moments
        .iter()
        .enumerate()
        .map(|(index, moment)| {
            let mut state = Map::new();
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
            let [action_key, parameters_key] = LABEL_KEYS;
            let meta = json!({ "index": index, action_key: action, parameters_key: parameters });
            state.insert("#meta".into(), meta);
            Json::Object(state)
        })
        .collect();
    let mut document = json!({
        "#meta": {
            "format": "ITF",
            "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
            "description": format!("A trace of the model {}", model.name),
        },
        "vars": names,
        "states": states,
    });
    if let Some(back_to) = back_to {
        document["loop"] = json!(back_to);
    }
    format!("{document:#}\n")
}

/// A stored trace: a finite or an infinite one.
#[derive(Debug, Clone, PartialEq)]
pub enum ItfTrace {
    /// It ends.
    Finite(Trace),
    /// It repeats a part for ever.
    Infinite(Lasso),
}

impl ItfTrace {
    /// Its steps, those of a loop once.
    pub fn trace(&self) -> &Trace {
        match self {
            Self::Finite(trace) => trace,
            Self::Infinite(lasso) => &lasso.trace,
        }
    }

    /// Its steps, to give them labels.
    pub fn trace_mut(&mut self) -> &mut Trace {
        match self {
            Self::Finite(trace) => trace,
            Self::Infinite(lasso) => &mut lasso.trace,
        }
    }
}

/// Reads a finite trace from ITF; see [`stored_from_itf`].
///
/// # Errors
/// Likewise, and if the trace is infinite.
pub fn from_itf(model: &Model, text: &str) -> Result<Trace, ItfError> {
    match stored_from_itf(model, text)? {
        ItfTrace::Finite(trace) => Ok(trace),
        ItfTrace::Infinite(_) => Err(ItfError::whole("this trace is infinite, and a finite one is needed")),
    }
}

/// Reads a trace from ITF. Its values are of the declared types, but whether it is a trace of the model is
/// decided by [`crate::model::eval::check_trace`]. Unknown names that contain `::` or `#` are ignored. If the file has no
/// labels, the steps have none; the model says which can be meant.
///
/// # Errors
/// If the text is not a trace in ITF, or a name or value does not match the model.
pub fn stored_from_itf(model: &Model, text: &str) -> Result<ItfTrace, ItfError> {
    let file = ItfFile::parse(text)?;
    let moments = (0..file.states.len()).map(|index| read_moment(model, &file, index));
    let mut moments: Vec<Moment> = moments.collect::<Result<_, _>>()?;
    let Some(back_to) = file.back_to else { return Ok(ItfTrace::Finite(Trace { moments })) };
    // The last state may be the one before that to which it goes back, as in the files that are written here.
    if let Some(start) = back_to.checked_sub(1)
        && start + 1 < moments.len()
        && moments[start].state == moments[moments.len() - 1].state
    {
        return Ok(ItfTrace::Infinite(Lasso { trace: Trace { moments }, start: Position::new(start) }));
    }
    let again = moments[back_to].clone();
    if again.label.is_none() && file.is_labelled() {
        let message = "the step back to the initial state has no label in the file";
        return Err(ItfError { part: Some("loop".into()), ..ItfError::whole(message) });
    }
    moments.push(again);
    Ok(ItfTrace::Infinite(Lasso { trace: Trace { moments }, start: Position::new(back_to) }))
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
        (Type::Record(id), Value::Record(_, values)) if model.types.record(*id).collection.is_some() => {
            let decl = model.types.record(*id);
            let element = |value| write_value(model, &decl.constructors[1].payload[0].ty, value);
            decl.elements(values).map(element).collect()
        }
        (Type::Record(id), Value::Record(_, values)) if model.types.record(*id).is_variant() => {
            let (constructor, payload) = model.types.record(*id).parts(values);
            let payload = payload.into_iter();
            let fields = payload.map(|(name, ty, value)| (name.to_owned(), write_value(model, ty, value)));
            json!({ "tag": constructor, "value": Json::Object(fields.collect()) })
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

fn read_moment(model: &Model, file: &ItfFile, index: usize) -> Result<Moment, ItfError> {
    let fault =
        |part: &str, message: String| ItfError { state: Some(index), part: Some(part.to_owned()), message };
    let state = &file.states[index];
    let known = |name: &str| {
        name.contains('#')
            || name.contains("::")
            || file.holds_label(name)
            || model.variables.iter().any(|v| is_called(name, &v.name))
    };
    if let Some(name) = state.keys().find(|name| !known(name)) {
        return Err(fault(name, "the model has no such variable".into()));
    }
    let variable = |name: &str, ty: &Type| match stored(state, name) {
        None => Err(fault(name, "it has no value".into())),
        Some(value) => read_value(model, ty, value).map_err(|message| fault(name, message)),
    };
    let values: Result<Vec<Value>, ItfError> =
        model.variables.iter().map(|v| variable(&v.name, &v.ty)).collect();
    let state = State(values?);
    if !file.is_labelled() && index > 0 {
        return Ok(Moment { label: None, state });
    }
    let Some(label) = file.label(index).filter(|_| file.is_labelled()) else {
        return match index {
            0 => Ok(Moment { label: None, state }),
            _ => {
                let place = format!("#meta.{}", LABEL_KEYS[0]);
                Err(fault(&place, "it is missing; it names the action that was taken".into()))
            }
        };
    };
    let (taken, place) = label.action;
    let name = taken
        .as_str()
        .ok_or_else(|| fault(&place, format!("expected the name of an action, found {}", shown(taken))))?;
    if index == 0 {
        return match name {
            INITIAL => Ok(Moment { label: None, state }),
            _ => Err(fault(
                &place,
                format!("no step leads to the initial state; expected \"{INITIAL}\", found \"{name}\""),
            )),
        };
    }
    let action = model.actions.iter().position(|a| a.name == name);
    let action = action.ok_or_else(|| fault(&place, format!("the model has no action \"{name}\"")))?;
    let (given, place) = label.parameters;
    let args = read_arguments(model, action, given).map_err(|message| fault(&place, message))?;
    Ok(Moment { label: Some(Label { action, args }), state })
}

/// The value of a variable or field: by its name, or by one that is no name here or has modules before it.
fn stored<'a>(given: &'a Map<String, Json>, name: &str) -> Option<&'a Json> {
    let last = |key: &str| key.rsplit("::").next().is_some_and(|key| is_called(key, name));
    let mut alike = given.iter().filter(|(key, _)| last(key)).map(|(_, value)| value);
    given.get(name).or_else(|| alike.next().filter(|_| alike.next().is_none()))
}

/// True if a name of a file is meant by a name of the model, which may have underscores at its end to be different from others.
fn is_called(stored: &str, name: &str) -> bool {
    stored == name
        || as_name(stored) == name
        || as_name(stored).trim_end_matches('_') == name.trim_end_matches('_')
}

/// The one of these names that is meant: the same one, or the only one that is alike.
fn find_called<'a>(names: impl Iterator<Item = &'a str> + Clone, stored: &str) -> Option<usize> {
    let mut alike = (0..).zip(names.clone()).filter(|(_, name)| is_called(stored, name)).map(|(at, _)| at);
    names.clone().position(|name| name == stored).or_else(|| alike.next().filter(|_| alike.next().is_none()))
}

/// The fields of a record, or the parts of a tuple as `_1`, `_2`, ….
fn fields(json: &Json) -> Option<Map<String, Json>> {
    match json.get("#tup").and_then(Json::as_array) {
        Some(parts) => Some((1..).zip(parts).map(|(at, part)| (format!("_{at}"), part.clone())).collect()),
        None => json.as_object().cloned(),
    }
}

fn read_arguments(model: &Model, action: usize, given: Option<&Json>) -> Result<Vec<Value>, String> {
    let action = &model.actions[action];
    let none_given = Map::new();
    let given = match given {
        None => &none_given,
        Some(given) => {
            given.as_object().ok_or_else(|| format!("expected a record, found {}", shown(given)))?
        }
    };
    if let Some(name) = given.keys().find(|name| action.params.iter().all(|p| p.name != **name)) {
        return Err(format!("action `{}` has no parameter `{name}`", action.name));
    }
    let read = |p: &Local| {
        let value = given.get(&p.name).ok_or_else(|| format!("the value of `{}` is missing", p.name))?;
        read_value(model, &p.ty, value).map_err(|message| format!("in `{}`: {message}", p.name))
    };
    action.params.iter().map(read).collect()
}

/// Reads a collection, as a list, or a value of a variant, as `{ "tag": "A", "value": { … } }`.
fn read_tagged(model: &Model, ty: &Type, id: RecordId, json: &Json) -> Result<Value, String> {
    let expected = || format!("expected a value of {}, found {}", model.types.show(ty), shown(json));
    let decl = model.types.record(id);
    if decl.collection.is_some() {
        let given = json.as_array().ok_or_else(expected)?;
        let read = |value| read_value(model, &decl.constructors[1].payload[0].ty, value);
        let elements = given.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        if elements.len() >= decl.constructors.len() {
            return Err(expected());
        }
        let value = decl.constructed(id, elements.len(), elements);
        return model.types.contains(ty, &value).then_some(value).ok_or_else(expected);
    }
    let tag = json.get("tag").and_then(Json::as_str);
    let names = decl.constructors.iter().map(|own| own.name.as_str());
    let index = tag.and_then(|tag| find_called(names, tag));
    let index = index.ok_or_else(|| format!("{} (with the tag of a constructor)", expected()))?;
    let value = json.get("value").ok_or_else(expected)?;
    let payload = &decl.constructors[index].payload;
    let name = |part: &Payload| &decl.fields[part.field].0;
    if let [only] = &payload[..]
        && value.get(name(only)).is_none()
    {
        let field = name(only);
        let value =
            read_value(model, &only.ty, value).map_err(|message| format!("in `.{field}`: {message}"))?;
        return Ok(decl.constructed(id, index, vec![value]));
    }
    let given = fields(value).ok_or_else(expected)?;
    let given = if payload.is_empty() { Map::new() } else { given };
    if let Some(unknown) = given.keys().find(|key| payload.iter().all(|part| !is_called(key, name(part)))) {
        return Err(format!("{} has no field `{unknown}`", decl.constructors[index].name));
    }
    let read = |part: &Payload| {
        let name = name(part);
        let value = stored(&given, name).ok_or_else(|| format!("the field `{name}` is missing"))?;
        read_value(model, &part.ty, value).map_err(|message| format!("in `.{name}`: {message}"))
    };
    Ok(decl.constructed(id, index, payload.iter().map(read).collect::<Result<_, _>>()?))
}

/// True for the digits of an integer, of any size.
fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The entries of a map: those that are listed, the elements of a list, which is a function of `1..n`, or the fields of a record, a function of strings.
fn pairs(json: &Json) -> Option<Cow<'_, [Json]>> {
    if let Some(listed) = json.get("#map") {
        return listed.as_array().map(|all| Cow::Borrowed(&**all));
    }
    if let Some(elements) = json.as_array() {
        return Some((1..).zip(elements).map(|(key, value): (u64, _)| json!([key, value])).collect());
    }
    let fields = json.as_object().filter(|fields| fields.keys().all(|name| !name.starts_with('#')))?;
    Some(fields.iter().map(|(name, value)| json!([name, value])).collect())
}

/// Reads a value of a type; an error describes the fault and its place within the value.
fn read_value(model: &Model, ty: &Type, json: &Json) -> Result<Value, String> {
    let expected = || format!("expected a value of {}, found {}", model.types.show(ty), shown(json));
    let tag = json.get("tag").and_then(Json::as_str);
    match ty {
        Type::Bool => json.as_bool().map(Value::Bool).ok_or_else(expected),
        Type::Int { lo, hi } => {
            let number = json.as_number().map(ToString::to_string);
            let big = json.get("#bigint").and_then(Json::as_str).map(str::to_owned).or(number);
            let text = big.filter(|text| is_integer(text)).ok_or_else(expected)?;
            match text.parse() {
                Ok(n) if (*lo..=*hi).contains(&n) => Ok(Value::Int(n)),
                _ => Err(format!("{} is not in {lo}..{hi}", cut(&text))),
            }
        }
        Type::Enum(id) => {
            let name = json.as_str().or(tag).ok_or_else(expected)?;
            let variants = &model.types.enumeration(*id).variants;
            let at = find_called(variants.iter().map(String::as_str), name);
            at.map(|at| Value::Enum(*id, to_u32(at))).ok_or_else(expected)
        }
        Type::Option(inner) => match tag {
            Some("None") => Ok(Value::None),
            Some("Some") => {
                let payload = json.get("value").map(|value| read_value(model, inner, value));
                match payload {
                    Some(Ok(value)) => Ok(value),
                    // The constructors of the type itself may have this name.
                    payload => {
                        read_value(model, inner, json).or_else(|_| payload.unwrap_or_else(|| Err(expected())))
                    }
                }
            }
            _ => read_value(model, inner, json),
        },
        Type::Set(element) => {
            let members = json.get("#set").and_then(Json::as_array).ok_or_else(expected)?;
            let members: Result<BTreeSet<Value>, String> =
                members.iter().map(|m| read_value(model, element, m)).collect();
            members.map(Value::Set)
        }
        Type::Record(id) if model.types.record(*id).is_tagged() => read_tagged(model, ty, *id, json),
        Type::Record(id) => {
            let given = fields(json).ok_or_else(expected)?;
            let fields = &model.types.record(*id).fields;
            if let Some(name) = given.keys().find(|name| fields.iter().all(|(n, _)| !is_called(name, n))) {
                return Err(format!("{} has no field `{name}`", model.types.show(ty)));
            }
            let read = |(name, ty): &(String, Type)| {
                let value = stored(&given, name).ok_or_else(|| format!("the field `{name}` is missing"))?;
                read_value(model, ty, value).map_err(|message| format!("in `.{name}`: {message}"))
            };
            Ok(Value::Record(*id, fields.iter().map(read).collect::<Result<_, _>>()?))
        }
        Type::Map(key_type, value_type) => {
            let pairs = pairs(json).ok_or_else(expected)?;
            let mut entries = BTreeMap::new();
            for pair in &*pairs {
                let Some([key, value]) = pair.as_array().map(Vec::as_slice) else { return Err(expected()) };
                let key = read_value(model, key_type, key)?;
                let name = model.types.show_value(&key);
                let value = read_value(model, value_type, value)
                    .map_err(|message| format!("in `[{name}]`: {message}"))?;
                if entries.insert(key, value).is_some() {
                    return Err(format!("the map has two entries for {name}"));
                }
            }
            let mut missing = model.types.values(key_type);
            missing.retain(|key| !entries.contains_key(key));
            if matches!(**value_type, Type::Option(_)) {
                entries.extend(missing.drain(..).map(|key| (key, Value::None)));
            }
            let missing = missing.first();
            match missing {
                Some(key) => Err(format!("the entry for {} is missing", model.types.show_value(key))),
                None => Ok(Value::Map(entries)),
            }
        }
        Type::Pos | Type::Abstract(_) => Err(expected()),
    }
}
