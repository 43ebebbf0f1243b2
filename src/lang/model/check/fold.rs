//! Constant folding: evaluates expressions that do not depend on the state.

use crate::model::eval::{ConstantWatch, Scope};
use crate::model::expr::{Expr, ExprKind, Op};
use crate::model::types::{Type, Types};
use crate::model::value::Value;
use kit::budget::{Budget, Exhausted};
use std::cell::Cell;

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

impl Default for Folder {
    fn default() -> Self {
        Self::new(Budget::default())
    }
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
        match self.value(types, &expr) {
            Some(Value::Int(n)) if !expr.ty.is_option() => {
                Expr::constant(Value::Int(n), Type::Int { lo: n, hi: n }, expr.span)
            }
            Some(value) => Expr::constant(value, expr.ty, expr.span),
            None => expr,
        }
    }

    fn value(&self, types: &Types, expr: &Expr) -> Option<Value> {
        let evaluation = Evaluation { folder: self, steps_left: Cell::new(Some(MAX_STEPS)) };
        Scope::constant(types, &evaluation, expr)
    }
}

/// Returns the value of an expression that depends on no state, step or name; `None` for others, and after a million evaluation steps.
pub fn constant_value(types: &Types, expr: &Expr) -> Option<Value> {
    Folder::default().value(types, expr)
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

/// The evaluation of one expression.
#[derive(Debug)]
struct Evaluation<'f> {
    folder: &'f Folder,
    /// The number of steps left before evaluation is abandoned; `None` once it is.
    steps_left: Cell<Option<u32>>,
}

impl ConstantWatch for Evaluation<'_> {
    fn count(&self) -> bool {
        let left = self.steps_left.get().and_then(|left| left.checked_sub(1));
        self.steps_left.set(left.filter(|_| self.folder.count().is_none()));
        self.goes_on()
    }

    fn goes_on(&self) -> bool {
        self.steps_left.get().is_some()
    }

    fn stop(&self) {
        self.steps_left.set(None);
    }
}
