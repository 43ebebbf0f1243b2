//! Constraints as unions of local ones.
//!
//! Comparisons between positions become remembered values: `x@i = y@j` holds iff there is a value v with `x@i
//! = v` and `y@j = v`. Splitting a constraint by these values leaves letters that read one position each.
//! Formulas that values do not decide are first split into alternatives.

mod around;
mod branch;
mod cases;
pub mod distance;

use crate::automata::letter::{Letter, LocalConstraint, LocalFact};
use crate::facts::atom::Atoms;
use crate::facts::constraint::Constraint;
use crate::facts::fact::FactKind;
use crate::facts::index::PositionVar;
use branch::SplitBranch;
use cases::{SplitPolicy, Splitter, has_operands};
use lang::model::expr::{Expr, ExprKind, LocalId, Op};
use lang::model::value::{Moment, State, Value};
use lang::model::{Model, eval};
use std::cell::Cell;

/// A position parameter of an expression with the position variable that it stands for.
#[derive(Clone, Copy)]
pub struct PositionParam {
    /// The parameter.
    pub local: LocalId,
    /// The position variable that it stands for.
    pub variable: PositionVar,
}

/// A formula that reads several positions.
#[derive(Clone)]
struct PositionComparison {
    expr: Expr,
    params: Vec<PositionParam>,
}

/// A closed expression read at a position variable.
#[derive(Clone)]
struct ValueReading {
    expr: Expr,
    at: PositionVar,
}

impl ValueReading {
    /// True if both read the same, wherever that is written.
    fn is(&self, expr: &Expr, at: PositionVar) -> bool {
        self.at == at && self.expr.kind == expr.kind
    }
}

/// Returns local constraints whose disjunction is equivalent to the given constraint: one for each choice of
/// remembered values. `None` if there are more than `most`, or a part cannot be split like this.
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

/// Like [`local_choices`], for a ground constraint. Formulas are split where needed, or wherever possible if
/// that leaves fewer choices.
fn choices_of_ground(
    model: &Model,
    atoms: &Atoms,
    constraint: &Constraint,
    most: usize,
) -> Option<Vec<LocalConstraint>> {
    let branches = branches(model, atoms, constraint, SplitPolicy::WhereNeeded, most);
    let is_whole = |branch: &SplitBranch| !branch.comparisons.iter().any(|c| has_operands(&c.expr));
    let done = branches.as_ref().is_some_and(|branches| branches.iter().all(is_whole));
    let by_values = branches.and_then(|branches| choices_of_all(model, &branches, most));
    if done {
        return by_values;
    }
    let most = by_values.as_ref().map_or(most, Vec::len);
    let branches = self::branches(model, atoms, constraint, SplitPolicy::WherePossible, most);
    let by_cases = branches.and_then(|branches| choices_of_all(model, &branches, most));
    let fewer = |choices: &Vec<LocalConstraint>| by_values.is_none() || choices.len() < most;
    by_cases.filter(fewer).or(by_values)
}

/// Returns the ways in which a ground constraint can hold.
fn branches(
    model: &Model,
    atoms: &Atoms,
    constraint: &Constraint,
    apart: SplitPolicy,
    most: usize,
) -> Option<Vec<SplitBranch>> {
    let mut branches = vec![SplitBranch::new(constraint.positions)];
    let further = Cell::new(0);
    let add = |branches: &mut Vec<SplitBranch>, fact: LocalFact| {
        branches.iter_mut().for_each(|branch| branch.add_fact(fact.clone()));
    };
    for fact in &constraint.facts {
        match fact.kind {
            FactKind::Order(order) => {
                let [first, second] = [fact.positions[0], fact.positions[1]];
                add(&mut branches, LocalFact::Order { order, first, second });
            }
            FactKind::Absent(atom, stretch) => {
                let atom = atoms.get(atom);
                if atom.expr.reads_around() {
                    return None;
                }
                let letter = Letter::new(model, atom.expr.clone(), atom.params[0]);
                add(&mut branches, LocalFact::Absent { letter, stretch, positions: fact.positions.clone() });
            }
            FactKind::Atom(atom) => {
                let atom = atoms.get(atom);
                let param = |(&local, &variable)| PositionParam { local, variable };
                let params: Vec<PositionParam> = atom.params.iter().zip(&fact.positions).map(param).collect();
                for conjunct in &atom.conjuncts {
                    let mut splitter = Splitter::new(model, params.clone(), &further, apart, most);
                    let alternatives = splitter.alternatives(&conjunct.expr, true)?;
                    let params = splitter.params;
                    if branches.len() * alternatives.len() > most {
                        return None;
                    }
                    let with = |mut branch: SplitBranch, parts: &cases::SplitDisjunct| {
                        parts.iter().for_each(|part| branch.add_part(model, part, &params));
                        branch
                    };
                    // Most facts have one alternative, for which nothing is copied.
                    let with_each = |branch: SplitBranch| {
                        let Some((last, others)) = alternatives.split_last() else { return Vec::new() };
                        let others = others.iter().map(|parts| with(branch.clone(), parts));
                        let mut all: Vec<SplitBranch> = others.collect();
                        all.push(with(branch, last));
                        all
                    };
                    branches = branches.into_iter().flat_map(with_each).collect();
                }
            }
        }
    }
    Some(branches)
}

/// Returns the choices of remembered values of all branches.
fn choices_of_all(model: &Model, branches: &[SplitBranch], most: usize) -> Option<Vec<LocalConstraint>> {
    let mut all = Vec::new();
    for branch in branches {
        let mut readings: Vec<ValueReading> = Vec::new();
        for comparison in &branch.comparisons {
            readings_of(&comparison.expr, &comparison.params, &mut readings)?;
        }
        let local = |values: Vec<Value>| {
            let holds = |(reading, value): (&ValueReading, Value)| LocalFact::Holds {
                letter: has_value(model, &reading.expr, value),
                at: reading.at,
            };
            branch.with(readings.iter().zip(values).map(holds).collect())
        };
        all.extend(choices(model, &branch.comparisons, &readings, most)?.into_iter().map(local));
        if all.len() > most {
            return None;
        }
    }
    Some(all)
}

/// Returns the values of all readings, in their order, for which all comparisons hold; `None` if there are
/// more than `most`, or more than four times as many on the way.
fn choices(
    model: &Model,
    comparisons: &[PositionComparison],
    readings: &[ValueReading],
    most: usize,
) -> Option<Vec<Vec<Value>>> {
    let last_of = |comparison: &PositionComparison| {
        let mut own = Vec::new();
        readings_of(&comparison.expr, &comparison.params, &mut own);
        let reads = |reading: &ValueReading| own.iter().any(|r| r.is(&reading.expr, reading.at));
        readings.iter().rposition(reads).unwrap_or(0)
    };
    let last: Vec<usize> = comparisons.iter().map(last_of).collect();
    let mut choices: Vec<Vec<Value>> = vec![Vec::new()];
    for (index, reading) in readings.iter().enumerate() {
        // The comparisons decided by this value and not before.
        let due = comparisons.iter().zip(&last).filter(|(_, last)| **last == index).map(|(c, _)| c);
        let due: Vec<&PositionComparison> = due.collect();
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

/// Returns the letter `reading = value`.
fn has_value(model: &Model, reading: &Expr, value: Value) -> Letter {
    let at = LocalId(model.locals);
    let read = reading.clone().at(at);
    let constant = Expr::constant(value, reading.ty.clone(), reading.span);
    Letter::new(model, Expr::binary_bool(Op::Eq, read, constant), at)
}

/// Adds the readings of an expression; `None` if it uses positions otherwise, or a reading depends on a bound value.
fn readings_of(expr: &Expr, params: &[PositionParam], readings: &mut Vec<ValueReading>) -> Option<()> {
    let mut simple = true;
    let mut inside = 0usize;
    expr.walk(&mut |e| match &e.kind {
        ExprKind::At { value, at } => {
            inside += 1;
            let closed = is_closed(value, &mut Vec::new());
            match params.iter().find(|p| p.local == *at) {
                Some(param) if closed => {
                    if !readings.iter().any(|r| r.is(value, param.variable)) {
                        readings.push(ValueReading { expr: (**value).clone(), at: param.variable });
                    }
                }
                _ => simple = false,
            }
        }
        ExprKind::Local(l) if params.iter().any(|p| p.local == *l) => simple = false,
        _ => {}
    });
    (simple && inside > 0).then_some(())
}

/// True if an expression without `@` uses no names but these and those that it binds.
fn is_closed(expr: &Expr, bound: &mut Vec<LocalId>) -> bool {
    let (local, outside, inside) = match &expr.kind {
        ExprKind::Local(local) => return bound.contains(local),
        ExprKind::At { .. } => return false,
        ExprKind::Let { bindings, body } => {
            let outer = bound.len();
            let closed = bindings.iter().all(|(local, value)| {
                let closed = is_closed(value, bound);
                bound.push(*local);
                closed
            });
            let closed = closed && is_closed(body, bound);
            bound.truncate(outer);
            return closed;
        }
        ExprKind::Filter { local, set: outside, cond: inside }
        | ExprKind::Quant { local, set: outside, body: inside, .. }
        | ExprKind::Fold { local, set: outside, body: inside, .. } => (*local, Some(outside), inside),
        ExprKind::MapOf { local, body } => (*local, None, body),
        _ => return expr.children().into_iter().all(|child| is_closed(child, bound)),
    };
    if outside.is_some_and(|outside| !is_closed(outside, bound)) {
        return false;
    }
    bound.push(local);
    let closed = is_closed(inside, bound);
    bound.pop();
    closed
}

impl PositionComparison {
    /// True if it holds when the readings have these values; the first ones suffice if it reads no others.
    fn holds(&self, model: &Model, readings: &[ValueReading], values: &[Value]) -> bool {
        let mut closed = self.expr.clone();
        substitute(&mut closed, &self.params, readings, values);
        closed_holds(model, &closed)
    }
}

/// True if an expression that reads nothing is true.
fn closed_holds(model: &Model, expr: &Expr) -> bool {
    let nowhere = Moment { label: None, state: State(Vec::new()) };
    eval::eval_state(model, expr, &nowhere).is_true()
}

/// Replaces readings by their values.
fn substitute(expr: &mut Expr, params: &[PositionParam], readings: &[ValueReading], values: &[Value]) {
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
