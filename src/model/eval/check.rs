//! Checks traces: whether a trace is a trace of the model, and where it first violates an invariant.

use super::{Place, Scope, initial_fault, step_fault};
use crate::diagnostics::{Diagnostic, Span};
use crate::model::expr::{Expr, VarId};
use crate::model::value::{Moment, Value};
use crate::model::{Model, UpdateValue};

/// The first fault of a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceFault {
    /// The position of the fault: 0 is the first state; `n` is the n-th step and the state it leads to.
    pub position: usize,
    /// The condition that is broken at that position.
    pub cause: Cause,
}

/// Why a state is not initial or a step impossible. All numbers are indices, from 0, into the lists of the
/// [`Model`] or of its action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    /// The trace has no state.
    Empty,
    /// The first state has a label.
    LabelledStart,
    /// A later state has no label.
    NoLabel,
    /// A state has this number of values instead of one for each variable.
    VariableCount(usize),
    /// The value of a variable is not of its type.
    Type(VarId),
    /// An `init` formula does not hold.
    Init(usize),
    /// An assumption does not hold.
    Assumption(usize),
    /// The model has no action with this index.
    NoSuchAction(usize),
    /// The label has the wrong number of arguments.
    ArgumentCount {
        /// Index into [`Model::actions`].
        action: usize,
        /// The number of arguments in the label.
        given: usize,
    },
    /// An argument is not of its parameter's type.
    Argument {
        /// Index into [`Model::actions`].
        action: usize,
        /// Index into [`crate::model::Action::params`].
        param: usize,
    },
    /// A requirement does not hold before the step.
    Requires {
        /// Index into [`Model::actions`].
        action: usize,
        /// Index into [`crate::model::Action::requires`].
        requires: usize,
    },
    /// An assignment names a map entry that does not exist.
    NoPlace {
        /// Index into [`Model::actions`].
        action: usize,
        /// Index into [`crate::model::Action::updates`].
        update: usize,
    },
    /// The assigned value is outside the type of its place.
    Outside {
        /// Index into [`Model::actions`].
        action: usize,
        /// Index into [`crate::model::Action::updates`].
        update: usize,
        /// The value that was assigned.
        value: Value,
    },
    /// A place does not have the value assigned to it.
    Assigned {
        /// Index into [`Model::actions`].
        action: usize,
        /// Index into [`crate::model::Action::updates`].
        update: usize,
        /// The assigned place, its keys evaluated.
        place: Place,
        /// The assigned value, or for `in` the set of permitted values.
        wanted: Value,
    },
    /// A place changes although the action does not assign it.
    Frame(Place),
    /// A constraint of the action does not hold.
    Constraint {
        /// Index into [`Model::actions`].
        action: usize,
        /// Index into [`crate::model::Action::constraints`].
        constraint: usize,
    },
}

/// Checks that a trace is a trace of the model.
///
/// # Errors
/// The first fault, if it is not.
pub fn check_trace(model: &Model, trace: &[Moment]) -> Result<(), TraceFault> {
    let fault = |position, cause| Err(TraceFault { position, cause });
    let Some(first) = trace.first() else { return fault(0, Cause::Empty) };
    if first.label.is_some() {
        return fault(0, Cause::LabelledStart);
    }
    if let Some(cause) = initial_fault(model, &first.state) {
        return fault(0, cause);
    }
    for (i, pair) in trace.windows(2).enumerate() {
        let Some(label) = &pair[1].label else { return fault(i + 1, Cause::NoLabel) };
        if let Some(cause) = step_fault(model, &pair[0].state, label, &pair[1].state) {
            return fault(i + 1, cause);
        }
    }
    Ok(())
}

/// The first position whose state violates the invariant.
pub fn first_violation(model: &Model, invariant: &Expr, trace: &[Moment]) -> Option<usize> {
    trace.iter().position(|moment| !Scope::new(model).with_moment(moment).holds(invariant))
}

impl TraceFault {
    /// One sentence for the user, lower case, without a full stop.
    pub fn message(&self, model: &Model) -> String {
        let what = self.cause.message(model);
        match (&self.cause, self.position) {
            (Cause::Empty, _) => what,
            (_, 0) => format!("state 0 is not an initial state: {what}"),
            (_, n) => format!("step {n} is impossible: {what}"),
        }
    }

    /// The fault as a diagnostic that points to the broken formula or assignment, if there is one.
    pub fn diagnostic(&self, model: &Model) -> Diagnostic {
        match self.cause.span(model) {
            Some(span) => Diagnostic::error(span, self.message(model)),
            None => Diagnostic::error_without_place(self.message(model)),
        }
    }
}

impl Cause {
    /// The span of the broken formula, assignment or declaration, if there is one.
    pub fn span(&self, model: &Model) -> Option<Span> {
        Some(match self {
            Cause::Empty | Cause::LabelledStart | Cause::NoLabel => return None,
            Cause::VariableCount(_) | Cause::NoSuchAction(_) | Cause::Frame(_) => return None,
            Cause::Type(var) => model.variables[var.0 as usize].span,
            Cause::Init(i) => model.init[*i].span,
            Cause::Assumption(i) => model.assumptions[*i].span,
            Cause::ArgumentCount { action, .. } | Cause::Argument { action, .. } => {
                model.actions[*action].span
            }
            Cause::Requires { action, requires } => model.actions[*action].requires[*requires].span,
            Cause::Constraint { action, constraint } => model.actions[*action].constraints[*constraint].span,
            Cause::NoPlace { action, update }
            | Cause::Outside { action, update, .. }
            | Cause::Assigned { action, update, .. } => model.actions[*action].updates[*update].span,
        })
    }

    /// The message without the position.
    fn message(&self, model: &Model) -> String {
        let show = |value: &Value| model.types.show_value(value);
        let name = |action: &usize| &model.actions[*action].name;
        match self {
            Cause::Empty => "a trace needs at least one state".into(),
            Cause::LabelledStart => "it has a label, although no step leads to it".into(),
            Cause::NoLabel => "it has no label".into(),
            Cause::VariableCount(n) => {
                format!("the state has {n} values, but the model has {} variables", model.variables.len())
            }
            Cause::Type(var) => {
                let variable = &model.variables[var.0 as usize];
                format!("the value of `{}` is not in {}", variable.name, model.types.show(&variable.ty))
            }
            Cause::Init(i) => format!("init formula {} does not hold", i + 1),
            Cause::Assumption(i) => {
                let kind = if model.assumptions[*i].step { "step" } else { "state" };
                format!("{kind} assumption {} does not hold", i + 1)
            }
            Cause::NoSuchAction(n) => format!("the model has no action with index {n}"),
            Cause::ArgumentCount { action, given } => {
                let expected = model.actions[*action].params.len();
                format!("action `{}` takes {expected} arguments, {given} given", name(action))
            }
            Cause::Argument { action, param } => {
                let param = &model.actions[*action].params[*param];
                let ty = model.types.show(&param.ty);
                format!("the argument `{}` of action `{}` is not in {ty}", param.name, name(action))
            }
            Cause::Requires { action, requires } => {
                format!("requirement {} of action `{}` does not hold", requires + 1, name(action))
            }
            Cause::NoPlace { action, update } => {
                let var = model.actions[*action].updates[*update].var;
                let variable = &model.variables[var.0 as usize].name;
                format!("action `{}` assigns an entry of `{variable}` that does not exist", name(action))
            }
            Cause::Outside { action, update, value } => {
                let update = &model.actions[*action].updates[*update];
                let variable = &model.variables[update.var.0 as usize].name;
                let ty = model.types.show(&update.ty);
                let name = name(action);
                format!(
                    "action `{name}` assigns {} to a place in `{variable}`, which is not in {ty}",
                    show(value)
                )
            }
            Cause::Assigned { action, update, place, wanted } => {
                let to = match model.actions[*action].updates[*update].value {
                    UpdateValue::Is(_) => "to",
                    UpdateValue::In(_) => "to a member of",
                };
                let (name, place, wanted) = (name(action), place.show(model), show(wanted));
                format!("action `{name}` sets `{place}` {to} {wanted}, but the trace does not")
            }
            Cause::Frame(place) => {
                format!("`{}` changes, but the action does not assign it", place.show(model))
            }
            Cause::Constraint { action, constraint } => {
                format!("constraint {} of action `{}` does not hold", constraint + 1, name(action))
            }
        }
    }
}
