//! The steps that leave a state.

use super::limits::{SearchLimits, Stop, TooMany};
use super::partial::{Partial, one_of};
use super::search::{Reads, SearchConstraint, StateSearch};
use kit::budget::Budget;
use lang::model::eval::{Place, Scope, allows_step, arguments};
use lang::model::expr::{Expr, ExprKind, LocalId};
use lang::model::types::{Type, Types};
use lang::model::value::{Label, State, Value};
use lang::model::{Action, Model, UpdateValue};

/// The number of tries between two checks of the budget.
const POLL: usize = 256;

/// Returns all steps from a state, without duplicates, in ascending order: by action, then by arguments, then by target
/// state. Gives up when the choices of one action with one list of arguments take more than `limit` tries.
pub fn successors(model: &Model, state: &State, limit: usize) -> Result<Vec<(Label, State)>, TooMany> {
    let mut steps = Vec::new();
    let limits = SearchLimits { tries: limit, budget: &Budget::unlimited() };
    for index in 0..model.actions.len() {
        let collected = of_action(model, state, index, limits, &mut |label, after| {
            steps.push((label.clone(), after.clone()));
            Ok(())
        });
        collected.map_err(Stop::into_too_many)?;
    }
    Ok(steps)
}

/// Passes on the steps of one action.
pub(super) fn of_action(
    model: &Model,
    state: &State,
    action: usize,
    limits: SearchLimits<'_>,
    sink: &mut dyn FnMut(&Label, &State) -> Result<(), Stop>,
) -> Result<(), Stop> {
    for args in possible_arguments(model, &model.actions[action], state, limits)? {
        let label = Label { action, args };
        after_label(model, state, &label, limits, &mut |after| sink(&label, after))?;
    }
    Ok(())
}

/// Passes on the states after a label whose requirements hold, in ascending order.
pub(super) fn after_label(
    model: &Model,
    before: &State,
    label: &Label,
    limits: SearchLimits<'_>,
    sink: &mut dyn FnMut(&State) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let found = states_after(model, before, label, limits)?;
    found.iter().filter(|after| allows_step(model, before, label, after)).try_for_each(sink)
}

/// Returns the lists of arguments with which all requirements of the action hold, in ascending order. A requirement
/// is evaluated as soon as the parameters it mentions have values.
///
/// # Errors
/// If that takes too many tries, or the budget ends.
fn possible_arguments(
    model: &Model,
    action: &Action,
    state: &State,
    limits: SearchLimits<'_>,
) -> Result<Vec<Vec<Value>>, Stop> {
    let conjuncts: Vec<&Expr> = action.requires.iter().flat_map(Expr::conjuncts).collect();
    let mut by_parameter = vec![Vec::new(); action.params.len() + 1];
    for conjunct in conjuncts {
        by_parameter[last_parameter(action, conjunct)].push(conjunct);
    }
    let holds = |bound: &[(LocalId, Value)], formulas: &[&Expr]| {
        let scope = Scope::new(model).with_state(state).with_locals(bound);
        formulas.iter().all(|e| scope.holds(e))
    };
    let mut tries = 0usize;
    let mut rows: Vec<Vec<(LocalId, Value)>> = Vec::new();
    if holds(&[], &by_parameter[0]) {
        rows.push(Vec::new());
    }
    for (param, formulas) in action.params.iter().zip(&by_parameter[1..]) {
        let mut longer = Vec::new();
        for row in &rows {
            for value in values_of(&model.types, &param.ty) {
                tries += 1;
                if tries > limits.tries {
                    let what = format!("arguments of action `{}`", action.name);
                    return Err(Stop::Choices(TooMany { what, limit: limits.tries }));
                }
                if tries.is_multiple_of(POLL)
                    && let Some(why) = limits.budget.exhausted()
                {
                    return Err(Stop::Budget(why));
                }
                let mut row = row.clone();
                row.push((param.local, value));
                if holds(&row, formulas) {
                    longer.push(row);
                }
            }
        }
        rows = longer;
    }
    Ok(rows.into_iter().map(|row| row.into_iter().map(|(_, value)| value).collect()).collect())
}

/// Returns the values of a type, in ascending order; those of a range lazily, as there may be very many.
fn values_of(types: &Types, ty: &Type) -> Box<dyn Iterator<Item = Value>> {
    match (ty, ty.inner()) {
        (Type::Int { lo, hi }, _) => Box::new((*lo..=*hi).map(Value::Int)),
        (_, Type::Int { lo, hi }) => {
            Box::new(std::iter::once(Value::None).chain((*lo..=*hi).map(Value::Int)))
        }
        _ => Box::new(types.values(ty).into_iter()),
    }
}

/// Returns the number of parameters that must have values before the formula can be evaluated.
pub(super) fn last_parameter(action: &Action, formula: &Expr) -> usize {
    let mut last = 0;
    formula.walk(&mut |e| {
        if let ExprKind::Local(local) = e.kind
            && let Some(at) = action.params.iter().position(|p| p.local == local)
        {
            last = last.max(at + 1);
        }
    });
    last
}

/// Returns candidates for the states that the label leads to, in ascending order.
fn states_after(
    model: &Model,
    before: &State,
    label: &Label,
    limits: SearchLimits<'_>,
) -> Result<Vec<State>, Stop> {
    let action = &model.actions[label.action];
    let locals = arguments(action, &label.args);
    let Some(after) = assigned(model, action, before, &locals) else { return Ok(Vec::new()) };
    if after.iter().all(|value| value.known().is_some()) {
        let values = after.iter().filter_map(|value| value.known().cloned());
        return Ok(vec![State(values.collect())]);
    }
    let mut constraints: Vec<SearchConstraint<'_>> = Vec::new();
    for formula in &action.constraints {
        constraints.extend(SearchConstraint::split(formula, &locals, &[], Reads::Next));
    }
    for assumption in &model.assumptions {
        let reads = if assumption.step { Reads::Next } else { Reads::Current };
        constraints.extend(SearchConstraint::split(&assumption.expr, &[], &[], reads));
    }
    let what = || format!("successors of a state by action `{}`", action.name);
    let mut found = Vec::new();
    let keep = &mut |state| {
        found.push(state);
        Ok(())
    };
    StateSearch::new(model, Some(before), limits, &what, keep).run(after, constraints)?;
    found.sort();
    found.dedup();
    Ok(found)
}

/// Returns the state after the assignments, open where the action leaves a choice; `None` if an assignment is
/// impossible. Of overlapping assignments only one takes effect; [`allows_step`] checks the others.
fn assigned(
    model: &Model,
    action: &Action,
    before: &State,
    locals: &[(LocalId, Value)],
) -> Option<Vec<Partial>> {
    let scope = Scope::new(model).with_state(before).with_locals(locals);
    let mut after: Vec<Partial> = before.0.iter().cloned().map(Partial::Known).collect();
    for var in &action.modifies {
        let at = var.0 as usize;
        after[at] = Partial::any(&model.types, &model.variables[at].ty);
    }
    let mut values = Vec::new();
    let mut choices = Vec::new();
    for update in &action.updates {
        if update.guard.as_ref().is_some_and(|guard| !scope.holds(guard)) {
            continue;
        }
        let place = Place::of_update(&scope, update);
        place.read(before)?;
        match &update.value {
            UpdateValue::Is(value) => {
                let value = scope.value(value);
                if !model.types.contains(&update.ty, &value) {
                    return None;
                }
                values.push((place, Partial::Known(value)));
            }
            UpdateValue::In(set) => {
                let Value::Set(members) = scope.value(set) else { return None };
                let members = members.into_iter().filter(|m| model.types.contains(&update.ty, m));
                let members: Vec<Partial> = members.map(Partial::Known).collect();
                if members.is_empty() {
                    return None;
                }
                choices.push((place, one_of(members)));
            }
        }
    }
    // Nothing can be put below an open part, so choices come first, those of whole values before those of their parts;
    // certain values are put over them.
    choices.sort_by_key(|(place, _)| place.steps.len());
    for (place, part) in choices.into_iter().chain(values) {
        after[place.var.0 as usize].put(&place.steps, part);
    }
    Some(after)
}
