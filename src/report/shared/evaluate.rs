//! Values and changes of a state of a trace, evaluated for reports.

use crate::shared::request::{ClassifyRequest, DisplayOptions};
use crate::writing::wording::Wording;
use kit::number::to_u32;
use lang::model::eval::{failing_conjuncts, first_violation};
use lang::model::expr::{Expr, VarId};
use lang::model::types::Type;
use lang::model::value::{State, Value};
use lang::model::{Model, Position};
use lang::trace::{Difference, Trace, value_differences};

/// Where a trace first violates an invariant, with `violates secrecy` and the conjuncts that fail there if
/// the invariant is a conjunction.
pub fn violation_mark(
    model: &Model,
    property: &str,
    invariant: &Expr,
    trace: &Trace,
    wording: Wording,
) -> Option<(Position, String)> {
    let present = wording.present();
    let at = first_violation(model, invariant, &trace.moments)?;
    let text = match failing_conjuncts(model, invariant, &trace.moments).as_slice() {
        [] => format!("{present} {property}"),
        parts => format!("{present} {property}: {}", parts.join("; ")),
    };
    Some((at, text))
}

impl ClassifyRequest<'_> {
    /// Where a trace first violates the property; see [`violation_mark`].
    pub(crate) fn violation(&self, trace: &Trace) -> Option<(Position, String)> {
        let asked = &self.asked;
        violation_mark(asked.model, &asked.property.name, self.invariant, trace, asked.display.wording)
    }
}

/// The variables that the view shows, with their values at a position.
pub fn visible_state<'a>(
    model: &'a Model,
    trace: &'a Trace,
    at: Position,
    display: &'a DisplayOptions,
) -> impl Iterator<Item = (&'a str, &'a Value)> {
    let variables = model.variables.iter().zip(&trace.state(at).0).enumerate();
    variables
        .filter(|(index, _)| !display.hidden.contains(&VarId(to_u32(*index))))
        .map(|(_, (variable, value))| (variable.name.as_str(), value))
}

/// The changes by the step to a position in the variables that the view shows; empty at the first position.
pub fn visible_changes(
    model: &Model,
    trace: &Trace,
    at: Position,
    display: &DisplayOptions,
) -> Vec<Difference> {
    let Some(before) = at.previous() else { return Vec::new() };
    visible_state(model, trace, before, display)
        .zip(visible_state(model, trace, at, display))
        .flat_map(|((name, old), (_, new))| value_differences(&model.types, name, old, new))
        .collect()
}

/// The most characters of a formula beside the name of its property.
const FORMULA_LENGTH: usize = 240;

/// A property with its formula, or the documentation of a claim; long text is cut where `full` is false.
pub fn property_headline(name: &str, statement: &str, full: bool) -> String {
    let statement = one_line(statement);
    match statement.char_indices().nth(FORMULA_LENGTH) {
        _ if statement.is_empty() => name.to_owned(),
        Some((end, _)) if !full => format!("{name}: {} …", statement[..end].trim_end()),
        _ => format!("{name}: {statement}"),
    }
}

/// Text of a source on one line.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The places of a state with their values: map entries and, through options, record fields, named as a vocabulary would name
/// them. All states of a model have the same places, in the same order.
pub fn places(model: &Model, state: &State) -> Vec<(String, Value)> {
    places_of(model, state, &[])
}

/// The places of the variables that the view shows.
pub(crate) fn visible_places(model: &Model, state: &State, display: &DisplayOptions) -> Vec<(String, Value)> {
    places_of(model, state, &display.hidden)
}

fn places_of(model: &Model, state: &State, hidden: &[VarId]) -> Vec<(String, Value)> {
    let mut out = Vec::new();
    for (index, (variable, value)) in model.variables.iter().zip(&state.0).enumerate() {
        if !hidden.contains(&VarId(to_u32(index))) {
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
