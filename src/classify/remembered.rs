//! Comparisons between positions as remembered values: `x@i = y@j` holds iff there is a value v with
//! `x@i = v` and `y@j = v`. Splitting a constraint by these values leaves facts that read one position
//! each.

use super::constraint::Constraint;
use super::fact::{Atom, Fact, FactKind, Origin};
use crate::model::expr::{Expr, ExprKind, LocalId, Op, Quantifier};
use crate::model::value::{Moment, State, Value};
use crate::model::{Model, eval};
use std::sync::Arc;

/// Constraints with facts at single positions only, of which exactly one or more hold wherever the
/// given one does; `None` if there would be more than `most`, or some part cannot be split this way.
pub fn local_choices(model: &Model, constraint: &Constraint, most: usize) -> Option<Vec<Constraint>> {
    let mut local: Vec<Fact> = Vec::new();
    let mut shared: Vec<(Expr, Vec<(LocalId, usize)>)> = Vec::new();
    for fact in &constraint.facts {
        let FactKind::Atom(atom) = &fact.kind else {
            local.push(fact.clone());
            continue;
        };
        for conjunct in &atom.conjuncts {
            let params: Vec<LocalId> = conjunct.params.iter().map(|&p| atom.params[p]).collect();
            let of: Vec<usize> = conjunct.params.iter().map(|&p| fact.positions[p]).collect();
            let Some((&position, others)) = of.split_first() else {
                if !closed_holds(model, &conjunct.expr) {
                    return Some(Vec::new());
                }
                continue;
            };
            if others.iter().all(|other| *other == position) {
                let mut expr = conjunct.expr.clone();
                params[1..].iter().for_each(|&p| expr.rename_local(p, params[0]));
                local.push(at_one(expr, params[0], position));
            } else if let Some(order) = order_fact(&conjunct.expr, &params, &of) {
                local.push(order);
            } else {
                shared.push((conjunct.expr.clone(), params.into_iter().zip(of).collect()));
            }
        }
    }
    // What the shared parts read, each reading once: an expression at a position variable.
    let mut readings: Vec<(Expr, usize)> = Vec::new();
    for (expr, params) in &shared {
        readings_of(expr, params, &mut readings)?;
    }
    let last_of = |(expr, params): &(Expr, Vec<(LocalId, usize)>)| {
        readings.iter().rposition(|reading| reads(expr, params, reading)).unwrap_or(0)
    };
    let last: Vec<usize> = shared.iter().map(last_of).collect();
    let mut choices = vec![Vec::new()];
    for (index, (expr, _)) in readings.iter().enumerate() {
        // What can be decided with this value and could not before.
        let due: Vec<_> =
            shared.iter().zip(&last).filter(|(_, last)| **last == index).map(|(s, _)| s).collect();
        if model.types.cardinality(&expr.ty) > most as u64 {
            return None;
        }
        let values = model.types.values(&expr.ty);
        let mut longer = Vec::new();
        for choice in &choices {
            for value in &values {
                let mut choice: Vec<Value> = Vec::clone(choice);
                choice.push(value.clone());
                if due.iter().all(|(expr, params)| holds(model, expr, params, &readings, &choice)) {
                    longer.push(choice);
                }
            }
        }
        if longer.len() > most * 4 {
            return None;
        }
        choices = longer;
    }
    if choices.len() > most {
        return None;
    }
    let constraint_of = |choice: Vec<Value>| {
        let mut facts = local.clone();
        for ((expr, position), value) in readings.iter().zip(choice) {
            facts.push(equals(expr, value, *position, model.locals));
        }
        Constraint { positions: constraint.positions, facts }
    };
    Some(choices.into_iter().map(constraint_of).collect())
}

/// A fact of one position.
fn at_one(expr: Expr, param: LocalId, position: usize) -> Fact {
    let origin = Origin::Across { left: String::new(), right: String::new() };
    Fact {
        kind: FactKind::Atom(Arc::new(Atom::new(origin, 0, vec![param], expr))),
        positions: vec![position],
    }
}

/// `reading@position = value`.
fn equals(reading: &Expr, value: Value, position: usize, local: u32) -> Fact {
    let at = LocalId(local);
    let read = Expr {
        kind: ExprKind::At { value: Box::new(reading.clone()), at },
        ty: reading.ty.clone(),
        span: reading.span,
    };
    let constant = Expr::constant(value, reading.ty.clone(), reading.span);
    at_one(Expr::binary_bool(Op::Eq, read, constant), at, position)
}

/// `t1 < t2` and `t2 = t1 + 1` as order facts.
fn order_fact(expr: &Expr, params: &[LocalId], of: &[usize]) -> Option<Fact> {
    let ExprKind::Binary(op, a, b) = &expr.kind else { return None };
    let place = |e: &Expr| match &e.kind {
        ExprKind::Local(local) => params.iter().position(|p| p == local).map(|i| of[i]),
        _ => None,
    };
    let place_before = |e: &Expr| match &e.kind {
        ExprKind::Binary(Op::Add, base, one) if one.kind == ExprKind::Const(Value::Int(1)) => place(base),
        _ => None,
    };
    let (kind, positions) = match op {
        Op::Lt => (FactKind::Before, vec![place(a)?, place(b)?]),
        Op::Eq => match (place_before(a), place_before(b)) {
            (None, Some(first)) => (FactKind::Next, vec![first, place(a)?]),
            (Some(first), None) => (FactKind::Next, vec![first, place(b)?]),
            _ => return None,
        },
        _ => return None,
    };
    Some(Fact { kind, positions })
}

/// Adds what an expression reads at which position variable; `None` if it uses positions otherwise, or reads
/// below a bound value.
fn readings_of(expr: &Expr, params: &[(LocalId, usize)], readings: &mut Vec<(Expr, usize)>) -> Option<()> {
    let mut simple = true;
    let mut inside = 0usize;
    expr.walk(&mut |e| match &e.kind {
        ExprKind::At { value, at } => {
            inside += 1;
            let mut closed = true;
            value.walk(&mut |v| closed &= !matches!(v.kind, ExprKind::Local(_) | ExprKind::At { .. }));
            match params.iter().find(|(p, _)| p == at) {
                Some((_, position)) if closed => {
                    let reading = ((**value).clone(), *position);
                    if !readings.iter().any(|r| same(r, &reading)) {
                        readings.push(reading);
                    }
                }
                _ => simple = false,
            }
        }
        ExprKind::Local(l) if params.iter().any(|(p, _)| p == l) => simple = false,
        ExprKind::Quant { quantifier: Quantifier::Forall | Quantifier::Exists, .. }
        | ExprKind::Filter { .. }
        | ExprKind::MapOf { .. } => simple = false,
        _ => {}
    });
    (simple && inside > 0).then_some(())
}

/// The same reading, wherever it was written.
fn same(a: &(Expr, usize), b: &(Expr, usize)) -> bool {
    a.1 == b.1 && a.0.kind == b.0.kind
}

fn reads(expr: &Expr, params: &[(LocalId, usize)], reading: &(Expr, usize)) -> bool {
    let mut own = Vec::new();
    readings_of(expr, params, &mut own);
    own.iter().any(|r| same(r, reading))
}

/// Whether a shared part holds when its readings have these values.
fn holds(
    model: &Model,
    expr: &Expr,
    params: &[(LocalId, usize)],
    readings: &[(Expr, usize)],
    choice: &[Value],
) -> bool {
    let mut closed = expr.clone();
    substitute(&mut closed, params, readings, choice);
    closed_holds(model, &closed)
}

/// Whether an expression that reads nothing is true.
fn closed_holds(model: &Model, expr: &Expr) -> bool {
    let nowhere = Moment { label: None, state: State(Vec::new()) };
    eval::eval_state(model, expr, &nowhere).is_true()
}

/// Replaces readings by their values.
fn substitute(expr: &mut Expr, params: &[(LocalId, usize)], readings: &[(Expr, usize)], choice: &[Value]) {
    if let ExprKind::At { value, at } = &expr.kind {
        let position = params.iter().find(|(p, _)| p == at).map(|p| p.1);
        let found = readings.iter().position(|r| Some(r.1) == position && r.0.kind == value.kind);
        if let Some(value) = found.and_then(|i| choice.get(i)) {
            expr.kind = ExprKind::Const(value.clone());
        }
        return;
    }
    expr.for_each_child(&mut |child| substitute(child, params, readings, choice));
}
