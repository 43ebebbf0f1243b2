//! Effects of actions: when one can be taken, and the values that it writes.

use super::expression::Translator;
use super::script::Script;
use super::shape::{NewSymbols, ValueName, unknown, well_formed};
use super::symbolic::{Body, TermValue};
use super::term::{Terms, Truth};
use kit::diagnostics::Span;
use lang::model::types::{Type, Types};
use lang::model::{Action, Model, PathStep, Update, UpdateValue};
use std::rc::Rc;

/// Something that has to hold if the action is taken.
pub struct EffectDemand {
    /// Its kind: `require`.
    pub what: &'static str,
    /// Where it is written.
    pub span: Span,
    pub formula: Truth,
}

/// The effect of an action from a state.
pub struct SmtEffect {
    /// The conditions if it is taken.
    pub demands: Vec<EffectDemand>,
    /// The new value of each variable that it writes.
    pub values: Vec<Option<TermValue>>,
}

/// The place of an assignment below a variable.
struct UpdatePath {
    steps: Vec<PathElement>,
}

enum PathElement {
    Key(TermValue),
    Field(usize),
}

/// An assignment with everything evaluated in the old state.
struct EffectAssignment {
    var: usize,
    path: UpdatePath,
    guard: Truth,
    value: TermValue,
    span: Span,
}

/// The effect of an action with these arguments in a state. What it leaves open is declared, under names that end in `when`.
pub fn effect(
    script: &mut Script,
    model: &Model,
    action: &Action,
    args: &[TermValue],
    state: &[TermValue],
    when: &str,
) -> SmtEffect {
    let mut effect = SmtEffect { demands: Vec::new(), values: vec![None; model.variables.len()] };
    for formula in &action.requires {
        let holds = translator(script, model, action, args, state).truth(formula);
        effect.demands.push(EffectDemand { what: "require", span: formula.span, formula: holds });
    }
    if effect.is_impossible() {
        return effect;
    }
    for var in &action.modifies {
        let variable = &model.variables[var.0 as usize];
        let place = format!("{} after {}", variable.name, action.name);
        let value = chosen(script, &model.types, ValueName { place: &place, when }, &variable.ty);
        let formula = well_formed(&mut script.terms, &model.types, &value, &variable.ty);
        effect.demands.push(EffectDemand { what: "modifies", span: action.span, formula });
        effect.values[var.0 as usize] = Some(value);
    }
    let mut done: Vec<EffectAssignment> = Vec::new();
    for (number, update) in action.updates.iter().enumerate() {
        let place = format!("choice {number} of {}", action.name);
        let name = ValueName { place: &place, when };
        let Some(assignment) = assignment(script, model, (action, args), update, state, name, &mut effect)
        else {
            continue;
        };
        let old = effect.values[assignment.var].take().unwrap_or_else(|| state[assignment.var].clone());
        let new =
            assigned(&mut script.terms, &old, &assignment.path.steps, assignment.guard, &assignment.value);
        effect.values[assignment.var] = Some(new);
        done.push(assignment);
    }
    // Every assignment has to hold in the new state: those to one place have to agree.
    for one in &done {
        if done.iter().filter(|other| other.var == one.var).count() < 2 {
            continue;
        }
        if let Some(new) = &effect.values[one.var] {
            let terms = &mut script.terms;
            let agrees = has(terms, new, &one.path.steps, &one.value);
            let formula = terms.implies(one.guard, agrees);
            effect.demands.push(EffectDemand { what: "assignments agree", span: one.span, formula });
        }
    }
    effect
}

impl SmtEffect {
    /// True if the action can never be taken here.
    pub fn is_impossible(&self) -> bool {
        self.demands.iter().any(|demand| demand.formula == Terms::NO)
    }
}

/// For expressions over a state that mention the parameters of an action.
pub fn translator<'a>(
    script: &'a mut Script,
    model: &'a Model,
    action: &Action,
    args: &[TermValue],
    state: &'a [TermValue],
) -> Translator<'a> {
    let mut translator = Translator::new(script, model, state);
    for (param, arg) in action.params.iter().zip(args) {
        translator.bind(param.local, arg.clone());
    }
    translator
}

/// A value that is left open, declared.
pub fn chosen(script: &mut Script, types: &Types, name: ValueName<'_>, ty: &Type) -> TermValue {
    let mut leaves = NewSymbols { script, made: Vec::new() };
    let value = unknown(&mut leaves, types, name, ty);
    let made = leaves.made;
    made.into_iter().for_each(|symbol| script.declare(symbol));
    value
}

/// An assignment with what it demands; `None` if it never takes place.
fn assignment(
    script: &mut Script,
    model: &Model,
    (action, args): (&Action, &[TermValue]),
    update: &Update,
    state: &[TermValue],
    name: ValueName<'_>,
    effect: &mut SmtEffect,
) -> Option<EffectAssignment> {
    let types = &model.types;
    let guard = match &update.guard {
        Some(guard) => translator(script, model, action, args, state).truth(guard),
        None => Terms::YES,
    };
    if guard == Terms::NO {
        return None;
    }
    let mut demand = |terms: &mut Terms, what, holds| {
        let formula = terms.implies(guard, holds);
        effect.demands.push(EffectDemand { what, span: update.span, formula });
    };
    let value = match &update.value {
        UpdateValue::Is(value) => {
            let value = translator(script, model, action, args, state).value(value);
            let fits = value.fits(&mut script.terms, types, &update.ty);
            demand(&mut script.terms, "the value is of the type", fits);
            value
        }
        UpdateValue::In(set) => {
            let value = chosen(script, types, name, &update.ty);
            let right = well_formed(&mut script.terms, types, &value, &update.ty);
            let inside = translator(script, model, action, args, state).is_member(&value, set);
            let right = script.terms.and(right, inside);
            demand(&mut script.terms, "the choice is in the set", right);
            value
        }
    };
    let mut inner = translator(script, model, action, args, state);
    let step = |step: &PathStep| match step {
        PathStep::Index(key) => PathElement::Key(inner.value(key)),
        PathStep::Field(field) => PathElement::Field(*field),
    };
    let path = UpdatePath { steps: update.path.iter().map(step).collect() };
    let var = update.var.0 as usize;
    let exists = exists(&mut script.terms, types, &model.variables[var].ty, &path.steps);
    demand(&mut script.terms, "the place exists", exists);
    Some(EffectAssignment { var, path, guard, value, span: update.span })
}

/// True if there is such a place in values of a type: every key is in its map.
fn exists(terms: &mut Terms, types: &Types, ty: &Type, path: &[PathElement]) -> Truth {
    let Some((step, rest)) = path.split_first() else { return Terms::YES };
    match (step, ty) {
        (PathElement::Key(key), Type::Map(keys, value)) => {
            let inside = key.fits(terms, types, keys);
            let inside = terms.and(inside, key.present);
            let below = exists(terms, types, value, rest);
            terms.and(inside, below)
        }
        (PathElement::Field(field), Type::Record(id)) => {
            exists(terms, types, &types.record(*id).fields[*field].1, rest)
        }
        _ => Terms::NO,
    }
}

/// A value with another one at a place if a condition holds.
fn assigned(
    terms: &mut Terms,
    old: &TermValue,
    path: &[PathElement],
    condition: Truth,
    value: &TermValue,
) -> TermValue {
    let Some((step, rest)) = path.split_first() else {
        return TermValue::select(terms, condition, value, old);
    };
    let body = match (step, &old.body) {
        (PathElement::Key(key), Body::Map(entries)) => {
            let mut changed = Vec::with_capacity(entries.len());
            for (at, entry) in entries.iter() {
                let here = key.is_value(terms, at);
                let here = terms.and(condition, here);
                let new =
                    if here == Terms::NO { entry.clone() } else { assigned(terms, entry, rest, here, value) };
                changed.push((at.clone(), new));
            }
            Body::Map(changed.into())
        }
        (PathElement::Field(field), Body::Record(id, fields)) => {
            let mut fields = fields.to_vec();
            fields[*field] = assigned(terms, &fields[*field], rest, condition, value);
            Body::Record(*id, Rc::from(fields))
        }
        _ => unreachable!("the checker admits paths through maps and records only"),
    };
    TermValue { present: old.present, body }
}

/// True if there is this value at a place; true if the place does not exist.
fn has(terms: &mut Terms, new: &TermValue, path: &[PathElement], value: &TermValue) -> Truth {
    let Some((step, rest)) = path.split_first() else { return new.equal(terms, value) };
    match (step, &new.body) {
        (PathElement::Key(key), Body::Map(entries)) => {
            let mut parts = Vec::new();
            for (at, entry) in entries.iter() {
                let here = key.is_value(terms, at);
                if here != Terms::NO {
                    let same = has(terms, entry, rest, value);
                    parts.push(terms.implies(here, same));
                }
            }
            terms.all(parts)
        }
        (PathElement::Field(field), Body::Record(_, fields)) => has(terms, &fields[*field], rest, value),
        _ => unreachable!("the checker admits paths through maps and records only"),
    }
}
