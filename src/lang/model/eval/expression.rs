//! Evaluation of expressions in a scope.

use super::{ConstantWatch, Scope};
use crate::model::expr::{Expr, ExprKind, Fold, Op, Quantifier};
use crate::model::types::Type;
use crate::model::value::Value;
use kit::number::{to_i64, to_u32};
use std::borrow::Cow;
use std::collections::BTreeSet;

static NONE: Value = Value::None;

/// The value of `expr` in `scope`. No operator is partial; see [`ExprKind`] for what `none` does. In
/// addition, a key outside its map, a position outside the trace and a division by zero
/// give `none`; `Size` and set operators of `none` give `none`; a quantifier or filter over `none` has
/// no elements; arithmetic saturates at the bounds of 64-bit integers.
pub(super) fn look<'a>(scope: &Scope<'a>, expr: &'a Expr) -> Cow<'a, Value> {
    if let Some(watch) = scope.watch
        && !may_be_constant(scope, watch, expr)
    {
        return Cow::Borrowed(&NONE);
    }
    match &expr.kind {
        ExprKind::Const(value) => Cow::Borrowed(value),
        ExprKind::Var(var) => {
            Cow::Borrowed(&scope.state.expect("a variable is read where there is a state").0[var.0 as usize])
        }
        ExprKind::Next(var) => {
            Cow::Borrowed(&scope.next.expect("x' is read where there is a step").0[var.0 as usize])
        }
        ExprKind::Local(local) => Cow::Borrowed(scope.local(*local)),
        ExprKind::LabelArg { action, param } => match scope.label {
            Some(label) if label.action == *action => Cow::Borrowed(&label.args[*param]),
            _ => Cow::Borrowed(&NONE),
        },
        ExprKind::At { value, at } => match moment_at(scope, scope.local(*at)) {
            Some(inner) => look(&inner, value),
            None => Cow::Borrowed(&NONE),
        },
        ExprKind::Previous(value) => {
            let before = scope.at.filter(|_| scope.label.is_some()).and_then(|at| at.checked_sub(1));
            match before.and_then(|before| moment(scope, before)) {
                Some(before) => look(&before, value),
                None => Cow::Borrowed(&NONE),
            }
        }
        ExprKind::Field(base, field) => match look(scope, base) {
            Cow::Borrowed(Value::Record(_, fields)) => Cow::Borrowed(&fields[*field]),
            Cow::Owned(Value::Record(_, mut fields)) => Cow::Owned(fields.swap_remove(*field)),
            _ => Cow::Borrowed(&NONE),
        },
        ExprKind::Index(map, key) => {
            let key = look(scope, key);
            match look(scope, map) {
                Cow::Borrowed(Value::Map(entries)) => Cow::Borrowed(entries.get(&key).unwrap_or(&NONE)),
                Cow::Owned(Value::Map(mut entries)) => {
                    Cow::Owned(entries.remove(&key).unwrap_or(Value::None))
                }
                _ => Cow::Borrowed(&NONE),
            }
        }
        ExprKind::If(cond, then, otherwise) => look(scope, if scope.holds(cond) { then } else { otherwise }),
        ExprKind::Binary(Op::Otherwise, left, right) => match look(scope, left) {
            value if *value == Value::None => look(scope, right),
            value => value,
        },
        _ => Cow::Owned(compute(scope, expr)),
    }
}

/// Ends the evaluation of what must be a constant if an expression is none.
fn may_be_constant(scope: &Scope<'_>, watch: &dyn ConstantWatch, expr: &Expr) -> bool {
    let is_read = match &expr.kind {
        ExprKind::Var(_) | ExprKind::Next(_) | ExprKind::ActionLabel | ExprKind::LabelArg { .. } => true,
        ExprKind::At { .. } | ExprKind::Previous(_) | ExprKind::Never { .. } => true,
        ExprKind::Local(local) => scope.known_local(*local).is_none(),
        _ => false,
    };
    if is_read {
        watch.stop();
    }
    watch.count()
}

/// Evaluates the forms whose value cannot be borrowed.
fn compute<'a>(scope: &Scope<'a>, expr: &'a Expr) -> Value {
    match &expr.kind {
        ExprKind::ActionLabel => match scope.label {
            Some(label) => Value::Enum(scope.action_enum, to_u32(label.action)),
            None => Value::None,
        },
        ExprKind::Let { bindings, body } => scope.look_let(bindings, body),
        ExprKind::Never { value, after, before } => {
            let from =
                after.map_or(Some(0), |after| index(scope.local(after)).map(|at| at.saturating_add(1)));
            let end = index(scope.local(*before)).unwrap_or(0).min(scope.trace.len());
            let mut between = (from.unwrap_or(end)..end).filter_map(|at| moment(scope, at));
            Value::Bool(!between.any(|there| there.holds(value)))
        }
        ExprKind::Record(fields) => match expr.ty.inner() {
            Type::Record(id) => Value::Record(*id, fields.iter().map(|f| scope.value(f)).collect()),
            other => panic!("a record of type {other:?}"),
        },
        ExprKind::With(base, replaced) => match scope.value(base) {
            Value::Record(id, mut fields) => {
                for (field, value) in replaced {
                    fields[*field] = scope.value(value);
                }
                Value::Record(id, fields)
            }
            _ => Value::None,
        },
        ExprKind::SetLiteral(elements) => {
            let elements = elements.iter().map(|e| scope.value(e));
            Value::Set(elements.filter(|v| *v != Value::None).collect())
        }
        ExprKind::Filter { local, set, cond } => {
            let members = look(scope, set);
            let kept = members_of(&members).filter(|m| scope.look_with(*local, m, cond).is_true());
            Value::Set(kept.cloned().collect())
        }
        ExprKind::MapOf { local, body } => match expr.ty.inner() {
            Type::Map(key, _) => {
                let keys = scope.types.values(key).into_iter();
                Value::Map(
                    keys.map(|key| {
                        let value = scope.look_with(*local, &key, body);
                        (key, value)
                    })
                    .collect(),
                )
            }
            other => panic!("a map of type {other:?}"),
        },
        ExprKind::Size(set) => match &*look(scope, set) {
            Value::Set(members) => Value::Int(to_i64(members.len())),
            _ => Value::None,
        },
        ExprKind::Not(operand) => Value::Bool(!scope.holds(operand)),
        ExprKind::Neg(operand) => match &*look(scope, operand) {
            Value::Int(n) => Value::Int(n.saturating_neg()),
            _ => Value::None,
        },
        ExprKind::IsSome(operand) => Value::Bool(*look(scope, operand) != Value::None),
        ExprKind::Quant { quantifier, local, set, body } => {
            let members = look(scope, set);
            let mut bodies = members_of(&members).map(|m| scope.look_with(*local, m, body).is_true());
            Value::Bool(match quantifier {
                Quantifier::Forall => bodies.all(|b| b),
                Quantifier::Exists => bodies.any(|b| b),
            })
        }
        ExprKind::Fold { fold, local, set, body } => {
            let members = look(scope, set);
            folded(*fold, members_of(&members).map(|m| scope.look_with(*local, m, body)))
        }
        ExprKind::Binary(Op::And, left, right) => Value::Bool(scope.holds(left) && scope.holds(right)),
        ExprKind::Binary(Op::Or, left, right) => Value::Bool(scope.holds(left) || scope.holds(right)),
        ExprKind::Binary(op, left, right) => apply(*op, &look(scope, left), &look(scope, right)),
        other => unreachable!("handled where values can be borrowed: {other:?}"),
    }
}

/// Applies a binary operator to the values of its operands.
pub fn apply(op: Op, left: &Value, right: &Value) -> Value {
    use Value::{Bool, Enum, Int, Set};
    match (op, left, right) {
        (Op::And, _, _) => Bool(left.is_true() && right.is_true()),
        (Op::Or, _, _) => Bool(left.is_true() || right.is_true()),
        (Op::Eq, _, _) => {
            debug_assert!(
                !matches!((left, right), (Value::Record(a, _), Value::Record(b, _)) if a != b),
                "values in different forms"
            );
            Bool(left == right)
        }
        (Op::Lt, Int(a), Int(b)) => Bool(a < b),
        (Op::Le, Int(a), Int(b)) => Bool(a <= b),
        (Op::Lt, Enum(_, a), Enum(_, b)) => Bool(a < b),
        (Op::Le, Enum(_, a), Enum(_, b)) => Bool(a <= b),
        (Op::In, _, Set(members)) => Bool(*left != Value::None && members.contains(left)),
        (Op::Subset, Set(a), Set(b)) => Bool(a.is_subset(b)),
        (Op::Lt | Op::Le | Op::In | Op::Subset, _, _) => Bool(false),
        (Op::Otherwise, Value::None, _) => right.clone(),
        (Op::Otherwise, _, _) => left.clone(),
        (Op::Union, Set(a), Set(b)) => Set(a | b),
        (Op::Intersect, Set(a), Set(b)) => Set(a & b),
        (Op::Minus, Set(a), Set(b)) => Set(a - b),
        (Op::Add, Int(a), Int(b)) => Int(a.saturating_add(*b)),
        (Op::Sub, Int(a), Int(b)) => Int(a.saturating_sub(*b)),
        (Op::Mul, Int(a), Int(b)) => Int(a.saturating_mul(*b)),
        (Op::Div, Int(a), Int(b)) => a.checked_div_euclid(*b).map_or(Value::None, Int),
        (Op::Mod, Int(a), Int(b)) => a.checked_rem_euclid(*b).map_or(Value::None, Int),
        (Op::Union | Op::Intersect | Op::Minus | Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod, _, _) => {
            Value::None
        }
    }
}

/// The result of a fold of the values for all members.
pub fn folded(fold: Fold, values: impl Iterator<Item = Value>) -> Value {
    let least = match fold {
        Fold::Sum => {
            return values.fold(Value::Int(0), |sum, value| apply(Op::Add, &sum, &value));
        }
        Fold::Least => values.filter(|value| *value != Value::None).min(),
        Fold::Greatest => values.max(),
    };
    least.unwrap_or(Value::None)
}

/// The scope of the moment at a position; `None` if the position is outside the trace.
fn moment_at<'a>(scope: &Scope<'a>, position: &Value) -> Option<Scope<'a>> {
    moment(scope, index(position)?)
}

/// The index in the trace that a position is; `None` if it is before the first one.
fn index(position: &Value) -> Option<usize> {
    let Value::Int(at) = position else { return None };
    usize::try_from(*at).ok()
}

/// The scope of the moment with an index in the trace, if there is one.
fn moment<'a>(scope: &Scope<'a>, at: usize) -> Option<Scope<'a>> {
    let moment = scope.trace.get(at)?;
    Some(Scope { at: Some(at), ..scope.with_moment(moment) })
}

/// The members of a set; `none` has none.
fn members_of(value: &Value) -> impl Iterator<Item = &Value> {
    static EMPTY: BTreeSet<Value> = BTreeSet::new();
    match value {
        Value::Set(members) => members.iter(),
        _ => EMPTY.iter(),
    }
}
