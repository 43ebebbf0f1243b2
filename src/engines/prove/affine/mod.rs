//! Invariants that follow from affine relations between integers, as that the sum of all accounts is always the same.
//!
//! A step of an action with some arguments gives each integer of the state an affine form over the integers before it. A relation holds
//! always if it holds initially, and each step makes of it a combination of relations that hold always. These relations are
//! found backwards, beginning with the one in question (M. Karr, *Affine relationships among variables of a program*, 1976;
//! M. Müller-Olm, H. Seidl, *A note on Karr's algorithm*, 2004). Guards only decide between steps, so that they may be left out.

mod form;
mod step;

use form::{AffineForm, AffineSpace, Unknown};
use itertools::Itertools;
use kit::budget::{Budget, Clock, Exhausted};
use kit::number::to_u32;
use lang::model::Model;
use lang::model::eval::{Place, PlaceStep};
use lang::model::expr::{Expr, ExprKind, Op, VarId};
use lang::model::types::Type;
use step::{Values, cases};

/// The most integers of a state.
const MOST_PLACES: usize = 2_000;

/// The most relations that are needed for one.
const MOST_RELATIONS: usize = 200;

/// Proves an invariant by affine relations; these, in the language. `None` if there is no such proof.
///
/// # Errors
/// If the budget is exhausted.
pub(super) fn relations(
    model: &Model,
    invariant: &Expr,
    budget: &Budget,
) -> Result<Option<Vec<String>>, Exhausted> {
    let Some(places) = integers(model) else { return Ok(None) };
    let mut clock = Clock::new(budget, "steps compared with sums");
    let Some((initial, goals)) = beginning(model, invariant, &places) else { return Ok(None) };
    let Some(cases) = cases(model, &places, &mut clock)? else { return Ok(None) };
    let mut known = KnownRelations { initial, relations: Vec::new(), space: AffineSpace::default() };
    for goal in goals {
        if known.add(goal).is_none() {
            return Ok(None);
        }
    }
    let mut next = 0;
    while let Some(relation) = known.relations.get(next).cloned() {
        for case in &cases {
            clock.tick()?;
            if relation
                .substituted(|unknown| case.after(unknown))
                .and_then(|before| known.add(before))
                .is_none()
            {
                return Ok(None);
            }
        }
        next += 1;
    }
    Ok(Some(known.relations.iter().map(|relation| shown(relation, model, &places)).collect()))
}

/// Forms that are zero in the initial states.
struct KnownRelations {
    initial: AffineSpace,
    relations: Vec<AffineForm>,
    /// The space that the relations span.
    space: AffineSpace,
}

impl KnownRelations {
    /// Adds a form; `None` if it may be other than zero initially, or has unknowns that are no part of the state.
    fn add(&mut self, form: AffineForm) -> Option<()> {
        let form = self.space.rest(&form)?;
        if form.is_zero() {
            return Some(());
        }
        let is_of_state = form.summands().all(|(unknown, _)| !matches!(unknown, Unknown::Any(_)));
        if !is_of_state || !self.initial.rest(&form)?.is_zero() || self.relations.len() == MOST_RELATIONS {
            return None;
        }
        self.space.add(&form)?;
        self.relations.push(form);
        Some(())
    }
}

/// The integers of a state; `None` if they are too many.
fn integers(model: &Model) -> Option<Vec<Place>> {
    let mut found = Vec::new();
    for (variable, declared) in model.variables.iter().enumerate() {
        let place = Place { var: VarId(to_u32(variable)), steps: Vec::new() };
        add_integers(model, &declared.ty, place, &mut found)?;
    }
    found.sort();
    Some(found)
}

fn add_integers(model: &Model, ty: &Type, place: Place, found: &mut Vec<Place>) -> Option<()> {
    let inner = |step| Place { var: place.var, steps: place.steps.iter().cloned().chain([step]).collect() };
    match ty {
        Type::Int { .. } if found.len() < MOST_PLACES => found.push(place),
        Type::Int { .. } => return None,
        Type::Map(keys, value) if model.types.cardinality(keys) <= MOST_PLACES as u64 => {
            for key in model.types.values(keys) {
                add_integers(model, value, inner(PlaceStep::Key(key)), found)?;
            }
        }
        Type::Record(id) if !model.types.record(*id).is_variant() => {
            for (field, (_, ty)) in model.types.record(*id).fields.iter().enumerate() {
                add_integers(model, ty, inner(PlaceStep::Field(field)), found)?;
            }
        }
        _ => {}
    }
    Some(())
}

/// The forms that are zero initially, and those that have to be zero always for the invariant to hold.
fn beginning(model: &Model, invariant: &Expr, places: &[Place]) -> Option<(AffineSpace, Vec<AffineForm>)> {
    let mut initial = AffineSpace::default();
    let mut values = Values::new(model, places);
    for formula in &model.init {
        let mut add = |difference: Option<AffineForm>, op| {
            if let (Some(difference), Op::Eq) = (difference, op) {
                initial.add(&difference);
            }
            Some(())
        };
        differences(formula, &mut values, &mut add)?;
    }
    let mut goals = Vec::new();
    let mut add = |difference: Option<AffineForm>, op| {
        let difference = difference?;
        // A positive multiple of the difference, initially.
        let value = initial.rest(&difference)?.value()?;
        let holds = match op {
            Op::Eq => value == 0,
            Op::Lt => value < 0,
            _ => value <= 0,
        };
        let constant = initial_value(&initial, &difference, value)?;
        goals.push(constant);
        holds.then_some(())
    };
    differences(invariant, &mut values, &mut add)?;
    Some((initial, goals))
}

/// A multiple of a form less the value that it has initially.
fn initial_value(initial: &AffineSpace, form: &AffineForm, value: i128) -> Option<AffineForm> {
    if value == 0 {
        return Some(form.clone());
    }
    // The rest is a multiple of the form: the factor is that of an unknown which the space does not have.
    let unknown = Unknown::Any(usize::MAX);
    let marked = initial.rest(&form.combined(1, &AffineForm::of(unknown), 1)?)?;
    let factor = marked.summands().find(|(of, _)| *of == unknown)?.1;
    let value = marked.summands().find(|(of, _)| *of == Unknown::One).map_or(0, |(_, value)| value);
    form.combined(factor, &AffineForm::constant(value), -1)
}

/// Visits the differences of both sides of the comparisons that a formula is the conjunction of; `None` for other formulas. Ends
/// with `None` where a visit does.
fn differences(
    formula: &Expr,
    values: &mut Values<'_>,
    visit: &mut dyn FnMut(Option<AffineForm>, Op) -> Option<()>,
) -> Option<()> {
    match &formula.kind {
        ExprKind::Binary(Op::And, left, right) => {
            differences(left, values, visit)?;
            differences(right, values, visit)
        }
        ExprKind::Binary(Op::Eq, whole, other) if matches!(whole.ty, Type::Map(..) | Type::Record(_)) => {
            for (number, steps) in values.within(whole) {
                let other = values.part(other, &steps).ok().flatten();
                let place = AffineForm::of(Unknown::Place(number));
                visit(other.and_then(|other| place.combined(1, &other, -1)), Op::Eq)?;
            }
            // Other parts may differ.
            visit(None, Op::Eq)
        }
        ExprKind::Binary(op @ (Op::Eq | Op::Lt | Op::Le), left, right) => {
            let mut form = |side: &Expr| values.form(side).ok().flatten();
            let difference =
                form(left).zip(form(right)).and_then(|(left, right)| left.combined(1, &right, -1));
            visit(difference, *op)
        }
        ExprKind::Quant { quantifier: lang::model::expr::Quantifier::Forall, local, set, body } => {
            match values.members(set) {
                Some(members) => members.into_iter().try_for_each(|member| {
                    values.scoped(|inner| {
                        inner.bind(*local, member);
                        differences(body, inner, visit)
                    })
                }),
                None => visit(None, Op::And),
            }
        }
        _ => visit(None, Op::And),
    }
}

/// A relation in the language.
fn shown(relation: &AffineForm, model: &Model, places: &[Place]) -> String {
    let (mut left, mut right) = (Vec::new(), Vec::new());
    // The constant comes last.
    for (unknown, factor) in relation.summands().sorted_by_key(|(unknown, _)| *unknown == Unknown::One) {
        let side = if factor > 0 { &mut left } else { &mut right };
        let factor = factor.unsigned_abs();
        side.push(match unknown {
            Unknown::Place(place) if factor == 1 => places[place].show(model),
            Unknown::Place(place) => format!("{factor} * {}", places[place].show(model)),
            Unknown::One | Unknown::Any(_) => factor.to_string(),
        });
    }
    let sum = |summands: Vec<String>| if summands.is_empty() { "0".to_owned() } else { summands.join(" + ") };
    format!("{} = {}", sum(left), sum(right))
}
