//! Comparisons between positions as remembered values: `x@i = y@j` holds iff there is a value v with
//! `x@i = v` and `y@j = v`. Splitting a constraint by these values leaves letters that read one position
//! each.

use super::atom::Atoms;
use super::constraint::Constraint;
use super::fact::{FactKind, Order};
use super::index::PositionVar;
use super::letter::{Letter, LocalConstraint, LocalFact};
use crate::model::expr::{Expr, ExprKind, LocalId, Op, Quantifier};
use crate::model::value::{Moment, State, Value};
use crate::model::{Model, eval};

/// A position parameter of an expression with the position variable that it stands for.
#[derive(Clone, Copy)]
struct Param {
    local: LocalId,
    variable: PositionVar,
}

/// A conjunct that reads several positions.
struct Comparison<'a> {
    expr: &'a Expr,
    params: Vec<Param>,
}

/// What a comparison reads of one moment: a closed expression at a position variable.
#[derive(Clone)]
struct Reading {
    expr: Expr,
    at: PositionVar,
}

impl Reading {
    /// Whether both read the same, wherever that is written.
    fn is(&self, expr: &Expr, at: PositionVar) -> bool {
        self.at == at && self.expr.kind == expr.kind
    }
}

/// Local constraints one or more of which hold wherever the given one does, and nowhere else: one for each choice of
/// remembered values. `None` if there would be more than `most`, or some part cannot be split like this.
pub fn local_choices(
    model: &Model,
    atoms: &Atoms,
    constraint: &Constraint,
    most: usize,
) -> Option<Vec<LocalConstraint>> {
    let mut all = Vec::new();
    for instance in constraint.instances(model, atoms, most)? {
        all.extend(choices_of_ground(model, atoms, &instance, most)?);
        if all.len() > most {
            return None;
        }
    }
    Some(all)
}

/// The same for a ground constraint.
fn choices_of_ground(
    model: &Model,
    atoms: &Atoms,
    constraint: &Constraint,
    most: usize,
) -> Option<Vec<LocalConstraint>> {
    let Some(parts) = Parts::of(model, atoms, constraint) else { return Some(Vec::new()) };
    let mut readings: Vec<Reading> = Vec::new();
    for comparison in &parts.comparisons {
        readings_of(comparison.expr, &comparison.params, &mut readings)?;
    }
    let choices = choices(model, &parts.comparisons, &readings, most)?;
    let local = |values: Vec<Value>| {
        let mut facts = parts.local.clone();
        for (reading, value) in readings.iter().zip(values) {
            facts.push(LocalFact::Holds { letter: has_value(model, &reading.expr, value), at: reading.at });
        }
        LocalConstraint { positions: constraint.positions, facts }
    };
    Some(choices.into_iter().map(local).collect())
}

/// The parts of a constraint.
struct Parts<'a> {
    /// Those that read one position each.
    local: Vec<LocalFact>,
    /// The others.
    comparisons: Vec<Comparison<'a>>,
}

impl<'a> Parts<'a> {
    /// `None` if a part that reads no position is false.
    fn of(model: &Model, atoms: &'a Atoms, constraint: &Constraint) -> Option<Self> {
        let mut parts = Self { local: Vec::new(), comparisons: Vec::new() };
        for fact in &constraint.facts {
            match fact.kind {
                FactKind::Order(order) => {
                    let [first, second] = [fact.positions[0], fact.positions[1]];
                    parts.local.push(LocalFact::Order { order, first, second });
                }
                FactKind::Absent(atom, stretch) => {
                    let atom = atoms.get(atom);
                    let letter = Letter::new(model, atom.expr.clone(), atom.params[0]);
                    let positions = fact.positions.clone();
                    parts.local.push(LocalFact::Absent { letter, stretch, positions });
                }
                FactKind::Atom(atom) => {
                    let atom = atoms.get(atom);
                    for conjunct in &atom.conjuncts {
                        let param = |&p: &usize| Param { local: atom.params[p], variable: fact.positions[p] };
                        let params = conjunct.params.iter().map(param).collect();
                        parts.add(model, &conjunct.expr, params)?;
                    }
                }
            }
        }
        Some(parts)
    }

    /// Adds a conjunct; `None` if it reads no position and is false.
    fn add(&mut self, model: &Model, expr: &'a Expr, params: Vec<Param>) -> Option<()> {
        let Some((&first, others)) = params.split_first() else {
            return closed_holds(model, expr).then_some(());
        };
        if others.iter().all(|other| other.variable == first.variable) {
            let mut expr = expr.clone();
            others.iter().for_each(|other| expr.rename_local(other.local, first.local));
            let letter = Letter::new(model, expr, first.local);
            self.local.push(LocalFact::Holds { letter, at: first.variable });
        } else if let Some(order) = order_fact(expr, &params) {
            self.local.push(order);
        } else {
            self.comparisons.push(Comparison { expr, params });
        }
        Some(())
    }
}

/// The values of all readings, in their order, for which all comparisons hold; `None` if there are more than `most`, or
/// many more on the way.
fn choices(
    model: &Model,
    comparisons: &[Comparison<'_>],
    readings: &[Reading],
    most: usize,
) -> Option<Vec<Vec<Value>>> {
    let last_of = |comparison: &Comparison<'_>| {
        let mut own = Vec::new();
        readings_of(comparison.expr, &comparison.params, &mut own);
        let reads = |reading: &Reading| own.iter().any(|r| r.is(&reading.expr, reading.at));
        readings.iter().rposition(reads).unwrap_or(0)
    };
    let last: Vec<usize> = comparisons.iter().map(last_of).collect();
    let mut choices: Vec<Vec<Value>> = vec![Vec::new()];
    for (index, reading) in readings.iter().enumerate() {
        // What can be decided with this value and could not before.
        let due = comparisons.iter().zip(&last).filter(|(_, last)| **last == index).map(|(c, _)| c);
        let due: Vec<&Comparison<'_>> = due.collect();
        if model.types.cardinality(&reading.expr.ty) > most as u64 {
            return None;
        }
        let values = model.types.values(&reading.expr.ty);
        let mut longer = Vec::new();
        for choice in &choices {
            for value in &values {
                let mut choice = choice.clone();
                choice.push(value.clone());
                if due.iter().all(|comparison| comparison.holds(model, readings, &choice)) {
                    longer.push(choice);
                }
            }
        }
        if longer.len() > most * 4 {
            return None;
        }
        choices = longer;
    }
    (choices.len() <= most).then_some(choices)
}

/// The letter `reading = value`.
fn has_value(model: &Model, reading: &Expr, value: Value) -> Letter {
    let at = LocalId(model.locals);
    let read = Expr {
        kind: ExprKind::At { value: Box::new(reading.clone()), at },
        ty: reading.ty.clone(),
        span: reading.span,
    };
    let constant = Expr::constant(value, reading.ty.clone(), reading.span);
    Letter::new(model, Expr::binary_bool(Op::Eq, read, constant), at)
}

/// `t1 < t2` and `t2 = t1 + 1` as order facts.
fn order_fact(expr: &Expr, params: &[Param]) -> Option<LocalFact> {
    let ExprKind::Binary(op, a, b) = &expr.kind else { return None };
    let place = |e: &Expr| match &e.kind {
        ExprKind::Local(local) => params.iter().find(|p| p.local == *local).map(|p| p.variable),
        _ => None,
    };
    let place_before = |e: &Expr| match &e.kind {
        ExprKind::Binary(Op::Add, base, one) if one.kind == ExprKind::Const(Value::Int(1)) => place(base),
        _ => None,
    };
    let (order, first, second) = match op {
        Op::Lt => (Order::Before, place(a)?, place(b)?),
        Op::Eq => match (place_before(a), place_before(b)) {
            (None, Some(first)) => (Order::Next, first, place(a)?),
            (Some(first), None) => (Order::Next, first, place(b)?),
            _ => return None,
        },
        _ => return None,
    };
    Some(LocalFact::Order { order, first, second })
}

/// Adds what an expression reads at which position variable; `None` if it uses positions otherwise, or reads
/// below a bound value.
fn readings_of(expr: &Expr, params: &[Param], readings: &mut Vec<Reading>) -> Option<()> {
    let mut simple = true;
    let mut inside = 0usize;
    expr.walk(&mut |e| match &e.kind {
        ExprKind::At { value, at } => {
            inside += 1;
            let mut closed = true;
            value.walk(&mut |v| closed &= !matches!(v.kind, ExprKind::Local(_) | ExprKind::At { .. }));
            match params.iter().find(|p| p.local == *at) {
                Some(param) if closed => {
                    if !readings.iter().any(|r| r.is(value, param.variable)) {
                        readings.push(Reading { expr: (**value).clone(), at: param.variable });
                    }
                }
                _ => simple = false,
            }
        }
        ExprKind::Local(l) if params.iter().any(|p| p.local == *l) => simple = false,
        ExprKind::Quant { quantifier: Quantifier::Forall | Quantifier::Exists, .. }
        | ExprKind::Filter { .. }
        | ExprKind::MapOf { .. } => simple = false,
        _ => {}
    });
    (simple && inside > 0).then_some(())
}

impl Comparison<'_> {
    /// Whether it holds when the readings have these values; the first ones suffice if it reads no others.
    fn holds(&self, model: &Model, readings: &[Reading], values: &[Value]) -> bool {
        let mut closed = self.expr.clone();
        substitute(&mut closed, &self.params, readings, values);
        closed_holds(model, &closed)
    }
}

/// Whether an expression that reads nothing is true.
fn closed_holds(model: &Model, expr: &Expr) -> bool {
    let nowhere = Moment { label: None, state: State(Vec::new()) };
    eval::eval_state(model, expr, &nowhere).is_true()
}

/// Replaces readings by their values.
fn substitute(expr: &mut Expr, params: &[Param], readings: &[Reading], values: &[Value]) {
    if let ExprKind::At { value, at } = &expr.kind {
        let param = params.iter().find(|p| p.local == *at);
        let found = param.and_then(|p| readings.iter().position(|r| r.is(value, p.variable)));
        if let Some(value) = found.and_then(|i| values.get(i)) {
            expr.kind = ExprKind::Const(value.clone());
        }
        return;
    }
    expr.for_each_child(&mut |child| substitute(child, params, readings, values));
}
