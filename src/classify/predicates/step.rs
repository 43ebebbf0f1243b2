//! The reason why an action has no step in a state.

use crate::predicates::readings::{PartReader, PartReading};
use itertools::Itertools;
use kit::diagnostics::Span;
use lang::model::eval::{Place, Scope, arguments};
use lang::model::expr::{Expr, LocalId};
use lang::model::types::Type;
use lang::model::value::{Label, Value};
use lang::model::{Action, ActionSteps, Local, Model, Update, UpdateValue};
use lang::trace::Trace;

/// The greatest number of labels tried.
const MOST_LABELS: u64 = 4096;

/// An impossible step.
#[derive(Debug, Clone)]
pub struct NoStep {
    /// Its number, from 1; 0 if there is no initial state.
    pub step: usize,
    /// The label with the fewest false guards; `None` if there are too many to try.
    pub label: Option<Label>,
    /// A trace of the steps before it; `None` if there is no initial state.
    pub before: Option<Trace>,
    /// The reason.
    pub why: NoStepReason,
}

/// The reason why a step is impossible.
#[derive(Debug, Clone)]
pub enum NoStepReason {
    /// Guards of its action that are false in the state before.
    Guards(Vec<FalsePart>),
    /// An assigned value outside of the type of its place.
    Outside {
        /// The variable that is, or contains, the place.
        variable: String,
        /// The value.
        value: Value,
        /// The type of the place.
        ty: Type,
    },
    /// An assumption, a constraint, or assignments that contradict each other.
    Other,
}

/// A false part of a condition.
#[derive(Debug, Clone)]
pub struct FalsePart {
    /// Its place in the source.
    pub span: Span,
    /// The parts of the state or trace that it reads.
    pub readings: Vec<PartReading>,
}

/// The reason why none of these steps is possible after a trace.
pub fn no_step(model: &Model, before: Trace, steps: &ActionSteps) -> NoStep {
    let action = &model.actions[steps.action];
    let step = before.moments.len();
    let mut nearest: Option<(usize, Label, Vec<Expr>)> = None;
    for label in labels(model, steps) {
        let locals = arguments(action, &label.args);
        let scope = Scope::new(model).with_state(before.state(before.last())).with_locals(&locals);
        let failing: Vec<Expr> = action
            .requires
            .iter()
            .flat_map(Expr::split_conjuncts)
            .filter(|guard| !scope.holds(guard))
            .collect();
        if nearest.as_ref().is_none_or(|(least, ..)| failing.len() < *least) {
            nearest = Some((failing.len(), label, failing));
        }
        if nearest.as_ref().is_some_and(|(least, ..)| *least == 0) {
            break;
        }
    }
    let Some((_, label, failing)) = nearest else {
        return NoStep { step, label: None, before: Some(before), why: NoStepReason::Other };
    };
    let locals = arguments(action, &label.args);
    let why = match failing.is_empty() {
        true => outside(model, action, &before, &locals).unwrap_or(NoStepReason::Other),
        false => {
            let named: Vec<(LocalId, &str)> =
                action.params.iter().map(|param| (param.local, param.name.as_str())).collect();
            let part = |guard: &Expr| FalsePart {
                span: guard.span,
                readings: PartReader::of_trace(model, &before.moments, locals.clone(), &named)
                    .of_last_state()
                    .read(guard),
            };
            NoStepReason::Guards(failing.iter().map(part).collect())
        }
    };
    NoStep { step, label: Some(label), before: Some(before), why }
}

/// Returns the first assignment of a value outside of the type of its place.
fn outside(
    model: &Model,
    action: &Action,
    before: &Trace,
    locals: &[(LocalId, Value)],
) -> Option<NoStepReason> {
    let scope = Scope::new(model).with_state(before.state(before.last())).with_locals(locals);
    action.updates.iter().find_map(|update: &Update| {
        let UpdateValue::Is(value) = &update.value else { return None };
        let taken = update.guard.as_ref().is_none_or(|guard| scope.holds(guard));
        let value = taken.then(|| scope.value(value))?;
        let variable = Place::of_update(&scope, update).show(model);
        (!model.types.contains(&update.ty, &value)).then(|| NoStepReason::Outside {
            variable,
            value,
            ty: update.ty.clone(),
        })
    })
}

/// Returns the labels of these steps; none if there are too many.
fn labels(model: &Model, steps: &ActionSteps) -> Vec<Label> {
    let action = &model.actions[steps.action];
    let given = |param: usize| steps.with.iter().find(|a| a.param == param).map(|a| a.value.clone());
    let open = |(index, param): (usize, &Local)| match given(index) {
        Some(_) => 1,
        None => model.types.cardinality(&param.ty),
    };
    let count = action.params.iter().enumerate().map(open).fold(1u64, u64::saturating_mul);
    if count > MOST_LABELS {
        return Vec::new();
    }
    let values = action.params.iter().enumerate().map(|(index, param)| match given(index) {
        Some(value) => vec![value],
        None => model.types.values(&param.ty),
    });
    if action.params.is_empty() {
        return vec![Label { action: steps.action, args: Vec::new() }];
    }
    values.multi_cartesian_product().map(|args| Label { action: steps.action, args }).collect()
}
