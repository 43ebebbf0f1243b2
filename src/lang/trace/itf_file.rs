//! ITF files, as far as they can be read without a model: variables, states, labels.

use super::itf_error::{ItfError, shown};
use super::tlc;
use serde_json::{Map, Value as Json};

/// The label of the initial state; no action has this name because it is a keyword.
pub(super) const INITIAL: &str = "init";

/// The keys of a step's label in the `#meta` of its state.
pub(super) const LABEL_KEYS: [&str; 2] = ["action", "parameters"];

/// A trace in ITF. Every variable of `vars` has a value in every state, and there is a state.
#[derive(Debug, Clone, PartialEq)]
pub struct ItfFile {
    /// The variables, in the order of the file, without those that hold a label.
    pub vars: Vec<String>,
    /// The states as JSON objects, including `#meta`.
    pub states: Vec<Map<String, Json>>,
    /// The index of the state that follows the last one, if the trace is a lasso.
    pub back_to: Option<usize>,
    /// The variables that hold the label, in a file that does not store it in `#meta`.
    label_vars: Option<[String; 2]>,
}

/// The label of a step as stored in a file.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ItfLabel<'a> {
    /// The name of the action, and its place in the file.
    pub action: (&'a Json, String),
    /// The arguments, if there are any, and their place in the file.
    pub parameters: (Option<&'a Json>, String),
}

impl ItfFile {
    /// Parses the text of a file, in ITF or as TLC prints traces.
    ///
    /// # Errors
    /// If it is not JSON, or lacks the structure of ITF.
    pub fn parse(text: &str) -> Result<Self, ItfError> {
        let document: Json = match serde_json::from_str(text) {
            Ok(document) => document,
            Err(error) => tlc::document(text)
                .unwrap_or_else(|| Err(ItfError::whole(format!("this is not JSON: {error}"))))?,
        };
        let vars = names(list(&document, "vars")?)?;
        let states = list(&document, "states")?;
        if states.is_empty() {
            return Err(ItfError::whole("`states` is empty; a trace has at least one state"));
        }
        let back_to = match document.get("loop") {
            None | Some(Json::Null) => None,
            Some(at) => {
                let known = at.as_u64().and_then(|n| usize::try_from(n).ok()).filter(|n| *n < states.len());
                let message = || format!("expected the index of a state, found {}", shown(at));
                Some(
                    known.ok_or_else(|| ItfError {
                        part: Some("loop".into()),
                        ..ItfError::whole(message())
                    })?,
                )
            }
        };
        let states = states.iter().enumerate().map(|(index, state)| {
            let fault = |part: Option<&String>, message: &str| ItfError {
                state: Some(index),
                part: part.cloned(),
                message: message.to_owned(),
            };
            let state = state.as_object().ok_or_else(|| fault(None, "it is not a JSON object"))?;
            match vars.iter().find(|name| !state.contains_key(*name)) {
                Some(name) => Err(fault(Some(name), "it is in `vars`, but has no value")),
                None => Ok(state.clone()),
            }
        });
        let states: Vec<_> = states.collect::<Result<_, _>>()?;
        let label_vars = label_vars(&vars).filter(|_| in_meta(&states[0], LABEL_KEYS[0]).is_none());
        let vars = vars.into_iter().filter(|v| label_vars.iter().flatten().all(|l| l != v)).collect();
        Ok(Self { vars, states, back_to, label_vars })
    }

    /// The label of the step that led to a state, if the file contains one.
    pub(super) fn label(&self, at: usize) -> Option<ItfLabel<'_>> {
        let state = &self.states[at];
        if let Some([action, parameters]) = &self.label_vars {
            let action = (state.get(action)?, action.clone());
            return Some(ItfLabel { action, parameters: (state.get(parameters), parameters.clone()) });
        }
        let [action, parameters] = LABEL_KEYS.map(|key| (in_meta(state, key), format!("#meta.{key}")));
        Some(ItfLabel { action: (action.0?, action.1), parameters })
    }

    /// True if steps have labels that are those of a model. What Quint says of its steps names its own actions and choices.
    pub(super) fn is_labelled(&self) -> bool {
        let quint = self.label_vars.as_ref().is_some_and(|[action, _]| action.contains("::"));
        !quint && (1..self.states.len()).any(|at| self.label(at).is_some())
    }

    /// The name and arguments of the action that led to a state; `None` in the initial state, and if the file
    /// contains no label.
    pub fn step(&self, at: usize) -> Option<(&str, Option<&Map<String, Json>>)> {
        let label = self.label(at)?;
        let action = label.action.0.as_str().filter(|name| at > 0 || *name != INITIAL)?;
        Some((action, label.parameters.0.and_then(Json::as_object)))
    }

    /// True if a name in a state is one of the variables that hold a label.
    pub(super) fn holds_label(&self, name: &str) -> bool {
        self.label_vars.iter().flatten().any(|l| l == name)
    }
}

fn list<'a>(document: &'a Json, name: &str) -> Result<&'a [Json], ItfError> {
    match document.get(name) {
        None => Err(ItfError::whole(format!("the list `{name}` is missing"))),
        Some(Json::Array(items)) => Ok(items),
        Some(_) => Err(ItfError { part: Some(name.to_owned()), ..ItfError::whole("it is not a list") }),
    }
}

fn names(list: &[Json]) -> Result<Vec<String>, ItfError> {
    let mut names: Vec<String> = Vec::new();
    for item in list {
        let fault = |message: String| ItfError { part: Some("vars".into()), ..ItfError::whole(message) };
        match item.as_str() {
            None => return Err(fault(format!("expected the name of a variable, found {}", shown(item)))),
            Some(name) if names.iter().any(|n| n == name) => {
                return Err(fault(format!("\"{name}\" is listed twice")));
            }
            Some(name) => names.push(name.to_owned()),
        }
    }
    Ok(names)
}

fn in_meta<'a>(state: &'a Map<String, Json>, key: &str) -> Option<&'a Json> {
    state.get("#meta")?.get(key).filter(|value| !value.is_null())
}

/// The variables that hold labels: the last two in files of earlier versions of this program, with trailing
/// underscores if the model had variables with these names; or those of Quint.
fn label_vars(vars: &[String]) -> Option<[String; 2]> {
    let quint = ["mbt::actionTaken", "mbt::nondetPicks"].map(str::to_owned);
    if vars.contains(&quint[0]) {
        return Some(quint);
    }
    match vars {
        [.., action, parameters]
            if action.trim_end_matches('_') == "action_taken"
                && parameters.trim_end_matches('_') == "parameters" =>
        {
            Some([action.clone(), parameters.clone()])
        }
        _ => None,
    }
}
