//! Faults of traces, and their messages.

use super::Place;
use crate::model::expr::VarId;
use crate::model::value::Value;
use crate::model::{Model, Position, UpdateValue};
use kit::diagnostics::{Diagnostic, Span};

/// The first fault of a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceFault {
    /// The position of the fault: 0 is the initial state; `n` is the n-th step and the state it leads to.
    pub position: Position,
    /// The condition that is broken at that position.
    pub cause: FaultCause,
}

/// Why a state is not initial or a step impossible. All numbers are indices, from 0, into the lists of the
/// [`Model`] or of its action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultCause {
    /// The trace has no state.
    Empty,
    /// The initial state has a label.
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

impl TraceFault {
    /// One sentence for the user, lower case, without a full stop.
    pub fn message(&self, model: &Model) -> String {
        let what = self.cause.message(model);
        match (&self.cause, self.position) {
            (FaultCause::Empty, _) => what,
            (_, Position::FIRST) => format!("state 0 is not an initial state: {what}"),
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

impl FaultCause {
    /// The span of the broken formula, assignment or declaration, if there is one.
    pub fn span(&self, model: &Model) -> Option<Span> {
        Some(match self {
            FaultCause::Empty | FaultCause::LabelledStart | FaultCause::NoLabel => return None,
            FaultCause::VariableCount(_) | FaultCause::NoSuchAction(_) | FaultCause::Frame(_) => return None,
            FaultCause::Type(var) => model.variables[var.0 as usize].span,
            FaultCause::Init(i) => model.init[*i].span,
            FaultCause::Assumption(i) => model.assumptions[*i].span,
            FaultCause::ArgumentCount { action, .. } | FaultCause::Argument { action, .. } => {
                model.actions[*action].span
            }
            FaultCause::Requires { action, requires } => model.actions[*action].requires[*requires].span,
            FaultCause::Constraint { action, constraint } => {
                model.actions[*action].constraints[*constraint].span
            }
            FaultCause::NoPlace { action, update }
            | FaultCause::Outside { action, update, .. }
            | FaultCause::Assigned { action, update, .. } => model.actions[*action].updates[*update].span,
        })
    }

    /// The message without the position.
    fn message(&self, model: &Model) -> String {
        let show = |value: &Value| model.types.show_value(value);
        let name = |action: &usize| &model.actions[*action].name;
        match self {
            FaultCause::Empty => "a trace needs at least one state".into(),
            FaultCause::LabelledStart => "it has a label, although no step leads to it".into(),
            FaultCause::NoLabel => "it has no label".into(),
            FaultCause::VariableCount(n) => {
                format!("the state has {n} values, but the model has {} variables", model.variables.len())
            }
            FaultCause::Type(var) => {
                let variable = &model.variables[var.0 as usize];
                format!("the value of `{}` is not in {}", variable.name, model.types.show(&variable.ty))
            }
            FaultCause::Init(i) => format!("init formula {} does not hold", i + 1),
            FaultCause::Assumption(i) => {
                let kind = if model.assumptions[*i].step { "step" } else { "state" };
                format!("{kind} assumption {} does not hold", i + 1)
            }
            FaultCause::NoSuchAction(n) => format!("the model has no action with index {n}"),
            FaultCause::ArgumentCount { action, given } => {
                let expected = model.actions[*action].params.len();
                format!("action `{}` takes {expected} arguments, {given} given", name(action))
            }
            FaultCause::Argument { action, param } => {
                let param = &model.actions[*action].params[*param];
                let ty = model.types.show(&param.ty);
                format!("the argument `{}` of action `{}` is not in {ty}", param.name, name(action))
            }
            FaultCause::Requires { action, requires } => {
                format!("requirement {} of action `{}` does not hold", requires + 1, name(action))
            }
            FaultCause::NoPlace { action, update } => {
                let var = model.actions[*action].updates[*update].var;
                let variable = &model.variables[var.0 as usize].name;
                format!("action `{}` assigns an entry of `{variable}` that does not exist", name(action))
            }
            FaultCause::Outside { action, update, value } => {
                let update = &model.actions[*action].updates[*update];
                let variable = &model.variables[update.var.0 as usize].name;
                let ty = model.types.show(&update.ty);
                let name = name(action);
                format!(
                    "action `{name}` assigns {} to a place in `{variable}`, which is not in {ty}",
                    show(value)
                )
            }
            FaultCause::Assigned { action, update, place, wanted } => {
                let to = match model.actions[*action].updates[*update].value {
                    UpdateValue::Is(_) => "to",
                    UpdateValue::In(_) => "to a member of",
                };
                let (name, place, wanted) = (name(action), place.show(model), show(wanted));
                format!("action `{name}` sets `{place}` {to} {wanted}, but the trace does not")
            }
            FaultCause::Frame(place) => {
                format!("`{}` changes, but the action does not assign it", place.show(model))
            }
            FaultCause::Constraint { action, constraint } => {
                format!("constraint {} of action `{}` does not hold", constraint + 1, name(action))
            }
        }
    }
}
