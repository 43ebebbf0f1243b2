//! The steps of a model as affine maps of its integers.

use super::form::{AffineForm, Unknown};
use kit::budget::{Clock, Exhausted};
use lang::model::eval::{Place, PlaceStep, Scope};
use lang::model::expr::{Expr, ExprKind, Fold, LocalId, Op};
use lang::model::types::Type;
use lang::model::value::Value;
use lang::model::{Action, Model, PathStep, Update, UpdateValue};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The most cases of all steps.
const MOST_CASES: usize = 20_000;

/// The most conditions of the state on which a case depends.
const MOST_CONDITIONS: usize = 6;

/// The largest range of an argument that is given its values one by one, if it is an integer.
const SMALL_RANGE: u64 = 64;

/// A step, as the forms that give the integers of the next state; others keep their values.
#[derive(Debug)]
pub(super) struct Case(FxHashMap<usize, AffineForm>);

impl Case {
    /// The form of an unknown after the step.
    pub fn after(&self, unknown: Unknown) -> AffineForm {
        match unknown {
            Unknown::Place(place) => self.0.get(&place).cloned().unwrap_or_else(|| AffineForm::of(unknown)),
            Unknown::One | Unknown::Any(_) => AffineForm::of(unknown),
        }
    }
}

/// All cases of the steps of a model; `None` if they are too many.
pub(super) fn cases(
    model: &Model,
    places: &[Place],
    clock: &mut Clock<'_>,
) -> Result<Option<Vec<Case>>, Exhausted> {
    let mut found = Vec::new();
    for action in &model.actions {
        let small = |ty: &Type| {
            let most = if matches!(ty, Type::Int { .. }) { SMALL_RANGE } else { MOST_CASES as u64 };
            model.types.cardinality(ty) <= most
        };
        let small: Vec<_> = action.params.iter().filter(|param| small(&param.ty)).collect();
        let count = small.iter().map(|param| model.types.cardinality(&param.ty));
        if count.fold(1, u64::saturating_mul) > MOST_CASES as u64 {
            return Ok(None);
        }
        let mut arguments: Vec<Vec<(LocalId, Value)>> = vec![Vec::new()];
        for param in small {
            let values = model.types.values(&param.ty);
            let with = |known: &Vec<(LocalId, Value)>| {
                let values = values.iter().map(|value| (param.local, value.clone()));
                values.map(|value| known.iter().cloned().chain([value]).collect()).collect::<Vec<_>>()
            };
            arguments = arguments.iter().flat_map(with).collect();
        }
        for arguments in arguments {
            let mut open = vec![Vec::new()];
            while let Some(conditions) = open.pop() {
                clock.tick()?;
                let mut values = Values::new(model, places);
                (values.constants, values.conditions) = (arguments.clone(), conditions);
                match values.case(action) {
                    Ok(case) => found.extend(case),
                    Err(Undecided(Some(condition))) if values.conditions.len() < MOST_CONDITIONS => {
                        open.extend([false, true].map(|holds| {
                            let new = ((*condition).clone(), holds);
                            values.conditions.iter().cloned().chain([new]).collect()
                        }));
                    }
                    Err(Undecided(_)) => return Ok(None),
                }
                if found.len() > MOST_CASES {
                    return Ok(None);
                }
            }
        }
    }
    Ok(Some(found))
}

/// A condition of the state, with the values of the names in it.
#[derive(Debug, Clone, PartialEq)]
struct Condition {
    formula: Expr,
    names: Vec<AffineForm>,
    constants: Vec<Value>,
}

/// A condition of the state on which a value depends; nothing if names in it have no known values.
pub(super) struct Undecided(Option<Box<Condition>>);

/// The values of expressions as forms over the integers of a state.
pub(super) struct Values<'m> {
    model: &'m Model,
    places: &'m [Place],
    /// The bound names with constant values.
    constants: Vec<(LocalId, Value)>,
    /// Other bound integers.
    forms: FxHashMap<LocalId, AffineForm>,
    /// Conditions of the state with their truth values.
    conditions: Vec<(Condition, bool)>,
    /// The number of integers of which nothing is known.
    any: usize,
}

impl<'m> Values<'m> {
    /// No bound names, and no conditions.
    pub fn new(model: &'m Model, places: &'m [Place]) -> Self {
        Self {
            model,
            places,
            constants: Vec::new(),
            forms: FxHashMap::default(),
            conditions: Vec::new(),
            any: 0,
        }
    }

    /// Gives a bound name a value. Copies of a definition bind the same names.
    pub fn bind(&mut self, local: LocalId, value: Value) {
        self.unbind(local);
        self.constants.push((local, value));
    }

    fn unbind(&mut self, local: LocalId) {
        self.constants.retain(|(known, _)| *known != local);
        self.forms.remove(&local);
    }

    /// Does something in a scope of its own: outer names have their values again after it.
    pub fn scoped<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        let outer = (self.constants.clone(), self.forms.clone());
        let done = inner(self);
        (self.constants, self.forms) = outer;
        done
    }

    /// The members of a set that is constant.
    pub fn members(&self, set: &Expr) -> Option<BTreeSet<Value>> {
        match self.constant(set)? {
            Value::Set(members) => Some(members),
            _ => None,
        }
    }

    /// The value of an expression that depends on constant names only.
    fn constant(&self, expr: &Expr) -> Option<Value> {
        let is_constant = !expr.reads_state()
            && !expr.any(&|part| matches!(part.kind, ExprKind::At { .. } | ExprKind::Never { .. }))
            && expr.unbound().iter().all(|local| self.constants.iter().any(|(known, _)| known == local));
        is_constant.then(|| Scope::new(self.model).with_locals(&self.constants).value(expr))
    }

    /// The truth of a condition.
    fn holds(&self, condition: &Expr) -> Result<bool, Undecided> {
        if let ExprKind::Not(negated) = &condition.kind {
            return Ok(!self.holds(negated)?);
        }
        if let Some(constant) = self.constant(condition) {
            return Ok(constant.is_true());
        }
        let (mut names, mut constants) = (Vec::new(), Vec::new());
        for local in condition.unbound() {
            match (self.constants.iter().find(|(known, _)| *known == local), self.forms.get(&local)) {
                (Some((_, value)), _) => constants.push(value.clone()),
                (None, Some(form)) => names.push(form.clone()),
                (None, None) => return Err(Undecided(None)),
            }
        }
        let condition = Condition { formula: condition.clone(), names, constants };
        let assumed = self.conditions.iter().find(|(known, _)| *known == condition).map(|(_, holds)| *holds);
        assumed.ok_or_else(|| Undecided(Some(Box::new(condition))))
    }

    /// The place that an expression names: its variable and the steps to it.
    fn place(&self, expr: &Expr) -> Option<Place> {
        match &expr.kind {
            ExprKind::Var(var) => Some(Place { var: *var, steps: Vec::new() }),
            ExprKind::Index(map, key) => {
                let (mut place, key) = (self.place(map)?, self.constant(key)?);
                place.steps.push(PlaceStep::Key(key));
                Some(place)
            }
            ExprKind::Field(record, field) => {
                let mut place = self.place(record)?;
                place.steps.push(PlaceStep::Field(*field));
                Some(place)
            }
            _ => None,
        }
    }

    /// The number of a place, if it is an integer.
    fn number(&self, place: &Place) -> Option<usize> {
        self.places.binary_search(place).ok()
    }

    /// The form of an integer; `None` if it has none.
    pub fn form(&mut self, expr: &Expr) -> Result<Option<AffineForm>, Undecided> {
        if let Some(constant) = self.constant(expr) {
            return Ok(constant_part(&constant, &[]));
        }
        let sum = |left: &AffineForm, right: &AffineForm, factor| left.combined(1, right, factor);
        Ok(match &expr.kind {
            ExprKind::Local(local) => self.forms.get(local).cloned(),
            ExprKind::Neg(inner) => self.form(inner)?.and_then(|form| sum(&AffineForm::default(), &form, -1)),
            ExprKind::Binary(op @ (Op::Add | Op::Sub | Op::Mul), left, right) => {
                let (Some(left), Some(right)) = (self.form(left)?, self.form(right)?) else {
                    return Ok(None);
                };
                match (op, left.value(), right.value()) {
                    (Op::Add, ..) => sum(&left, &right, 1),
                    (Op::Sub, ..) => sum(&left, &right, -1),
                    (_, Some(factor), _) => right.combined(factor, &AffineForm::default(), 0),
                    (_, _, Some(factor)) => left.combined(factor, &AffineForm::default(), 0),
                    _ => None,
                }
            }
            ExprKind::If(condition, yes, no) => match self.holds(condition)? {
                true => self.form(yes)?,
                false => self.form(no)?,
            },
            ExprKind::Let { bindings, body } => self.scoped(|inner| {
                for (local, value) in bindings {
                    match inner.constant(value) {
                        Some(value) => inner.bind(*local, value),
                        None => {
                            let form = inner.form(value)?;
                            inner.unbind(*local);
                            inner.forms.extend(form.map(|form| (*local, form)));
                        }
                    }
                }
                inner.form(body)
            })?,
            ExprKind::Fold { fold: Fold::Sum, local, set, body } => {
                let Some(members) = self.members(set) else { return Ok(None) };
                let mut all = AffineForm::default();
                for member in members {
                    let of_member = self.scoped(|inner| {
                        inner.bind(*local, member);
                        inner.form(body)
                    });
                    let Some(of_member) = of_member? else { return Ok(None) };
                    let Some(more) = sum(&all, &of_member, 1) else { return Ok(None) };
                    all = more;
                }
                Some(all)
            }
            _ => {
                let place = self.place(expr).and_then(|place| self.number(&place));
                place.map(|place| AffineForm::of(Unknown::Place(place)))
            }
        })
    }

    /// A form that stands for any integer.
    fn any(&mut self) -> AffineForm {
        self.any += 1;
        AffineForm::of(Unknown::Any(self.any))
    }

    /// The step of an action; `None` if there is none.
    fn case(&mut self, action: &Action) -> Result<Option<Case>, Undecided> {
        let is_false = |guard: &Expr| self.constant(guard).is_some_and(|value| !value.is_true());
        if action.requires.iter().flat_map(Expr::conjuncts).any(is_false) {
            return Ok(None);
        }
        for param in &action.params {
            if self.constants.iter().all(|(known, _)| *known != param.local)
                && matches!(param.ty, Type::Int { .. })
            {
                let any = self.any();
                self.forms.insert(param.local, any);
            }
        }
        let mut after = FxHashMap::default();
        let modified =
            (0..self.places.len()).filter(|place| action.modifies.contains(&self.places[*place].var));
        for place in modified.collect::<Vec<_>>() {
            let any = self.any();
            after.insert(place, any);
        }
        for update in &action.updates {
            if update.guard.as_ref().map_or(Ok(true), |guard| self.holds(guard))? {
                self.update(update, &mut after)?;
            }
        }
        Ok(Some(Case(after)))
    }

    /// Adds the forms of an assignment.
    fn update(&mut self, update: &Update, after: &mut FxHashMap<usize, AffineForm>) -> Result<(), Undecided> {
        let step = |step: &PathStep| match step {
            PathStep::Index(key) => self.constant(key).map(PlaceStep::Key),
            PathStep::Field(field) => Some(PlaceStep::Field(*field)),
        };
        // With a key that is not known, any place of the variable may be the one.
        let path: Option<Vec<PlaceStep>> = update.path.iter().map(step).collect();
        let is_within = |place: &Place| {
            place.var == update.var && path.as_ref().is_none_or(|path| place.steps.starts_with(path))
        };
        for number in
            (0..self.places.len()).filter(|number| is_within(&self.places[*number])).collect::<Vec<_>>()
        {
            let form = match (&update.value, &path) {
                (UpdateValue::Is(value), Some(path)) => {
                    let rest = self.places[number].steps[path.len()..].to_vec();
                    self.part(value, &rest)?
                }
                _ => None,
            };
            let form = match form {
                Some(form) => form,
                None => self.any(),
            };
            after.insert(number, form);
        }
        Ok(())
    }

    /// The integers of a place that an expression names, as their numbers and the steps to them.
    pub fn within(&self, expr: &Expr) -> Vec<(usize, Vec<PlaceStep>)> {
        let Some(whole) = self.place(expr) else { return Vec::new() };
        let of_whole = |place: &Place| place.var == whole.var && place.steps.starts_with(&whole.steps);
        let all = self.places.iter().enumerate().filter(|(_, place)| of_whole(place));
        all.map(|(number, place)| (number, place.steps[whole.steps.len()..].to_vec())).collect()
    }

    /// The form of an integer within a value.
    pub fn part(&mut self, value: &Expr, steps: &[PlaceStep]) -> Result<Option<AffineForm>, Undecided> {
        let Some((step, inner)) = steps.split_first() else { return self.form(value) };
        match (&value.kind, step) {
            (ExprKind::MapOf { local, body }, PlaceStep::Key(key)) => self.scoped(|within| {
                within.bind(*local, key.clone());
                within.part(body, inner)
            }),
            (ExprKind::Record(fields), PlaceStep::Field(field)) => self.part(&fields[*field], inner),
            (ExprKind::With(record, replaced), PlaceStep::Field(field)) => {
                match replaced.iter().find(|(of, _)| of == field) {
                    Some((_, value)) => self.part(value, inner),
                    None => self.part(record, steps),
                }
            }
            (ExprKind::If(condition, yes, no), _) => {
                let value = if self.holds(condition)? { yes } else { no };
                self.part(value, steps)
            }
            _ => Ok(match self.constant(value) {
                Some(value) => constant_part(&value, steps),
                None => self.place(value).and_then(|mut place| {
                    place.steps.extend(steps.iter().cloned());
                    self.number(&place).map(|number| AffineForm::of(Unknown::Place(number)))
                }),
            }),
        }
    }
}

fn constant_part(value: &Value, steps: &[PlaceStep]) -> Option<AffineForm> {
    match (value, steps.split_first()) {
        (Value::Int(value), None) => Some(AffineForm::constant((*value).into())),
        (Value::Map(entries), Some((PlaceStep::Key(key), inner))) => constant_part(entries.get(key)?, inner),
        (Value::Record(_, fields), Some((PlaceStep::Field(field), inner))) => {
            constant_part(fields.get(*field)?, inner)
        }
        _ => None,
    }
}
