//! What is wrong with a trace, and how to say so.

use super::Place;
use crate::diagnostics::{Diagnostic, Span};
use crate::model::expr::VarId;
use crate::model::value::Value;
use crate::model::{Model, UpdateValue};

/// The first thing that is wrong with a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceFault {
    /// Where: 0 is the first state; `n` is the n-th step and the state it leads to.
    pub position: usize,
    /// What.
    pub cause: FaultCause,
}

/// Why a state is not initial or a step impossible. Numbers are indices into the lists of the [`Model`]
/// or of its action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultCause {
    /// A trace has at least one state.
    Empty,
    /// The first state has a label.
    LabelledStart,
    /// A later state has no label.
    NoLabel,
    /// A state has this many values, not one for each variable.
    VariableCount(usize),
    /// The value of a variable is not of its type.
    Type(VarId),
    /// An `init` formula does not hold.
    Init(usize),
    /// An assumption does not hold.
    Assumption(usize),
    /// There is no action of this number.
    NoSuchAction(usize),
    /// The label has this many arguments.
    ArgumentCount {
        /// The action.
        action: usize,
        /// The number of arguments.
        given: usize,
    },
    /// An argument is not of its parameter's type.
    Argument {
        /// The action.
        action: usize,
        /// The parameter.
        param: usize,
    },
    /// A requirement does not hold before the step.
    Requires {
        /// The action.
        action: usize,
        /// The requirement.
        requires: usize,
    },
    /// An assignment names a map entry that does not exist.
    NoPlace {
        /// The action.
        action: usize,
        /// The assignment.
        update: usize,
    },
    /// The assigned value is not of the type of its place.
    Outside {
        /// The action.
        action: usize,
        /// The assignment.
        update: usize,
        /// The value.
        value: Value,
    },
    /// A place does not have the value it is assigned.
    Assigned {
        /// The action.
        action: usize,
        /// The assignment.
        update: usize,
        /// The place.
        place: Place,
        /// The assigned value, or for `in` the set of allowed ones.
        wanted: Value,
    },
    /// A place changes though the action does not assign it.
    Frame(Place),
    /// A constraint of the action does not hold.
    Constraint {
        /// The action.
        action: usize,
        /// The constraint.
        constraint: usize,
    },
}

impl TraceFault {
    /// One sentence for the user, lower case, without a full stop.
    pub fn message(&self, model: &Model) -> String {
        let what = self.cause.message(model);
        match (&self.cause, self.position) {
            (FaultCause::Empty, _) => what,
            (_, 0) => format!("state 0 is not an initial state: {what}"),
            (_, n) => format!("step {n} is impossible: {what}"),
        }
    }

    /// As a diagnostic that points to the broken formula or assignment, where there is one.
    pub fn diagnostic(&self, model: &Model) -> Diagnostic {
        match self.cause.span(model) {
            Some(span) => Diagnostic::error(span, self.message(model)),
            None => Diagnostic::error_without_place(self.message(model)),
        }
    }
}

impl FaultCause {
    /// The formula, assignment or declaration that is broken, where there is one.
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

    /// What is wrong, without the position.
    fn message(&self, model: &Model) -> String {
        let show = |value: &Value| model.types.show_value(value);
        let name = |action: &usize| &model.actions[*action].name;
        match self {
            FaultCause::Empty => "a trace has at least one state".into(),
            FaultCause::LabelledStart => "it has a label, but no step leads to it".into(),
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
                format!("assumption {} (of the {kind}) does not hold", i + 1)
            }
            FaultCause::NoSuchAction(n) => format!("the model has no action number {n}"),
            FaultCause::ArgumentCount { action, given } => {
                let expected = model.actions[*action].params.len();
                format!(
                    "action `{}` has {expected} parameters, but {given} arguments are given",
                    name(action)
                )
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
                let is = match model.actions[*action].updates[*update].value {
                    UpdateValue::Is(_) => "becomes",
                    UpdateValue::In(_) => "becomes one of",
                };
                let (name, place, wanted) = (name(action), place.show(model), show(wanted));
                format!("by action `{name}`, `{place}` {is} {wanted}, but it does not here")
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
