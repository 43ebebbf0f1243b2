//! The condition under which a step breaks the property: the weakest precondition of its negation, simplified under what holds
//! before a first violation.

use crate::facts::problem::Problem;
use kit::diagnostics::Span;
use lang::model::eval::{Scope, arguments};
use lang::model::expr::{Expr, ExprKind, Op, VarId};
use lang::model::types::{Type, Types};
use lang::model::value::Value;
use lang::model::{Action, PathStep, UpdateValue, constant_value};
use lang::trace::Trace;
use std::cell::Cell;

/// The most expressions that are replaced by their new values for one condition. Assignments to places with assigned keys multiply.
const LARGEST: usize = 2_000;

/// The conjuncts of the condition under which steps of an action break the property, over its parameters: none if every step does.
/// `None` where the action leaves a value open, where a bound name stands for a place that it assigns, and if the condition is too large to be read.
pub fn breaking_condition(problem: Problem<'_>, action: usize) -> Option<Vec<Expr>> {
    let action = &problem.model.actions[action];
    let after = AssignmentRewriter { action, left: Cell::new(LARGEST) }.new_value(problem.invariant)?;
    let mut known = TruthAssumptions::new(&problem.model.types);
    known.assume(problem.invariant.clone(), true);
    for guard in action.requires.iter().flat_map(Expr::split_conjuncts) {
        known.assume(guard, true);
    }
    Some(known.conjuncts(after, false))
}

/// A case of a condition: conjuncts that imply it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ConditionCase {
    /// The conjuncts.
    pub parts: Vec<Expr>,
    /// True if they are the whole condition, and no other case is left out.
    pub is_whole: bool,
}

/// The case of a condition that the last step of a trace meets: of alternatives the first that holds, of conditional values the branch that is taken.
pub fn case_of(condition: &[Expr], problem: Problem<'_>, trace: &Trace) -> ConditionCase {
    let Some(label) = trace.labels().next_back() else { return ConditionCase::default() };
    let locals = arguments(&problem.model.actions[label.action], &label.args);
    let state = &trace.moments[trace.len() - 1].state;
    let scope = Scope::new(problem.model).with_state(state).with_locals(&locals);
    let mut parts = Vec::new();
    condition.iter().for_each(|part| add_case(part, true, &scope, &mut parts));
    let is_whole = parts == condition;
    // Branches that are taken leave less to say: `(if c then n + 1 else n) > 1` is `n > 0`.
    let nothing_else = TruthAssumptions::new(&problem.model.types);
    parts = parts.iter().map(|part| nothing_else.simplified(part)).filter(|part| !is(part, true)).collect();
    let mut known: Vec<Expr> = Vec::new();
    let plain: Vec<Expr> = parts.iter().map(Expr::without_places).collect();
    let implied = |part: &Expr| {
        equal_to_constant(part).is_none() && plain.iter().any(|other| truth_given(other, part) == Some(true))
    };
    parts.retain(|part: &Expr| {
        let part = part.without_places();
        let is_new = !known.contains(&part) && !implied(&part);
        known.push(part);
        is_new
    });
    ConditionCase { parts: without_equality(parts), is_whole }
}

/// Replaces `a <= b` and `a != b` by `a < b`.
fn without_equality(mut parts: Vec<Expr>) -> Vec<Expr> {
    let sides = |expr: &Expr| match &expr.kind {
        ExprKind::Binary(_, a, b) => Some([a.without_places().kind, b.without_places().kind]),
        _ => None,
    };
    let differs = |expr: &Expr| match &expr.kind {
        ExprKind::Not(inner) if matches!(inner.kind, ExprKind::Binary(Op::Eq, ..)) => sides(inner),
        _ => None,
    };
    for at in 0..parts.len() {
        let Some([a, b]) =
            sides(&parts[at]).filter(|_| matches!(parts[at].kind, ExprKind::Binary(Op::Le, ..)))
        else {
            continue;
        };
        let orders = [[a.clone(), b.clone()], [b, a]];
        let Some(other) =
            parts.iter().position(|part| differs(part).is_some_and(|sides| orders.contains(&sides)))
        else {
            continue;
        };
        if let ExprKind::Binary(op, ..) = &mut parts[at].kind {
            *op = Op::Lt;
        }
        parts.remove(other);
        return without_equality(parts);
    }
    parts
}

/// Returns the truth value of a comparison of an expression under the equality of that with a constant.
fn truth_given(equality: &Expr, expr: &Expr) -> Option<bool> {
    let (x, constant) = equal_to_constant(equality)?;
    match &expr.kind {
        ExprKind::Not(inner) => truth_given(equality, inner).map(|value| !value),
        ExprKind::Binary(op @ (Op::Lt | Op::Le), a, b) => {
            let number = |side: &Expr| match (&side.kind, constant) {
                (ExprKind::Const(Value::Int(number)), _) => Some(*number),
                (kind, Value::Int(number)) if *kind == x.kind => Some(*number),
                _ => None,
            };
            let (a, b) = (number(a)?, number(b)?);
            Some(if *op == Op::Lt { a < b } else { a <= b })
        }
        _ => {
            let (y, other) = equal_to_constant(expr)?;
            (x.kind == y.kind).then_some(constant == other)
        }
    }
}

/// Returns the expression that is compared in an equality with a constant, and the constant.
fn equal_to_constant(expr: &Expr) -> Option<(&Expr, &Value)> {
    let ExprKind::Binary(Op::Eq, a, b) = &expr.kind else { return None };
    match (&a.kind, &b.kind) {
        (_, ExprKind::Const(value)) => Some((a, value)),
        (ExprKind::Const(value), _) => Some((b, value)),
        _ => None,
    }
}

/// Adds the parts by which an expression has its truth value.
fn add_case<'e>(expr: &'e Expr, value: bool, scope: &Scope<'e>, parts: &mut Vec<Expr>) {
    match &expr.kind {
        ExprKind::Not(inner) => add_case(inner, !value, scope, parts),
        ExprKind::Binary(op @ (Op::And | Op::Or), a, b) => {
            if (*op == Op::And) == value {
                add_case(a, value, scope, parts);
                add_case(b, value, scope, parts);
            } else if scope.holds(a) == value {
                add_case(a, value, scope, parts);
            } else {
                add_case(b, value, scope, parts);
            }
        }
        ExprKind::If(c, a, b) if expr.ty == Type::Bool => {
            let holds = scope.holds(c);
            add_case(c, holds, scope, parts);
            add_case(if holds { a } else { b }, value, scope, parts);
        }
        _ => {
            let taken = taken(expr, scope, parts);
            split(taken, value, parts);
        }
    }
}

/// The expression with the branches that conditional values take; their conditions are added.
fn taken<'e>(expr: &'e Expr, scope: &Scope<'e>, parts: &mut Vec<Expr>) -> Expr {
    match &expr.kind {
        ExprKind::If(c, a, b) => {
            let holds = scope.holds(c);
            add_case(c, holds, scope, parts);
            taken(if holds { a } else { b }, scope, parts)
        }
        // Names that are bound here have no values.
        ExprKind::Quant { .. }
        | ExprKind::Fold { .. }
        | ExprKind::Filter { .. }
        | ExprKind::MapOf { .. }
        | ExprKind::Let { .. } => expr.clone(),
        _ => {
            let mut children = expr.children().into_iter();
            let mut changed = expr.clone();
            changed.for_each_child(&mut |child| {
                let original = children.next().expect("as many");
                *child = taken(original, scope, parts);
            });
            changed
        }
    }
}

/// True if an expression reads a variable that an action assigns.
pub(crate) fn reads_assigned(expr: &Expr, action: &Action) -> bool {
    let is_assigned =
        |var: VarId| action.modifies.contains(&var) || action.updates.iter().any(|update| update.var == var);
    let mut reads = false;
    expr.walk(&mut |e| {
        if let ExprKind::Var(var) = e.kind {
            reads |= is_assigned(var);
        }
    });
    reads
}

struct AssignmentRewriter<'a> {
    action: &'a Action,
    /// The number of expressions that may still be replaced.
    left: Cell<usize>,
}

impl AssignmentRewriter<'_> {
    /// The expression with new values for old ones.
    fn new_value(&self, expr: &Expr) -> Option<Expr> {
        self.left.set(self.left.get().checked_sub(1)?);
        let binds = matches!(
            expr.kind,
            ExprKind::Quant { .. }
                | ExprKind::Fold { .. }
                | ExprKind::Filter { .. }
                | ExprKind::MapOf { .. }
                | ExprKind::Let { .. }
        );
        if let Some((var, keys)) = place(expr) {
            return self.new_place(expr, var, &keys);
        }
        if binds {
            return (!reads_assigned(expr, self.action)).then(|| expr.clone());
        }
        expr.with_children(&mut |child| self.new_value(child))
    }

    /// The old value of a place, at the new values of its keys.
    fn with_new_keys(&self, place: &Expr) -> Option<Expr> {
        let mut changed = place.clone();
        match &mut changed.kind {
            ExprKind::Index(of, key) => {
                **of = self.with_new_keys(of)?;
                **key = self.new_value(key)?;
            }
            ExprKind::Field(of, _) => **of = self.with_new_keys(of)?,
            _ => {}
        }
        Some(changed)
    }

    /// The new value of a place, from the assignments to it, one after the other.
    fn new_place(&self, expr: &Expr, var: VarId, keys: &[PlaceKey<'_>]) -> Option<Expr> {
        if self.action.modifies.contains(&var) {
            return None;
        }
        let mut value = self.with_new_keys(expr)?;
        for update in self.action.updates.iter().filter(|update| update.var == var) {
            let UpdateValue::Is(assigned) = &update.value else { return None };
            if update.path.len() > keys.len() {
                return None;
            }
            let mut when: Vec<Expr> = update.guard.iter().cloned().collect();
            let mut meets = true;
            for (step, key) in update.path.iter().zip(keys) {
                match (step, key) {
                    (PathStep::Field(a), PlaceKey::Field(b)) => meets &= a == b,
                    (PathStep::Index(a), PlaceKey::Index(b)) => {
                        let b = self.new_value(b)?;
                        when.push(Expr::binary_bool(Op::Eq, a.clone(), b));
                    }
                    _ => return None,
                }
            }
            if !meets {
                continue;
            }
            let mut new = assigned.clone();
            for key in &keys[update.path.len()..] {
                new = key.of(new, self)?;
            }
            let (ty, span) = (expr.ty.clone(), expr.span);
            value = match Expr::all(when, span) {
                Expr { kind: ExprKind::Const(Value::Bool(true)), .. } => new,
                when => Expr { kind: ExprKind::If(Box::new(when), Box::new(new), Box::new(value)), ty, span },
            };
        }
        Some(value)
    }
}

/// A step into a place.
enum PlaceKey<'e> {
    Index(&'e Expr),
    Field(usize),
}

impl PlaceKey<'_> {
    fn of(&self, whole: Expr, assigned: &AssignmentRewriter<'_>) -> Option<Expr> {
        let span = whole.span;
        let ty = match (self, whole.ty.inner()) {
            (PlaceKey::Index(_), Type::Map(_, value)) => (**value).clone(),
            _ => return None,
        };
        let PlaceKey::Index(key) = self else { return None };
        let key = assigned.new_value(key)?;
        Some(Expr { kind: ExprKind::Index(Box::new(whole), Box::new(key)), ty, span })
    }
}

/// The variable and the steps of an expression that reads a place.
fn place(expr: &Expr) -> Option<(VarId, Vec<PlaceKey<'_>>)> {
    match &expr.kind {
        ExprKind::Var(var) => Some((*var, Vec::new())),
        ExprKind::Index(of, key) => {
            let (var, mut keys) = place(of)?;
            keys.push(PlaceKey::Index(key));
            Some((var, keys))
        }
        ExprKind::Field(of, field) => {
            let (var, mut keys) = place(of)?;
            keys.push(PlaceKey::Field(*field));
            Some((var, keys))
        }
        _ => None,
    }
}

/// Expressions with known truth values.
#[derive(Debug)]
struct TruthAssumptions<'a> {
    types: &'a Types,
    true_ones: Vec<Expr>,
    false_ones: Vec<Expr>,
    /// Disjunctions, of which one part at least is true.
    clauses: Vec<Vec<(Expr, bool)>>,
}

impl<'a> TruthAssumptions<'a> {
    fn new(types: &'a Types) -> Self {
        Self { types, true_ones: Vec::new(), false_ones: Vec::new(), clauses: Vec::new() }
    }

    /// From now on, the expression has this value.
    fn assume(&mut self, expr: Expr, value: bool) {
        let expr = expr.without_places();
        match expr.kind {
            ExprKind::Not(inner) => self.assume(*inner, !value),
            ExprKind::Binary(op @ (Op::And | Op::Or), a, b) => {
                if (op == Op::And) == value {
                    self.assume(*a, value);
                    self.assume(*b, value);
                } else {
                    self.clauses.push(vec![(*a, value), (*b, value)]);
                }
            }
            _ => match value {
                true => self.true_ones.push(expr),
                false => self.false_ones.push(expr),
            },
        }
    }

    fn value(&self, expr: &Expr) -> Option<bool> {
        let expr = expr.without_places();
        if self.true_ones.contains(&expr) {
            Some(true)
        } else if self.false_ones.contains(&expr) {
            Some(false)
        } else {
            self.true_ones.iter().find_map(|known| truth_given(known, &expr))
        }
    }

    /// Unit propagation: of a clause of which all parts but one are known to be false, the last one is true.
    fn propagate(&mut self) {
        loop {
            let mut found = None;
            for (number, clause) in self.clauses.iter().enumerate() {
                let open: Vec<&(Expr, bool)> =
                    clause.iter().filter(|(part, value)| self.truth(part) != Some(!value)).collect();
                if let [only] = open.as_slice()
                    && self.truth(&only.0).is_none()
                {
                    found = Some((number, (*only).clone()));
                    break;
                }
            }
            let Some((number, (part, value))) = found else { return };
            self.clauses.swap_remove(number);
            self.assume(part, value);
        }
    }

    /// The truth of an expression, as far as it follows from its parts.
    fn truth(&self, expr: &Expr) -> Option<bool> {
        match &self.simplified(expr).kind {
            ExprKind::Const(Value::Bool(value)) => Some(*value),
            _ => None,
        }
    }

    /// The conjuncts under which an expression has this value, without those that are known.
    fn conjuncts(&mut self, expr: Expr, value: bool) -> Vec<Expr> {
        self.propagate();
        let mut open = Vec::new();
        split(self.simplified(&expr), value, &mut open);
        // Each part is known to the others.
        let mut kept: Vec<Expr> = Vec::new();
        loop {
            let before = (open.clone(), kept.len());
            let mut next = Vec::new();
            for part in std::mem::take(&mut open) {
                let part = self.simplified(&part);
                if self.truth(&part) == Some(true) {
                    continue;
                }
                let is_choice = matches!(part.kind, ExprKind::Binary(Op::Or, ..) | ExprKind::If(..));
                if is_choice {
                    split(part, true, &mut next);
                } else {
                    self.assume(part.clone(), true);
                    kept.push(part);
                }
            }
            self.propagate();
            open = next;
            if open.is_empty() || (before.0 == open && before.1 == kept.len()) {
                kept.extend(open);
                return kept;
            }
        }
    }

    /// An expression that is no longer, with the same value under everything known.
    fn simplified(&self, expr: &Expr) -> Expr {
        self.simplify(expr.clone())
    }

    /// Simplifies an expression, operands first.
    fn simplify(&self, mut expr: Expr) -> Expr {
        expr.for_each_child(&mut |child| {
            let whole = std::mem::replace(child, Expr::bool(true, Span::default()));
            *child = self.simplify(whole);
        });
        let (span, ty) = (expr.span, expr.ty.clone());
        let bool = |value| Expr::bool(value, span);
        if expr.ty == Type::Bool
            && let Some(value) = self.value(&expr).or_else(|| self.constant(&expr))
        {
            return bool(value);
        }
        match expr.kind {
            ExprKind::Not(inner) => match inner.kind {
                ExprKind::Const(Value::Bool(value)) => bool(!value),
                ExprKind::Not(inner) => *inner,
                _ => Expr { kind: ExprKind::Not(inner), ty, span },
            },
            ExprKind::IsSome(of) if !of.ty.is_option() => bool(true),
            ExprKind::If(c, a, b) => match &c.kind {
                ExprKind::Const(Value::Bool(true)) => *a,
                ExprKind::Const(Value::Bool(false)) => *b,
                _ if ty == Type::Bool => {
                    let (not_c, c) = ((*c).clone().negated(), *c);
                    let left = Expr::binary_bool(Op::And, c, *a);
                    let right = Expr::binary_bool(Op::And, not_c, *b);
                    self.choice(left, right)
                }
                _ => Expr { kind: ExprKind::If(c, a, b), ty, span },
            },
            ExprKind::Binary(op, a, b) => self.operation(op, *a, *b, ty, span),
            kind => Expr { kind, ty, span },
        }
    }

    /// The truth value of an expression that depends on nothing.
    fn constant(&self, expr: &Expr) -> Option<bool> {
        match constant_value(self.types, expr)? {
            Value::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// `x or (not x and y)` is `x or y`.
    fn choice(&self, left: Expr, right: Expr) -> Expr {
        let (left, right) = (self.simplified(&left), self.simplified(&right));
        let not_left = left.clone().negated().without_places();
        let mut rest = Vec::new();
        split(right, true, &mut rest);
        rest.retain(|part| part.without_places() != not_left);
        let right = Expr::all(rest, Span::default());
        self.operation(Op::Or, left, right, Type::Bool, Span::default())
    }

    fn operation(&self, op: Op, a: Expr, b: Expr, ty: Type, span: Span) -> Expr {
        let bool = |value| Expr::bool(value, span);
        match op {
            Op::And if is(&a, false) || is(&b, false) => bool(false),
            Op::Or if is(&a, true) || is(&b, true) => bool(true),
            Op::And | Op::Or if constant(&a).is_some() => b,
            Op::And | Op::Or if constant(&b).is_some() => a,
            Op::Eq if a.without_places().kind == b.without_places().kind => bool(true),
            Op::Eq if constant(&a).is_some() && !b.ty.is_option() => same_truth(b, constant(&a)),
            Op::Eq if constant(&b).is_some() && !a.ty.is_option() => same_truth(a, constant(&b)),
            Op::Eq => match (&a.kind, &b.kind) {
                (ExprKind::Const(x), ExprKind::Const(y)) => bool(x == y),
                (ExprKind::If(..), ExprKind::Const(_)) => self.compared(op, a, b),
                (ExprKind::Const(_), ExprKind::If(..)) => self.compared(op, b, a),
                _ => {
                    let (a, b) = added(&a, &b).or_else(|| added(&b, &a)).unwrap_or((a, b));
                    let equality = Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span };
                    self.value(&equality).map_or(equality, bool)
                }
            },
            // x in s union t
            Op::In => match b.kind {
                ExprKind::Binary(Op::Union, s, t) => {
                    let [s, t] = [*s, *t].map(|set| self.operation(Op::In, a.clone(), set, Type::Bool, span));
                    self.choice(s, t)
                }
                ExprKind::SetLiteral(members)
                    if members.len() == 1 && !(a.ty.is_option() && members[0].ty.is_option()) =>
                {
                    let member = members.into_iter().next().expect("one");
                    self.operation(Op::Eq, a, member, Type::Bool, span)
                }
                kind => {
                    let b = Expr { kind, ..b };
                    let is_in = Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span };
                    self.value(&is_in).map_or(is_in, bool)
                }
            },
            Op::Lt | Op::Le => self.ordered(op, a, b, span),
            Op::Add | Op::Sub if cancels(op, &a, &b) => match a.kind {
                ExprKind::Binary(_, x, _) => *x,
                kind => Expr { kind, ..a },
            },
            _ => Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span },
        }
    }

    /// A conditional value compared with a constant.
    fn compared(&self, op: Op, conditional: Expr, with: Expr) -> Expr {
        let span = with.span;
        let ExprKind::If(c, a, b) = conditional.kind else { return conditional };
        let [a, b] = [*a, *b].map(|value| self.operation(op, value, with.clone(), Type::Bool, span));
        let whole = Expr { kind: ExprKind::If(c, Box::new(a), Box::new(b)), ty: Type::Bool, span };
        self.simplified(&whole)
    }

    /// A comparison without differences and zeros: `a - b < 0` as `a < b`, and without a sum of a constant: `a + 1 <= 3` as `a <= 2`.
    fn ordered(&self, op: Op, a: Expr, b: Expr, span: Span) -> Expr {
        let is_zero = |e: &Expr| matches!(e.kind, ExprKind::Const(Value::Int(0)));
        let (a, b) = match (&a.kind, &b.kind) {
            (ExprKind::Binary(Op::Sub, x, y), _) if is_zero(&b) => ((**x).clone(), (**y).clone()),
            (_, ExprKind::Binary(Op::Sub, x, y)) if is_zero(&a) => ((**y).clone(), (**x).clone()),
            _ => match (added(&a, &b), added(&b, &a)) {
                (Some(reduced), _) => reduced,
                (None, Some((b, a))) => (a, b),
                (None, None) => (a, b),
            },
        };
        Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty: Type::Bool, span }
    }
}

/// True for `x + c - c` and `x - c + c`.
fn cancels(op: Op, a: &Expr, b: &Expr) -> bool {
    let ExprKind::Binary(inner @ (Op::Add | Op::Sub), _, c) = &a.kind else { return false };
    *inner != op && matches!(c.kind, ExprKind::Const(Value::Int(_))) && c.kind == b.kind
}

/// `a + c` and `d` as `a` and `d - c`, for constants c and d.
fn added(sum: &Expr, other: &Expr) -> Option<(Expr, Expr)> {
    let ExprKind::Binary(op @ (Op::Add | Op::Sub), a, constant) = &sum.kind else { return None };
    let (ExprKind::Const(Value::Int(c)), ExprKind::Const(Value::Int(d))) = (&constant.kind, &other.kind)
    else {
        return None;
    };
    let rest = if *op == Op::Add { d.checked_sub(*c)? } else { d.checked_add(*c)? };
    Some(((**a).clone(), Expr::constant(Value::Int(rest), Type::Int { lo: rest, hi: rest }, other.span)))
}

/// The truth value that an expression is.
fn constant(expr: &Expr) -> Option<bool> {
    match expr.kind {
        ExprKind::Const(Value::Bool(value)) => Some(value),
        _ => None,
    }
}

fn is(expr: &Expr, value: bool) -> bool {
    constant(expr) == Some(value)
}

/// The expression, or its negation.
fn same_truth(expr: Expr, value: Option<bool>) -> Expr {
    match (value, expr.kind) {
        (Some(false), ExprKind::Not(inner)) => *inner,
        (Some(false), kind) => Expr { kind, ..expr }.negated(),
        (_, kind) => Expr { kind, ..expr },
    }
}

/// Adds the conjuncts under which an expression has this value.
fn split(expr: Expr, value: bool, parts: &mut Vec<Expr>) {
    let (span, ty) = (expr.span, expr.ty);
    match expr.kind {
        ExprKind::Const(Value::Bool(constant)) if constant == value => {}
        ExprKind::Not(inner) => split(*inner, !value, parts),
        ExprKind::Binary(op @ (Op::And | Op::Or), a, b) if (op == Op::And) == value => {
            split(*a, value, parts);
            split(*b, value, parts);
        }
        ExprKind::Binary(Op::And, a, b) => {
            let [a, b] = [*a, *b].map(|part| {
                let mut of_part = Vec::new();
                split(part, false, &mut of_part);
                Expr::all(of_part, span)
            });
            parts.push(Expr::binary_bool(Op::Or, a, b));
        }
        ExprKind::Binary(op @ (Op::Lt | Op::Le), a, b)
            if !value && !a.ty.is_option() && !b.ty.is_option() =>
        {
            let turned = if op == Op::Lt { Op::Le } else { Op::Lt };
            parts.push(Expr::binary_bool(turned, *b, *a));
        }
        kind => {
            let expr = Expr { kind, ty, span };
            parts.push(if value { expr } else { expr.negated() });
        }
    }
}
