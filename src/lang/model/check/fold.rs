//! Constant folding: evaluates expressions that do not depend on the state.

use crate::model::eval::{folded, operator_value};
use crate::model::expr::{Expr, ExprKind, LocalId, Op, Quantifier};
use crate::model::types::{Type, Types};
use crate::model::value::Value;
use kit::budget::{Budget, Exhausted};
use std::cell::Cell;
use std::collections::BTreeSet;

/// The maximum number of evaluation steps for one expression; longer evaluations are left to the engines.
const MAX_STEPS: u32 = 1_000_000;

/// The number of expressions evaluated between two checks of the budget.
const POLL_INTERVAL: u32 = 4096;

/// The number of expressions evaluated before the first check, which takes a few hundredths of a second: an ordinary
/// model is loaded even without any time, so that the analysis can report what is undecided.
const FIRST_POLL: u32 = 200_000;

/// Evaluates constant expressions within a budget.
#[derive(Debug)]
pub(super) struct Folder {
    budget: Budget,
    /// The number of expressions left before the budget is checked.
    until_poll: Cell<u32>,
    exhausted: Cell<Option<Exhausted>>,
}

impl Folder {
    pub(super) fn new(budget: Budget) -> Self {
        Self { budget, until_poll: Cell::new(FIRST_POLL), exhausted: Cell::new(None) }
    }

    /// Counts one expression, evaluated or elaborated; returns the reason if work must stop.
    pub(super) fn count(&self) -> Option<Exhausted> {
        match self.until_poll.get().checked_sub(1) {
            Some(left) => self.until_poll.set(left),
            None => {
                self.until_poll.set(POLL_INTERVAL);
                self.exhausted.set(self.exhausted.get().or_else(|| self.budget.exhausted()));
            }
        }
        self.exhausted.get()
    }

    /// The reason why work had to stop, if it had to.
    pub(super) fn exhausted(&self) -> Option<Exhausted> {
        self.exhausted.get()
    }

    /// Replaces an expression by its value if everything it depends on is known, and drops irrelevant
    /// operands of logical operators and branches of conditionals. Its operands must be folded already.
    pub(super) fn fold(&self, types: &Types, mut expr: Expr) -> Expr {
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
        let mut evaluation = Evaluation { folder: self, types, bound: Vec::new(), steps_left: MAX_STEPS };
        match evaluation.value(&expr) {
            Some(Value::Int(n)) if !expr.ty.is_option() => {
                Expr::constant(Value::Int(n), Type::Int { lo: n, hi: n }, expr.span)
            }
            Some(value) => Expr::constant(value, expr.ty, expr.span),
            None => expr,
        }
    }
}

/// True if an expression is a value.
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

/// Simplifies an operator with a constant operand; `Err` returns the expression unchanged.
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

/// Evaluates expressions for given values of bound names. The result is `None` if it depends on the state,
/// the step, a position or another name. The rules are those of [`ExprKind`].
struct Evaluation<'t> {
    folder: &'t Folder,
    types: &'t Types,
    bound: Vec<(LocalId, Value)>,
    /// The number of steps left before evaluation is abandoned.
    steps_left: u32,
}

impl Evaluation<'_> {
    fn value(&mut self, expr: &Expr) -> Option<Value> {
        self.steps_left = self.steps_left.checked_sub(1)?;
        if self.folder.count().is_some() {
            return None;
        }
        Some(match &expr.kind {
            ExprKind::Const(v) => v.clone(),
            ExprKind::Var(_)
            | ExprKind::Next(_)
            | ExprKind::ActionLabel
            | ExprKind::LabelArg { .. }
            | ExprKind::At { .. }
            | ExprKind::Previous(_)
            | ExprKind::Never { .. } => return None,
            ExprKind::Local(local) => self.bound.iter().rev().find(|(l, _)| l == local)?.1.clone(),
            ExprKind::Let { bindings, body } => {
                let outer = self.bound.len();
                let value = bindings.iter().try_for_each(|(local, value)| {
                    let value = self.value(value)?;
                    self.bound.push((*local, value));
                    Some(())
                });
                let value = value.and_then(|()| self.value(body));
                self.bound.truncate(outer);
                value?
            }
            ExprKind::Field(base, field) => match self.value(base)? {
                Value::Record(_, mut fields) => fields.swap_remove(*field),
                _ => Value::None,
            },
            ExprKind::Index(map, key) => match (self.value(map)?, self.value(key)?) {
                (Value::Map(mut entries), key) => entries.remove(&key).unwrap_or(Value::None),
                _ => Value::None,
            },
            ExprKind::Record(_)
            | ExprKind::With(..)
            | ExprKind::SetLiteral(_)
            | ExprKind::Filter { .. }
            | ExprKind::MapOf { .. } => self.aggregate(expr)?,
            ExprKind::Size(set) => match self.value(set)? {
                Value::Set(members) => Value::Int(members.len() as i64),
                _ => Value::None,
            },
            ExprKind::Not(e) => Value::Bool(!self.value(e)?.is_true()),
            ExprKind::Neg(e) => match self.value(e)? {
                Value::Int(n) => Value::Int(n.saturating_neg()),
                _ => Value::None,
            },
            ExprKind::IsSome(e) => Value::Bool(self.value(e)? != Value::None),
            ExprKind::If(cond, a, b) => {
                let branch = if self.value(cond)?.is_true() { a } else { b };
                self.value(branch)?
            }
            ExprKind::Quant { quantifier, local, set, body } => {
                let decisive = *quantifier == Quantifier::Exists;
                let mut result = !decisive;
                for member in members(self.value(set)?) {
                    result = self.with(*local, member, body)?.is_true();
                    if result == decisive {
                        break;
                    }
                }
                Value::Bool(result)
            }
            ExprKind::Fold { fold, local, set, body } => {
                let members = members(self.value(set)?).into_iter();
                let values: Option<Vec<Value>> = members.map(|m| self.with(*local, m, body)).collect();
                folded(*fold, values?.into_iter())
            }
            ExprKind::Binary(op, a, b) => {
                let a = self.value(a)?;
                match (op, a.is_true()) {
                    (Op::And, false) => Value::Bool(false),
                    (Op::Or, true) => Value::Bool(true),
                    _ => operator_value(*op, &a, &self.value(b)?),
                }
            }
        })
    }

    /// Evaluates the forms that build a record, set or map.
    fn aggregate(&mut self, expr: &Expr) -> Option<Value> {
        Some(match &expr.kind {
            ExprKind::Record(fields) => match expr.ty.inner() {
                Type::Record(id) => {
                    let fields: Option<Vec<Value>> = fields.iter().map(|f| self.value(f)).collect();
                    Value::Record(*id, fields?)
                }
                _ => return None,
            },
            ExprKind::With(base, replaced) => match self.value(base)? {
                Value::Record(id, mut fields) => {
                    for (field, e) in replaced {
                        fields[*field] = self.value(e)?;
                    }
                    Value::Record(id, fields)
                }
                _ => Value::None,
            },
            ExprKind::SetLiteral(elements) => {
                let elements: Option<BTreeSet<Value>> = elements.iter().map(|e| self.value(e)).collect();
                let mut elements = elements?;
                elements.remove(&Value::None);
                Value::Set(elements)
            }
            ExprKind::Filter { local, set, cond } => {
                let mut kept = BTreeSet::new();
                for member in members(self.value(set)?) {
                    if self.with(*local, member.clone(), cond)?.is_true() {
                        kept.insert(member);
                    }
                }
                Value::Set(kept)
            }
            ExprKind::MapOf { local, body } => match expr.ty.inner() {
                Type::Map(key, _) => {
                    let keys = self.types.values(key).into_iter();
                    let entries: Option<_> =
                        keys.map(|k| Some((k.clone(), self.with(*local, k, body)?))).collect();
                    Value::Map(entries?)
                }
                _ => return None,
            },
            other => unreachable!("not an aggregate: {other:?}"),
        })
    }

    fn with(&mut self, local: LocalId, value: Value, body: &Expr) -> Option<Value> {
        self.bound.push((local, value));
        let result = self.value(body);
        self.bound.pop();
        result
    }
}

fn members(set: Value) -> BTreeSet<Value> {
    match set {
        Value::Set(members) => members,
        _ => BTreeSet::new(),
    }
}
