//! Evaluates what does not depend on the state, so that constants are constants.

use crate::model::expr::{Expr, ExprKind, LocalId, Op, Quantifier};
use crate::model::types::{Type, Types};
use crate::model::value::Value;
use std::collections::BTreeSet;

/// Replaces an expression by its value where all it depends on is known, and drops operands of
/// logical operators and branches of conditionals that no longer matter. Its parts are folded already.
pub(super) fn fold(types: &Types, mut expr: Expr) -> Expr {
    if is_constant(&expr) {
        return expr;
    }
    expr = match simplify(expr) {
        Ok(simpler) => return simpler,
        Err(same) => same,
    };
    if matches!(expr.kind, ExprKind::Local(_)) {
        return expr;
    }
    match value(types, &expr, &mut Vec::new()) {
        Some(Value::Int(n)) if !expr.ty.is_option() => {
            Expr::constant(Value::Int(n), Type::Int { lo: n, hi: n }, expr.span)
        }
        Some(value) => Expr::constant(value, expr.ty, expr.span),
        None => expr,
    }
}

/// Whether an expression is a value.
pub(super) fn is_constant(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Const(_))
}

/// The truth value of an expression, if it is a constant one.
pub(super) fn constant_bool(expr: &Expr) -> Option<bool> {
    match expr.kind {
        ExprKind::Const(Value::Bool(b)) => Some(b),
        _ => None,
    }
}

/// Drops what a constant operand decides.
fn simplify(expr: Expr) -> Result<Expr, Expr> {
    let Expr { kind, ty, span } = expr;
    match kind {
        ExprKind::Binary(op @ (Op::And | Op::Or), a, b) => {
            let absorbing = op == Op::Or;
            match (constant_bool(&a), constant_bool(&b)) {
                (Some(known), _) => Ok(if known == absorbing { *a } else { *b }),
                (_, Some(known)) => Ok(if known == absorbing { *b } else { *a }),
                _ => Err(Expr { kind: ExprKind::Binary(op, a, b), ty, span }),
            }
        }
        ExprKind::If(cond, a, b) => match constant_bool(&cond) {
            Some(true) => Ok(*a),
            Some(false) => Ok(*b),
            None => Err(Expr { kind: ExprKind::If(cond, a, b), ty, span }),
        },
        ExprKind::IsSome(e) if !e.ty.is_option() && !is_constant(&e) => Ok(Expr::bool(true, span)),
        ExprKind::Let { body, .. } if is_constant(&body) => Ok(*body),
        ExprKind::At { value, .. } if is_constant(&value) => Ok(*value),
        kind => Err(Expr { kind, ty, span }),
    }
}

/// The value of an expression whose bound names have these values; `None` if it depends on the state,
/// the step, a position or another name. The rules are those of [`ExprKind`].
fn value(types: &Types, expr: &Expr, bound: &mut Vec<(LocalId, Value)>) -> Option<Value> {
    Some(match &expr.kind {
        ExprKind::Const(v) => v.clone(),
        ExprKind::Var(_)
        | ExprKind::Next(_)
        | ExprKind::ActionLabel
        | ExprKind::LabelArg { .. }
        | ExprKind::At { .. } => return None,
        ExprKind::Local(local) => bound.iter().rev().find(|(l, _)| l == local)?.1.clone(),
        ExprKind::Let { local, value: v, body } => {
            let v = value(types, v, bound)?;
            with(types, *local, v, body, bound)?
        }
        ExprKind::Field(base, field) => match value(types, base, bound)? {
            Value::Record(_, mut fields) => fields.swap_remove(*field),
            _ => Value::None,
        },
        ExprKind::Index(map, key) => match (value(types, map, bound)?, value(types, key, bound)?) {
            (Value::Map(mut entries), key) => entries.remove(&key).unwrap_or(Value::None),
            _ => Value::None,
        },
        ExprKind::Record(fields) => match expr.ty.inner() {
            Type::Record(id) => {
                let fields: Option<Vec<Value>> = fields.iter().map(|f| value(types, f, bound)).collect();
                Value::Record(*id, fields?)
            }
            _ => return None,
        },
        ExprKind::With(base, replaced) => match value(types, base, bound)? {
            Value::Record(id, mut fields) => {
                for (field, e) in replaced {
                    fields[*field] = value(types, e, bound)?;
                }
                Value::Record(id, fields)
            }
            _ => Value::None,
        },
        ExprKind::SetLiteral(elements) => {
            let elements: Option<BTreeSet<Value>> = elements.iter().map(|e| value(types, e, bound)).collect();
            let mut elements = elements?;
            elements.remove(&Value::None);
            Value::Set(elements)
        }
        ExprKind::Filter { local, set, cond } => {
            let mut kept = BTreeSet::new();
            for member in members(value(types, set, bound)?) {
                if with(types, *local, member.clone(), cond, bound)?.is_true() {
                    kept.insert(member);
                }
            }
            Value::Set(kept)
        }
        ExprKind::MapOf { local, body } => match expr.ty.inner() {
            Type::Map(key, _) => {
                let keys = types.values(key).into_iter();
                let entries: Option<_> =
                    keys.map(|k| Some((k.clone(), with(types, *local, k, body, bound)?))).collect();
                Value::Map(entries?)
            }
            _ => return None,
        },
        ExprKind::Size(set) => match value(types, set, bound)? {
            Value::Set(members) => Value::Int(members.len() as i64),
            _ => Value::None,
        },
        ExprKind::Not(e) => Value::Bool(!value(types, e, bound)?.is_true()),
        ExprKind::Neg(e) => match value(types, e, bound)? {
            Value::Int(n) => Value::Int(n.saturating_neg()),
            _ => Value::None,
        },
        ExprKind::IsSome(e) => Value::Bool(value(types, e, bound)? != Value::None),
        ExprKind::If(cond, a, b) => {
            let branch = if value(types, cond, bound)?.is_true() { a } else { b };
            value(types, branch, bound)?
        }
        ExprKind::Quant { quantifier, local, set, body } => {
            let decisive = *quantifier == Quantifier::Exists;
            let mut result = !decisive;
            for member in members(value(types, set, bound)?) {
                result = with(types, *local, member, body, bound)?.is_true();
                if result == decisive {
                    break;
                }
            }
            Value::Bool(result)
        }
        ExprKind::Binary(op, a, b) => {
            let a = value(types, a, bound)?;
            match (op, a.is_true()) {
                (Op::And, false) => Value::Bool(false),
                (Op::Or, true) => Value::Bool(true),
                _ => apply(*op, &a, &value(types, b, bound)?),
            }
        }
    })
}

fn with(
    types: &Types,
    local: LocalId,
    v: Value,
    body: &Expr,
    bound: &mut Vec<(LocalId, Value)>,
) -> Option<Value> {
    bound.push((local, v));
    let result = value(types, body, bound);
    bound.pop();
    result
}

fn members(set: Value) -> BTreeSet<Value> {
    match set {
        Value::Set(members) => members,
        _ => BTreeSet::new(),
    }
}

/// A binary operator on values.
fn apply(op: Op, left: &Value, right: &Value) -> Value {
    use Value::{Bool, Enum, Int, Set};
    match (op, left, right) {
        (Op::And, _, _) => Bool(left.is_true() && right.is_true()),
        (Op::Or, _, _) => Bool(left.is_true() || right.is_true()),
        (Op::Eq, _, _) => Bool(left == right),
        (Op::Lt, Int(a), Int(b)) => Bool(a < b),
        (Op::Le, Int(a), Int(b)) => Bool(a <= b),
        (Op::Lt, Enum(_, a), Enum(_, b)) => Bool(a < b),
        (Op::Le, Enum(_, a), Enum(_, b)) => Bool(a <= b),
        (Op::In, element, Set(members)) => Bool(*element != Value::None && members.contains(element)),
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
        (Op::Div, Int(a), Int(b)) if *b > 0 => Int(a.div_euclid(*b)),
        (Op::Mod, Int(a), Int(b)) if *b > 0 => Int(a.rem_euclid(*b)),
        _ => Value::None,
    }
}
