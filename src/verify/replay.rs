//! Traces of a result, evaluated by the reference semantics.

use super::document::{LengthsWord, StoredChange, StoredTrace};
use super::obligation::Obligation;
use lang::model::eval::{check_trace, eval_state, first_violation};
use lang::model::expr::Expr;
use lang::model::value::Value;
use lang::model::{Model, Position, load_expression};
use lang::trace::{Lasso, Trace, trace_from_json, value_differences, value_json};
use serde_json::{Map, Value as Json};
use solvers::smt::TraceLengths;

/// The subject of a result.
#[derive(Debug, Clone, Copy)]
pub(super) struct Subject<'a> {
    pub model: &'a Model,
    pub invariant: &'a Expr,
    pub lengths: LengthsWord,
    pub bound: usize,
}

/// The reason why a trace that does not show all variables cannot be evaluated.
pub(super) const OMITTED: &str = "its trace lacks variables (--omit); store the result with all of them";

/// True if a trace of a document does not show all variables.
pub(super) fn lacks_variables(model: &Model, document: &StoredTrace) -> bool {
    let lacks_one =
        |values: &Map<String, Json>| model.variables.iter().any(|v| !values.contains_key(&v.name));
    document.states.iter().any(|moment| lacks_one(&moment.state))
}

/// Returns an obligation that a trace shows.
pub(super) fn shown(
    model: &Model,
    name: impl Into<String>,
    claim: impl Into<String>,
    document: &StoredTrace,
    evaluate: impl FnOnce(&StoredTrace) -> Result<(), String>,
) -> Obligation {
    match lacks_variables(model, document) {
        false => Obligation::evaluated(name, claim, evaluate(document)),
        true => Obligation::open(name, claim, OMITTED),
    }
}

/// Returns the trace of a document, which must be one of the model, with exactly the displayed fields that follow from
/// it. Only the positions in `named` may be named there.
pub(super) fn trace(
    model: &Model,
    document: &StoredTrace,
    named: &[(&str, Position)],
) -> Result<Trace, String> {
    // Words, numbers and texts can always be written.
    let json = serde_json::to_value(document).unwrap_or_default();
    let found = trace_from_json(model, &json)
        .ok_or("its labels and values are not all there, or not those of the model")?;
    if document.steps != found.len() {
        return Err(format!("`steps` says {}, and there are {}", document.steps, found.len()));
    }
    check_trace(model, &found.moments)
        .map_err(|fault| format!("it is no trace of the model: {}", fault.diagnostic(model).message))?;
    for (at, moment) in found.positions().zip(&document.states) {
        let here = found.moment(at);
        let (said, label) = (&moment.label, &here.label);
        let text = label.as_ref().map(|label| model.show_label(label));
        if said.as_ref().map(|label| &label.text) != text.as_ref() {
            return Err(format!("the label {} is shown as another one", text.unwrap_or_default()));
        }
        let arguments =
            label.iter().flat_map(|label| model.actions[label.action].params.iter().zip(&label.args));
        let arguments = arguments.map(|(param, value)| (&param.name, value));
        let given = said.as_ref().map(|label| &label.arguments);
        let variables = model.variables.iter().map(|variable| &variable.name).zip(&here.state.0);
        if !given.is_none_or(|given| says(model, given, arguments)) || !says(model, &moment.state, variables)
        {
            return Err(format!("the state at position {at} has entries that the model lacks"));
        }
        if moment.changes != changes(model, &found, at) {
            return Err(format!("the changes at position {at} are others"));
        }
        let own: Vec<&str> = named.iter().filter(|(_, of)| *of == at).map(|(name, _)| *name).collect();
        if moment.positions != own {
            return Err(format!(
                "position {at} is {}",
                if own.is_empty() { "not named" } else { "named otherwise" }
            ));
        }
        for (text, said) in &moment.shown {
            let expr = load_expression(model, text).found.map(|found| found.expr);
            let expr = expr.ok_or_else(|| format!("`{text}` is shown, and cannot be read"))?;
            if *said != value_json(&model.types, &eval_state(model, &expr, here)) {
                return Err(format!("`{text}` has another value at position {at}"));
            }
        }
    }
    Ok(found)
}

/// True if the entries of a document are exactly these values by name, as written.
fn says<'v>(
    model: &Model,
    entries: &Map<String, Json>,
    values: impl Iterator<Item = (&'v String, &'v Value)>,
) -> bool {
    let wanted: Map<String, Json> =
        values.map(|(name, value)| (name.clone(), value_json(&model.types, value))).collect();
    *entries == wanted
}

/// Returns the changes of the step to a position.
fn changes(model: &Model, trace: &Trace, at: Position) -> Vec<StoredChange> {
    let Some(before) = at.previous() else { return Vec::new() };
    let values = trace.state(before).0.iter().zip(&trace.state(at).0);
    let of_each = model.variables.iter().zip(values);
    of_each
        .flat_map(|(variable, (old, new))| value_differences(&model.types, &variable.name, old, new))
        .map(StoredChange::from)
        .collect()
}

/// Returns the infinite trace of a document, which must be one of the model, see [`trace`].
pub(super) fn lasso(
    model: &Model,
    document: &StoredTrace,
    named: &[(&str, Position)],
) -> Result<Lasso, String> {
    let trace = trace(model, document, named)?;
    let start = document.back_to.ok_or("it does not mark the start of its loop")?;
    let start = u32::try_from(start).ok().map(Position::from_u32);
    let found = start.map(|start| Lasso { trace, start }).filter(Lasso::is_closed);
    found.ok_or_else(|| "it does not end in the state in which its loop begins".into())
}

/// Checks that constants have the values given in a result.
pub(super) fn constants(model: &Model, said: &Map<String, Json>) -> Result<(), String> {
    for constant in &model.constants {
        if said.get(&constant.name) != Some(&value_json(&model.types, &constant.value)) {
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
    /// Returns the lengths of the traces of a result.
    pub fn steps(&self) -> TraceLengths {
        match self.lengths {
            LengthsWord::UpTo => TraceLengths::UpTo(self.bound),
            LengthsWord::Exactly => TraceLengths::Exactly(self.bound),
        }
    }

    /// Returns the trace of a document, which must be a counterexample within the bound.
    pub fn counterexample(
        &self,
        document: &StoredTrace,
        named: &[(&str, Position)],
    ) -> Result<Trace, String> {
        let found = self.violating(document, named)?;
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

    /// Returns the trace of a document, which must be a counterexample of any length.
    pub fn violating(&self, document: &StoredTrace, named: &[(&str, Position)]) -> Result<Trace, String> {
        let found = self.finite(document, named)?;
        match first_violation(self.model, self.invariant, &found.moments) {
            None => Err("it does not violate the property".into()),
            Some(at) if self.lengths == LengthsWord::UpTo && at != found.last() => {
                Err(format!("it violates the property after {at} steps, and goes on"))
            }
            Some(_) => Ok(found),
        }
    }

    /// Returns the trace of a document, which must not violate the property.
    pub fn accepted(&self, document: &StoredTrace, named: &[(&str, Position)]) -> Result<Trace, String> {
        let found = self.finite(document, named)?;
        match first_violation(self.model, self.invariant, &found.moments) {
            Some(at) => Err(format!("it violates the property after {at} steps")),
            None if self.lengths == LengthsWord::Exactly && found.len() != self.bound => {
                Err(format!("it has {} steps, not {}", found.len(), self.bound))
            }
            None => Ok(found),
        }
    }

    fn finite(&self, document: &StoredTrace, named: &[(&str, Position)]) -> Result<Trace, String> {
        match document.back_to {
            Some(_) => Err("it has a loop, and the result is about finite traces".into()),
            None => trace(self.model, document, named),
        }
    }
}
