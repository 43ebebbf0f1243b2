//! Places within states: the targets of assignments and the parts that differences name.

use super::Scope;
use crate::model::expr::VarId;
use crate::model::types::Type;
use crate::model::value::{State, Value};
use crate::model::{Model, PathStep, Update};

/// A variable or a part of a variable.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The variable that contains the place.
    pub var: VarId,
    /// The path into its value, outermost step first; empty for the whole variable.
    pub steps: Vec<PlaceStep>,
}

/// One step into a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PlaceStep {
    /// To the map entry of this key.
    Key(Value),
    /// To the record field of this index.
    Field(usize),
}

impl Place {
    /// The target of an assignment in the state of `scope`. It may not exist: a key can be
    /// `none` or outside the map; then [`Place::read`] returns `None`.
    pub fn of_update<'a>(scope: &Scope<'a>, update: &'a Update) -> Place {
        let step = |step: &'a PathStep| match step {
            PathStep::Index(key) => PlaceStep::Key(scope.value(key)),
            PathStep::Field(field) => PlaceStep::Field(*field),
        };
        Place { var: update.var, steps: update.path.iter().map(step).collect() }
    }

    /// The value at the place in a state; `None` if the place does not exist.
    pub fn read<'a>(&self, state: &'a State) -> Option<&'a Value> {
        self.steps.iter().try_fold(&state.0[self.var.0 as usize], |value, step| match (step, value) {
            (PlaceStep::Key(key), Value::Map(entries)) => entries.get(key),
            (PlaceStep::Field(field), Value::Record(_, fields)) => fields.get(*field),
            _ => None,
        })
    }

    /// Puts a value at the place in a state; whether the place exists.
    pub fn write(&self, state: &mut State, value: Value) -> bool {
        let root = &mut state.0[self.var.0 as usize];
        let found = self.steps.iter().try_fold(root, |value, step| match (step, value) {
            (PlaceStep::Key(key), Value::Map(entries)) => entries.get_mut(key),
            (PlaceStep::Field(field), Value::Record(_, fields)) => fields.get_mut(*field),
            _ => None,
        });
        found.map(|place| *place = value).is_some()
    }

    /// The place in the syntax of the language: `phase[Alice]`, `net.sender`.
    pub fn show(&self, model: &Model) -> String {
        let variable = &model.variables[self.var.0 as usize];
        let mut text = variable.name.clone();
        let mut ty = &variable.ty;
        for step in &self.steps {
            match (step, ty.inner()) {
                (PlaceStep::Key(key), Type::Map(_, value)) => {
                    text += &format!("[{}]", model.types.show_value(key));
                    ty = value;
                }
                (PlaceStep::Field(field), Type::Record(id)) => {
                    let decl = model.types.record(*id);
                    text = decl.part_text(&text, *field);
                    ty = &decl.fields[*field].1;
                }
                (step, _) => text += &format!(".{step:?}"),
            }
        }
        text
    }
}

/// A part of a composite value, before and after a step.
struct PlacePart<'v> {
    step: PlaceStep,
    old: &'v Value,
    new: &'v Value,
}

/// The first place below `here` that differs although no place in `assigned` covers it. The paths in
/// `assigned` start at `here`, whose old and new values are `before` and `after`.
pub(super) fn first_unframed(
    here: &mut Place,
    before: &Value,
    after: &Value,
    assigned: &[&[PlaceStep]],
) -> Option<Place> {
    if before == after || assigned.iter().any(|way| way.is_empty()) {
        return None;
    }
    let parts: Vec<PlacePart<'_>> = match (before, after) {
        _ if assigned.is_empty() => return Some(here.clone()),
        (Value::Map(old), Value::Map(new)) if old.keys().eq(new.keys()) => {
            let part = |((key, old), new): ((&Value, _), _)| PlacePart {
                step: PlaceStep::Key(key.clone()),
                old,
                new,
            };
            old.iter().zip(new.values()).map(part).collect()
        }
        (Value::Record(r, old), Value::Record(s, new)) if r == s => {
            let part = |(at, (old, new))| PlacePart { step: PlaceStep::Field(at), old, new };
            old.iter().zip(new).enumerate().map(part).collect()
        }
        _ => return Some(here.clone()),
    };
    for PlacePart { step, old, new } in parts {
        let below: Vec<&[PlaceStep]> =
            assigned.iter().filter(|way| way.first() == Some(&step)).map(|way| &way[1..]).collect();
        here.steps.push(step);
        let found = first_unframed(here, old, new, &below);
        here.steps.pop();
        if found.is_some() {
            return found;
        }
    }
    None
}
