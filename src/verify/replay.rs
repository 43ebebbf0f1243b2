//! Traces of a result, evaluated by the reference semantics.

use super::document::LengthsWord;
use super::obligation::Obligation;
use crate::model::eval::{check_trace, first_violation};
use crate::model::expr::Expr;
use crate::model::{Model, Position};
use crate::smt::Steps;
use crate::trace::{Lasso, Trace, trace_from_json, value_from_json};
use serde_json::{Map, Value as Json};

/// What a result is about.
#[derive(Debug, Clone, Copy)]
pub(super) struct Subject<'a> {
    pub model: &'a Model,
    pub invariant: &'a Expr,
    pub lengths: LengthsWord,
    pub bound: usize,
}

/// Why a trace cannot be evaluated that does not show all variables.
const OMITTED: &str = "its trace lacks variables (--omit); store the result with all of them";

/// An obligation that a trace shows.
pub(super) fn shown(
    model: &Model,
    name: impl Into<String>,
    claim: impl Into<String>,
    document: &Json,
    evaluate: impl FnOnce(&Json) -> Result<(), String>,
) -> Obligation {
    let states = document.get("states").and_then(Json::as_array).into_iter().flatten();
    let mut values = states.filter_map(|state| state.get("state").and_then(Json::as_object));
    let is_whole = |values: &Map<String, Json>| model.variables.iter().all(|v| values.contains_key(&v.name));
    match values.all(is_whole) {
        true => Obligation::evaluated(name, claim, evaluate(document)),
        false => Obligation::open(name, claim, OMITTED),
    }
}

/// The trace of a document, which has to be one of the model.
pub(super) fn trace(model: &Model, document: &Json) -> Result<Trace, String> {
    let found = trace_from_json(model, document)
        .ok_or("its labels and values are not all there, or not those of the model")?;
    let said = document.get("steps").map_or_else(|| "nothing".to_owned(), Json::to_string);
    if said != found.len().to_string() {
        return Err(format!("`steps` says {said}, and there are {}", found.len()));
    }
    let states = document.get("states").and_then(Json::as_array).into_iter().flatten();
    for (moment, state) in found.moments.iter().zip(states) {
        let said = state.get("label").and_then(|label| label.get("text")).and_then(Json::as_str);
        let label = moment.label.as_ref().map(|label| model.show_label(label));
        if said != label.as_deref() {
            return Err(format!("the label {} is shown as another one", label.unwrap_or_default()));
        }
    }
    check_trace(model, &found.moments)
        .map_err(|fault| format!("it is no trace of the model: {}", fault.diagnostic(model).message))?;
    Ok(found)
}

/// The infinite trace of a document, which has to be one of the model.
pub(super) fn lasso(model: &Model, document: &Json) -> Result<Lasso, String> {
    let trace = trace(model, document)?;
    let start = document.get("loop").and_then(Json::as_u64);
    let start = start.ok_or("it does not say where its loop begins")?;
    let start = u32::try_from(start).ok().map(Position::from_u32);
    let found = start.map(|start| Lasso { trace, start }).filter(Lasso::is_closed);
    found.ok_or_else(|| "it does not end in the state in which its loop begins".into())
}

/// That constants have the values that a result says.
pub(super) fn constants(model: &Model, said: &Map<String, Json>) -> Result<(), String> {
    for constant in &model.constants {
        let value = said.get(&constant.name).and_then(|json| value_from_json(model, &constant.ty, json));
        if value.as_ref() != Some(&constant.value) {
            let value = model.types.show_value(&constant.value);
            return Err(format!("the constant {} is {value}, which the result does not say", constant.name));
        }
    }
    match said.keys().find(|name| !model.constants.iter().any(|constant| constant.name == **name)) {
        Some(name) => Err(format!("the model has no constant {name}")),
        None => Ok(()),
    }
}

impl Subject<'_> {
    /// The lengths of the traces that a result is about.
    pub fn steps(&self) -> Steps {
        match self.lengths {
            LengthsWord::UpTo => Steps::UpTo(self.bound),
            LengthsWord::Exactly => Steps::Exactly(self.bound),
        }
    }

    /// The trace of a document, which has to be a counterexample within the bound.
    pub fn counterexample(&self, document: &Json) -> Result<Trace, String> {
        let found = self.violating(document)?;
        match self.lengths {
            LengthsWord::UpTo if found.len() > self.bound => {
                Err(format!("it has {} steps, more than the bound", found.len()))
            }
            LengthsWord::Exactly if found.len() != self.bound => {
                Err(format!("it has {} steps, not {}", found.len(), self.bound))
            }
            _ => Ok(found),
        }
    }

    /// The trace of a document, which has to be a counterexample of any length.
    pub fn violating(&self, document: &Json) -> Result<Trace, String> {
        let found = trace(self.model, document)?;
        match first_violation(self.model, self.invariant, &found.moments) {
            None => Err("it does not violate the property".into()),
            Some(at) if self.lengths == LengthsWord::UpTo && at != found.last() => {
                Err(format!("it violates the property after {at} steps, and goes on"))
            }
            Some(_) => Ok(found),
        }
    }

    /// The trace of a document, which must not violate the property.
    pub fn accepted(&self, document: &Json) -> Result<Trace, String> {
        let found = trace(self.model, document)?;
        match first_violation(self.model, self.invariant, &found.moments) {
            Some(at) => Err(format!("it violates the property after {at} steps")),
            None if self.lengths == LengthsWord::Exactly && found.len() != self.bound => {
                Err(format!("it has {} steps, not {}", found.len(), self.bound))
            }
            None => Ok(found),
        }
    }
}
