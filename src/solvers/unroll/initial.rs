//! The initial state: places that the `init` formulas fix become constants, the rest is left to the
//! solver.
//!
//! This is an optimisation only: every formula is asserted as well. It recognises conjunctions, `forall`
//! over constant sets, equalities of a place (a variable, an entry, a field) with a constant, `none` included, and
//! truth-valued places and their negations.

use super::forms::{IntegerForm, IntegerForms};
use super::frame::Frame;
use super::symbolic::Symbolic as S;
use crate::sat::Circuit;
use kit::number::to_u32;
use lang::model::expr::{Expr, ExprKind, LocalId, Op, Quantifier, VarId};
use lang::model::types::Type;
use lang::model::value::Value;
use lang::model::{Model, Variable};
use std::collections::{BTreeMap, HashMap};

/// The symbolic values of all variables in the initial state.
pub fn state(circuit: &mut Circuit, model: &Model, forms: &IntegerForms) -> Vec<S> {
    let mut fixed = Fixed::default();
    for formula in &model.init {
        fixed.read(circuit, formula, &mut HashMap::new());
    }
    let variables = model.variables.iter().enumerate();
    let build = |(v, var): (usize, &Variable)| {
        let form = forms.variable(VarId(to_u32(v)));
        fixed.build(circuit, model, &mut vec![AccessStep::Var(v)], &var.ty, form)
    };
    variables.map(build).collect()
}

/// The frame at the first position with an arbitrary state.
pub fn any_state(circuit: &mut Circuit, model: &Model, forms: &IntegerForms) -> Frame {
    let alive = circuit.yes();
    let variables = model.variables.iter().enumerate();
    let any = |(v, var): (usize, &Variable)| {
        S::fresh(circuit, &model.types, &var.ty, alive, forms.variable(VarId(to_u32(v))))
    };
    Frame::of_state(alive, variables.map(any).collect())
}

/// One step of the path to a place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum AccessStep {
    Var(usize),
    Entry(Value),
    Field(usize),
}

/// The constants of places, as a tree.
#[derive(Default)]
struct Fixed(BTreeMap<Vec<AccessStep>, Value>);

impl Fixed {
    fn read(&mut self, circuit: &mut Circuit, formula: &Expr, locals: &mut HashMap<LocalId, Value>) {
        if !circuit.goes_on() {
            return;
        }
        match &formula.kind {
            ExprKind::Binary(Op::And, a, b) => {
                self.read(circuit, a, locals);
                self.read(circuit, b, locals);
            }
            ExprKind::Binary(Op::Eq, a, b) => {
                for (place, value) in [(a, b), (b, a)] {
                    if let (Some(place), Some(value)) = (place_of(place, locals), constant(value, locals)) {
                        self.0.insert(place, value);
                        return;
                    }
                }
            }
            // A truth-valued place, or its negation, as a formula; `x = none` is `not (x is some)`.
            ExprKind::Not(e) => {
                let (e, value) = match &e.kind {
                    ExprKind::IsSome(option) => (option, Value::None),
                    _ => (e, Value::Bool(false)),
                };
                if let Some(place) = place_of(e, locals) {
                    self.0.insert(place, value);
                }
            }
            ExprKind::Quant { quantifier: Quantifier::Forall, local, set, body } => {
                if let Some(Value::Set(members)) = constant(set, locals) {
                    for member in members {
                        if circuit.exhausted().is_some() {
                            break;
                        }
                        locals.insert(*local, member);
                        self.read(circuit, body, locals);
                    }
                    locals.remove(local);
                }
            }
            _ => {
                if let Some(place) = place_of(formula, locals) {
                    self.0.insert(place, Value::Bool(true));
                }
            }
        }
    }

    fn build(
        &self,
        c: &mut Circuit,
        model: &Model,
        place: &mut Vec<AccessStep>,
        ty: &Type,
        form: IntegerForm,
    ) -> S {
        let yes = c.yes();
        if let Some(value) = self.0.get(place)
            && model.types.contains(ty, value)
        {
            return S::constant(c, &model.types, value, ty);
        }
        match ty {
            Type::Map(key, value) => {
                let mut entries = Vec::new();
                for k in model.types.values(key) {
                    place.push(AccessStep::Entry(k.clone()));
                    entries.push((k, self.build(c, model, place, value, form)));
                    place.pop();
                }
                S::Map { present: yes, entries }
            }
            Type::Record(id) if !model.types.record(*id).is_tagged() => {
                let mut fields = Vec::new();
                for (i, (_, ty)) in model.types.record(*id).fields.iter().enumerate() {
                    place.push(AccessStep::Field(i));
                    fields.push(self.build(c, model, place, ty, form));
                    place.pop();
                }
                S::Record { present: yes, id: *id, fields }
            }
            other => S::fresh(c, &model.types, other, yes, form),
        }
    }
}

fn place_of(e: &Expr, locals: &HashMap<LocalId, Value>) -> Option<Vec<AccessStep>> {
    match &e.kind {
        ExprKind::Var(v) => Some(vec![AccessStep::Var(v.0 as usize)]),
        ExprKind::Field(base, i) if !base.ty.is_option() => {
            let mut place = place_of(base, locals)?;
            place.push(AccessStep::Field(*i));
            Some(place)
        }
        ExprKind::Index(base, key) if !base.ty.is_option() => {
            let mut place = place_of(base, locals)?;
            place.push(AccessStep::Entry(constant(key, locals)?));
            Some(place)
        }
        _ => None,
    }
}

/// The value of an expression that depends on its locals only; nothing if it has none.
pub fn constant(e: &Expr, locals: &HashMap<LocalId, Value>) -> Option<Value> {
    match &e.kind {
        ExprKind::Const(v) => Some(v.clone()),
        ExprKind::Local(l) => locals.get(l).cloned(),
        ExprKind::SetLiteral(parts) => {
            let members: Option<Vec<Value>> = parts.iter().map(|p| constant(p, locals)).collect();
            Some(Value::Set(members?.into_iter().filter(|v| *v != Value::None).collect()))
        }
        ExprKind::Record(parts) => match e.ty.inner() {
            Type::Record(id) => {
                Some(Value::Record(*id, parts.iter().map(|p| constant(p, locals)).collect::<Option<_>>()?))
            }
            _ => None,
        },
        _ => None,
    }
}
