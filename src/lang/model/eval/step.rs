//! Initial states and steps.

use super::place::first_unframed;
use super::{FaultCause, Place, PlaceStep, Scope, TraceFault};
use crate::model::expr::{Expr, LocalId, VarId};
use crate::model::value::{Label, Moment, State, Value};
use crate::model::{Action, Assumption, Local, Model, Position, UpdateValue, Variable};
use kit::number::to_u32;

/// True if a trace may start in `state`: its values are of the declared types, and every `init` formula and
/// every state assumption holds.
pub fn is_initial(model: &Model, state: &State) -> bool {
    initial_fault(model, state).is_none()
}

/// True if the step from `before` to `after` with this label exists; see [`Action`] for the conditions.
/// In addition, the arguments must be of the parameters' types, `after` of the variables' types, and `after`
/// must satisfy the state assumptions. `before` itself is not checked: it is assumed to occur in a trace.
pub fn allows_step(model: &Model, before: &State, label: &Label, after: &State) -> bool {
    step_fault(model, before, label, after).is_none()
}

/// The state after the step from `before` with this label; `None` if there is no such step, or if its action leaves open where it leads.
pub fn successor(model: &Model, before: &State, label: &Label) -> Option<State> {
    let action = model.actions.get(label.action).filter(|action| action.modifies.is_empty())?;
    let locals = arguments(action, &label.args);
    let scope = Scope::new(model).with_state(before).with_locals(&locals);
    if !action.requires.iter().all(|e| scope.holds(e)) {
        return None;
    }
    let mut after = before.clone();
    for update in &action.updates {
        let UpdateValue::Is(value) = &update.value else { return None };
        let taken = update.guard.as_ref().is_none_or(|guard| scope.holds(guard));
        if taken && !Place::of_update(&scope, update).write(&mut after, scope.value(value)) {
            return None;
        }
    }
    allows_step(model, before, label, &after).then_some(after)
}

/// Why a trace may not start in `state`; `None` if it may.
pub fn initial_fault(model: &Model, state: &State) -> Option<FaultCause> {
    let scope = Scope::new(model).with_state(state);
    type_fault(model, state)
        .or_else(|| model.init.iter().position(|e| !scope.holds(e)).map(FaultCause::Init))
        .or_else(|| state_assumption_fault(model, state))
}

/// Why the step does not exist; `None` if it does.
pub fn step_fault(model: &Model, before: &State, label: &Label, after: &State) -> Option<FaultCause> {
    let Some(action) = model.actions.get(label.action) else {
        return Some(FaultCause::NoSuchAction(label.action));
    };
    if action.params.len() != label.args.len() {
        return Some(FaultCause::ArgumentCount { action: label.action, given: label.args.len() });
    }
    let wrong = |(p, v): (&Local, _)| !model.types.contains(&p.ty, v);
    if let Some(param) = action.params.iter().zip(&label.args).position(wrong) {
        return Some(FaultCause::Argument { action: label.action, param });
    }
    let locals = arguments(action, &label.args);
    let old = Scope::new(model).with_state(before).with_locals(&locals);
    let both = old.with_next(after);
    if let Some(requires) = action.requires.iter().position(|e| !old.holds(e)) {
        return Some(FaultCause::Requires { action: label.action, requires });
    }
    type_fault(model, after)
        .or_else(|| assignment_fault(model, label.action, &old, before, after))
        .or_else(|| {
            let constraint = action.constraints.iter().position(|e| !both.holds(e))?;
            Some(FaultCause::Constraint { action: label.action, constraint })
        })
        .or_else(|| state_assumption_fault(model, after))
        .or_else(|| {
            let broken = |a: &Assumption| a.step && !both.holds(&a.expr);
            model.assumptions.iter().position(broken).map(FaultCause::Assumption)
        })
}

/// Binds the parameters of an action to the arguments.
pub fn arguments(action: &Action, args: &[Value]) -> Vec<(LocalId, Value)> {
    action.params.iter().zip(args).map(|(p, v)| (p.local, v.clone())).collect()
}

/// Checks the assignments of an action and that everything else is unchanged.
fn assignment_fault(
    model: &Model,
    index: usize,
    old: &Scope<'_>,
    before: &State,
    after: &State,
) -> Option<FaultCause> {
    let action = &model.actions[index];
    let mut assigned: Vec<Place> = Vec::new();
    for (number, update) in action.updates.iter().enumerate() {
        if update.guard.as_ref().is_some_and(|guard| !old.holds(guard)) {
            continue;
        }
        let place = Place::of_update(old, update);
        let Some(found) = place.read(after) else {
            return Some(FaultCause::NoPlace { action: index, update: number });
        };
        let (agrees, wanted) = match &update.value {
            UpdateValue::Is(value) => {
                let value = old.value(value);
                if !model.types.contains(&update.ty, &value) {
                    return Some(FaultCause::Outside { action: index, update: number, value });
                }
                (value == *found, value)
            }
            UpdateValue::In(set) => match old.value(set) {
                Value::Set(members) => (members.contains(found), Value::Set(members)),
                other => (false, other),
            },
        };
        if !agrees {
            return Some(FaultCause::Assigned { action: index, update: number, place, wanted });
        }
        assigned.push(place);
    }
    (0..model.variables.len()).map(|v| VarId(to_u32(v))).find_map(|var| {
        if action.modifies.contains(&var) {
            return None;
        }
        let ways: Vec<&[PlaceStep]> =
            assigned.iter().filter(|p| p.var == var).map(|p| p.steps.as_slice()).collect();
        let (old, new) = (&before.0[var.0 as usize], &after.0[var.0 as usize]);
        first_unframed(&mut Place { var, steps: Vec::new() }, old, new, &ways).map(FaultCause::Frame)
    })
}

/// The first variable whose value is not of its type.
fn type_fault(model: &Model, state: &State) -> Option<FaultCause> {
    if state.0.len() != model.variables.len() {
        return Some(FaultCause::VariableCount(state.0.len()));
    }
    let wrong = |(v, value): (&Variable, _)| !model.types.contains(&v.ty, value);
    let var = model.variables.iter().zip(&state.0).position(wrong)?;
    Some(FaultCause::Type(VarId(to_u32(var))))
}

/// The first state assumption that does not hold.
fn state_assumption_fault(model: &Model, state: &State) -> Option<FaultCause> {
    let scope = Scope::new(model).with_state(state);
    let broken = |a: &Assumption| !a.step && !scope.holds(&a.expr);
    model.assumptions.iter().position(broken).map(FaultCause::Assumption)
}

/// Checks that a trace is a trace of the model.
///
/// # Errors
/// The first fault, if it is not.
pub fn check_trace(model: &Model, trace: &[Moment]) -> Result<(), TraceFault> {
    let fault = |position, cause| Err(TraceFault { position, cause });
    let Some(first) = trace.first() else { return fault(Position::FIRST, FaultCause::Empty) };
    if first.label.is_some() {
        return fault(Position::FIRST, FaultCause::LabelledStart);
    }
    if let Some(cause) = initial_fault(model, &first.state) {
        return fault(Position::FIRST, cause);
    }
    for (pair, at) in trace.windows(2).zip(Position::all(trace.len()).skip(1)) {
        let Some(label) = &pair[1].label else { return fault(at, FaultCause::NoLabel) };
        if let Some(cause) = step_fault(model, &pair[0].state, label, &pair[1].state) {
            return fault(at, cause);
        }
    }
    Ok(())
}

/// The first position whose state violates the invariant.
pub fn first_violation(model: &Model, invariant: &Expr, trace: &[Moment]) -> Option<Position> {
    let violates = |moment: &Moment| !Scope::new(model).with_moment(moment).holds(invariant);
    trace.iter().position(violates).map(Position::new)
}

/// The conjuncts of an invariant that fail where a trace first violates it, as they were written, each on one line; none when the invariant
/// is not a conjunction, because it says it all itself.
pub fn failing_conjuncts(model: &Model, invariant: &Expr, trace: &[Moment]) -> Vec<String> {
    let (parts, Some(at)) = (invariant.conjuncts(), first_violation(model, invariant, trace)) else {
        return Vec::new();
    };
    if parts.len() < 2 {
        return Vec::new();
    }
    let fails = |part: &&Expr| !Scope::new(model).with_moment(&trace[at.index()]).holds(part);
    let written =
        |part: &Expr| model.sources.snippet(part.span).split_whitespace().collect::<Vec<_>>().join(" ");
    parts.into_iter().filter(fails).map(written).collect()
}
