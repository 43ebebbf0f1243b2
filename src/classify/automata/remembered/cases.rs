//! Splits formulas about several positions into alternatives: conjunctions of parts that read one position
//! each, compare positions, or compare values read at them.

use super::distance::{Distance, distances};
use super::{PositionParam, closed_holds, readings_of};
use crate::automata::letter::Letter;
use crate::facts::atom::substitute;
use crate::facts::fact::Stretch;
use crate::facts::index::PositionVar;
use lang::model::expr::{Expr, ExprKind, Op, Quantifier};
use lang::model::types::Type;
use lang::model::value::{Moment, State, Value};
use lang::model::{Model, eval};
use std::cell::Cell;

/// The greatest number of formulas visited to split one.
const MOST_FORMULAS: usize = 50_000;

/// A part of an alternative.
#[derive(Debug, Clone)]
pub(super) enum SplitConjunct {
    /// A formula over the position parameters is true.
    Holds(Expr),
    /// A distance between two position variables.
    Distance(Distance),
    /// A letter holds nowhere in a stretch.
    Absent {
        letter: Letter,
        /// The kind of stretch.
        stretch: Stretch,
        /// The position variables that bound the stretch.
        positions: Vec<PositionVar>,
    },
}

/// A conjunction of parts.
pub(super) type SplitDisjunct = Vec<SplitConjunct>;

/// The formulas to split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SplitPolicy {
    /// Those that remembered values do not decide.
    WhereNeeded,
    /// All that have operands.
    WherePossible,
}

/// Splits formulas over the same parameters.
pub(super) struct Splitter<'a> {
    pub(super) model: &'a Model,
    /// The parameters, and names of further positions in alternatives.
    pub(super) params: Vec<PositionParam>,
    /// The number of names of further positions.
    pub(super) further: &'a Cell<u32>,
    apart: SplitPolicy,
    most: usize,
    /// The number of formulas that may still be visited.
    left: usize,
}

impl<'a> Splitter<'a> {
    /// Creates a splitter for up to `most` alternatives.
    pub(super) fn new(
        model: &'a Model,
        params: Vec<PositionParam>,
        further: &'a Cell<u32>,
        apart: SplitPolicy,
        most: usize,
    ) -> Self {
        Self { model, params, further, apart, most, left: MOST_FORMULAS }
    }

    /// Returns alternatives whose disjunction holds exactly where the formula has this truth value. `None` if
    /// there are too many, or a part cannot be decided like this.
    pub(super) fn alternatives(&mut self, expr: &Expr, truth: bool) -> Option<Vec<SplitDisjunct>> {
        self.left = self.left.checked_sub(1)?;
        if let ExprKind::Not(inner) = &expr.kind {
            return self.alternatives(inner, !truth);
        }
        if expr.reads_around() {
            return match has_operands(expr) {
                true => self.by_operands(expr, truth),
                false => self.around(expr, truth),
            };
        }
        let whole = || vec![vec![SplitConjunct::Holds(signed(expr, truth))]];
        match positions_read(expr, &self.params) {
            0 if closed_holds(self.model, expr) == truth => return Some(vec![Vec::new()]),
            0 => return Some(Vec::new()),
            1 => return Some(whole()),
            _ => {}
        }
        let readable = readings_of(expr, &self.params, &mut Vec::new()).is_some();
        if readable && (self.apart == SplitPolicy::WhereNeeded || !has_operands(expr)) {
            return Some(whole());
        }
        if let Some(found) = distances(expr, &self.params, truth) {
            return Some(found.into_iter().map(|distance| vec![SplitConjunct::Distance(distance)]).collect());
        }
        self.by_operands(expr, truth).or_else(|| readable.then(whole))
    }

    /// Returns the alternatives of a formula with operands.
    fn by_operands(&mut self, expr: &Expr, truth: bool) -> Option<Vec<SplitDisjunct>> {
        match &expr.kind {
            ExprKind::Binary(op @ (Op::And | Op::Or), a, b) => {
                let operands = [a, b].map(|operand| signed(operand, truth));
                if (*op == Op::And) == truth { self.all(&operands) } else { self.any(&operands) }
            }
            ExprKind::Binary(Op::Eq, a, b) if a.ty == Type::Bool && b.ty == Type::Bool => {
                self.any(&by_condition(a, signed(b, truth), signed(b, !truth)))
            }
            ExprKind::If(condition, a, b) => {
                self.any(&by_condition(condition, signed(a, truth), signed(b, truth)))
            }
            ExprKind::Let { bindings, body } => {
                let [(local, value), others @ ..] = &bindings[..] else { return None };
                let mut body = Expr::with_names(others, (**body).clone());
                if let ExprKind::Local(target) = value.kind {
                    body.rename_local(*local, target);
                    return self.alternatives(&body, truth);
                }
                let instance = |v: Value| {
                    let mut body = signed(&body, truth);
                    substitute(&mut body, *local, &v, &value.ty);
                    let constant = Expr::constant(v, value.ty.clone(), value.span);
                    let bound = Expr::binary_bool(Op::Eq, value.clone(), constant);
                    Expr::binary_bool(Op::And, bound, body)
                };
                let values = match self.value_of(value) {
                    Some(value) => vec![value],
                    None => self.values(&value.ty)?,
                };
                self.any(&values.into_iter().map(instance).collect::<Vec<_>>())
            }
            ExprKind::Quant { .. } => self.by_members(expr, truth),
            _ => None,
        }
    }

    /// Returns the alternatives of a quantified formula, by the members of its set.
    fn by_members(&mut self, expr: &Expr, truth: bool) -> Option<Vec<SplitDisjunct>> {
        let ExprKind::Quant { quantifier, local, set, body } = &expr.kind else { return None };
        let Type::Set(element) = set.ty.inner() else { return None };
        let forall = *quantifier == Quantifier::Forall;
        let known = self.value_of(set);
        let is_known = known.is_some();
        let members = match known {
            Some(Value::Set(members)) => members.into_iter().collect(),
            Some(_) => Vec::new(),
            None => self.values(element)?,
        };
        let instance = |member: Value| {
            let mut body = (**body).clone();
            substitute(&mut body, *local, &member, element);
            if !is_known {
                let member = Expr::constant(member, (**element).clone(), set.span);
                let inside = Expr::binary_bool(Op::In, member, (**set).clone());
                body = match forall {
                    true => Expr::binary_bool(Op::Or, inside.negated(), body),
                    false => Expr::binary_bool(Op::And, inside, body),
                };
            }
            signed(&body, truth)
        };
        let instances: Vec<Expr> = members.into_iter().map(instance).collect();
        if forall == truth { self.all(&instances) } else { self.any(&instances) }
    }

    /// All of the formulas hold.
    fn all(&mut self, formulas: &[Expr]) -> Option<Vec<SplitDisjunct>> {
        let mut found: Vec<SplitDisjunct> = vec![Vec::new()];
        for formula in formulas {
            let more = self.alternatives(formula, true)?;
            if found.len() * more.len() > self.most {
                return None;
            }
            let with = |a: &SplitDisjunct| more.iter().map(|b| [&a[..], b].concat()).collect::<Vec<_>>();
            found = found.iter().flat_map(with).collect();
            if found.is_empty() {
                break;
            }
        }
        Some(found)
    }

    /// Returns the alternatives of a disjunction.
    fn any(&mut self, formulas: &[Expr]) -> Option<Vec<SplitDisjunct>> {
        let mut found: Vec<SplitDisjunct> = Vec::new();
        for formula in formulas {
            found.extend(self.alternatives(formula, true)?);
            if found.len() > self.most {
                return None;
            }
        }
        Some(found)
    }

    /// Returns the value of an expression that reads no position.
    fn value_of(&self, expr: &Expr) -> Option<Value> {
        let nowhere = Moment { label: None, state: State(Vec::new()) };
        let closed = expr.ty != Type::Pos && positions_read(expr, &self.params) == 0;
        closed.then(|| eval::eval_state(self.model, expr, &nowhere))
    }

    /// Returns all values of a type with few values.
    fn values(&self, ty: &Type) -> Option<Vec<Value>> {
        let few = *ty != Type::Pos && self.model.types.cardinality(ty) <= self.most as u64;
        few.then(|| self.model.types.values(ty))
    }
}

/// True if a formula consists of others.
pub(super) fn has_operands(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Not(inner) => has_operands(inner),
        ExprKind::Binary(Op::And | Op::Or, ..)
        | ExprKind::If(..)
        | ExprKind::Let { .. }
        | ExprKind::Quant { .. } => true,
        _ => false,
    }
}

/// Returns the number of position variables that an expression reads.
fn positions_read(expr: &Expr, params: &[PositionParam]) -> usize {
    let mut read: Vec<_> = params.iter().filter(|p| expr.reads_local(p.local)).map(|p| p.variable).collect();
    read.sort_unstable();
    read.dedup();
    read.len()
}

/// The formula, or its negation.
fn signed(expr: &Expr, truth: bool) -> Expr {
    if truth { expr.clone() } else { expr.clone().negated() }
}

/// Returns the two cases of `if condition then a else b`.
fn by_condition(condition: &Expr, a: Expr, b: Expr) -> [Expr; 2] {
    let with = |truth, formula| Expr::binary_bool(Op::And, signed(condition, truth), formula);
    [with(true, a), with(false, b)]
}
