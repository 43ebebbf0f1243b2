//! Encoding of expressions as symbolic values: over a state, a step, or a trace with positions that are
//! fixed or chosen by the solver.

mod collections;
mod numbers;
mod reduce;

use super::frame::Frame;
use super::symbolic::{Symbolic as S, literal_of};
use crate::sat::{Circuit, Lit};
use kit::number::to_u32;
use lang::model::expr::{Expr, ExprKind, LocalId, Op};
use lang::model::types::{Type, Types};
use lang::model::value::Value;
use lang::model::{Model, Position};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// Encodes expressions as symbolic values. Positions are scalars over integers, so that a position
/// chosen by the solver is encoded like any other number, and `x@p` selects among the frames.
pub struct Encoder<'a> {
    /// The circuit to which gates are added.
    pub circuit: &'a mut Circuit,
    model: &'a Model,
    frames: &'a [Frame],
    now: Option<Position>,
    next: Option<&'a [S]>,
    locals: FxHashMap<LocalId, S>,
}

impl<'a> Encoder<'a> {
    /// An encoder for expressions over whole traces.
    pub fn new(circuit: &'a mut Circuit, model: &'a Model, frames: &'a [Frame]) -> Self {
        Self { circuit, model, frames, now: None, next: None, locals: FxHashMap::default() }
    }

    /// Sets the position whose state is the current one.
    pub fn at(mut self, position: Position) -> Self {
        self.now = Some(position);
        self
    }

    /// Sets the values of the next state.
    pub fn with_next(mut self, next: &'a [S]) -> Self {
        self.next = Some(next);
        self
    }

    /// Binds a name to a value.
    pub fn bind(&mut self, local: LocalId, value: S) {
        self.locals.insert(local, value);
    }

    /// Binds a position parameter to a fixed position.
    pub fn bind_position(&mut self, local: LocalId, position: Position) {
        let yes = self.circuit.yes();
        self.bind(local, S::Scalar(vec![(position.into(), yes)]));
    }

    /// The types of the model.
    pub fn types(&self) -> &'a Types {
        &self.model.types
    }

    /// The literal of a truth-valued expression.
    pub fn truth(&mut self, expr: &Expr) -> Lit {
        if !self.circuit.goes_on() {
            return self.circuit.no();
        }
        match &expr.kind {
            ExprKind::Not(e) => !self.truth(e),
            ExprKind::Binary(Op::And, ..) => {
                let parts: Vec<Lit> = expr.conjuncts().into_iter().map(|e| self.truth(e)).collect();
                self.circuit.all(&parts)
            }
            ExprKind::Binary(Op::Or, a, b) => {
                let (a, b) = (self.truth(a), self.truth(b));
                self.circuit.or(a, b)
            }
            _ => match self.value(expr) {
                S::Bool(l) => l,
                other => other.is_value(self.circuit, &Value::Bool(true)),
            },
        }
    }

    /// The symbolic value of an expression; meaningless once the circuit's budget is exhausted.
    pub fn value(&mut self, expr: &Expr) -> S {
        if !self.circuit.goes_on() {
            return S::Bool(self.circuit.no());
        }
        let types = &self.model.types;
        match &expr.kind {
            ExprKind::Const(value) => S::constant(self.circuit, types, value, &expr.ty),
            ExprKind::Var(_) | ExprKind::Next(_) => {
                let value = self.stored(expr).unwrap_or_else(|| unreachable!("it is a variable"));
                self.circuit.spend(value.size());
                value.clone()
            }
            ExprKind::ActionLabel => self.action_label(),
            ExprKind::LabelArg { action, param } => self.label_argument(*action, *param),
            ExprKind::Local(local) => self.local(*local),
            ExprKind::Let { bindings, body } => self.within_all(bindings, |e| e.value(body)),
            ExprKind::At { value, at } => self.at_position(value, *at),
            ExprKind::Previous(value) => self.previous(value),
            ExprKind::Never { value, after, before } => S::Bool(self.never(value, *after, *before)),
            ExprKind::Field(base, index) => match self.value(base) {
                S::Record { present, fields, .. } => fields[*index].below(self.circuit, present),
                _ => S::Scalar(vec![(Value::None, self.circuit.yes())]),
            },
            ExprKind::Index(base, key) => match self.entry(expr) {
                Some(value) => value,
                None => self.index(base, key),
            },
            ExprKind::Record(_) | ExprKind::With(..) => self.record(expr),
            ExprKind::SetLiteral(_)
            | ExprKind::Filter { .. }
            | ExprKind::MapOf { .. }
            | ExprKind::Size(_) => self.collection(expr),
            ExprKind::Fold { fold, local, set, body } => self.folded(*fold, *local, set, body, &expr.ty),
            ExprKind::Not(_) | ExprKind::Binary(Op::And | Op::Or, ..) => S::Bool(self.truth(expr)),
            ExprKind::Neg(e) => self.negation(e),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::IsSome(e) => {
                let value = self.value(e);
                S::Bool(value.is_some(self.circuit))
            }
            ExprKind::If(cond, a, b) => {
                let cond = self.truth(cond);
                let (a, b) = (self.value(a), self.value(b));
                let (a, b) = (optional_truth(a, &expr.ty), optional_truth(b, &expr.ty));
                S::select(self.circuit, &[(cond, a), (!cond, b)], false)
            }
            ExprKind::Quant { quantifier, local, set, body } => {
                S::Bool(self.quantified(*quantifier, *local, set, body))
            }
        }
    }

    fn frame(&self) -> &'a Frame {
        match self.now {
            Some(t) => &self.frames[t.index()],
            None => unreachable!("the checker allows state expressions in predicates only below `@`"),
        }
    }

    /// The value of a variable in this state or the next one; `None` for other expressions.
    fn stored(&self, expr: &Expr) -> Option<&'a S> {
        match (&expr.kind, self.next) {
            (ExprKind::Var(var), _) => Some(&self.frame().state[var.0 as usize]),
            (ExprKind::Next(var), Some(next)) => Some(&next[var.0 as usize]),
            (ExprKind::Next(_), None) => unreachable!("the checker allows primes in step formulas only"),
            _ => None,
        }
    }

    fn local(&mut self, local: LocalId) -> S {
        match self.locals.get(&local) {
            Some(value) => {
                self.circuit.spend(value.size());
                value.clone()
            }
            None => unreachable!("the checker resolves every name to one that is bound"),
        }
    }

    fn within<R>(&mut self, local: LocalId, value: S, body: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.locals.insert(local, value);
        let result = body(self);
        match before {
            Some(value) => self.locals.insert(local, value),
            None => self.locals.remove(&local),
        };
        result
    }

    /// Does something where names are bound; a value may use the names before its own.
    fn within_all<R>(&mut self, bindings: &[(LocalId, Expr)], body: impl FnOnce(&mut Self) -> R) -> R {
        let bind = |inner: &mut Self, (local, value): &(LocalId, Expr)| {
            let value = inner.value(value);
            (*local, inner.locals.insert(*local, value))
        };
        let before: Vec<_> = bindings.iter().map(|binding| bind(self, binding)).collect();
        let result = body(self);
        for (local, before) in before.into_iter().rev() {
            match before {
                Some(value) => self.locals.insert(local, value),
                None => self.locals.remove(&local),
            };
        }
        result
    }

    fn label_argument(&mut self, action: usize, param: usize) -> S {
        let frame = self.frame();
        match frame.args.get(action) {
            None => S::Scalar(vec![(Value::None, self.circuit.yes())]),
            Some(args) => args[param].below(self.circuit, frame.actions[action]),
        }
    }

    fn action_label(&mut self) -> S {
        let frame = self.frame();
        if frame.actions.is_empty() {
            return S::Scalar(vec![(Value::None, self.circuit.yes())]);
        }
        let id = self.model.action_enum;
        let list = frame.actions.iter().enumerate().map(|(a, l)| (Value::Enum(id, to_u32(a)), *l));
        let list = list.filter(|(_, l)| *l != self.circuit.no());
        // Scalars are sorted by value, and `none` comes first.
        S::Scalar(frame.unlabelled.map(|l| (Value::None, l)).into_iter().chain(list).collect())
    }

    fn at_position(&mut self, value: &Expr, at: LocalId) -> S {
        let saved = self.now;
        let mut cases = Vec::new();
        for (position, selected) in self.positions(at) {
            self.now = Some(position);
            cases.push((selected, self.value(value)));
        }
        self.now = saved;
        S::select(self.circuit, &cases, false)
    }

    /// The value of a state expression in the state before the step to the current one; `none` where no step led there.
    fn previous(&mut self, value: &Expr) -> S {
        let absent = S::Scalar(vec![(Value::None, self.circuit.yes())]);
        let frame = self.frame();
        let labelled = match frame.unlabelled {
            Some(first) => !first,
            None if frame.actions.is_empty() => return absent,
            None => self.circuit.yes(),
        };
        let Some(before) = self.now.and_then(Position::previous) else { return absent };
        let now = self.now.replace(before);
        let value = self.value(value);
        self.now = now;
        match labelled == self.circuit.yes() {
            true => value,
            false => S::select(self.circuit, &[(labelled, value)], true),
        }
    }

    /// True if a state expression holds at no position between two, or before one.
    fn never(&mut self, value: &Expr, after: Option<LocalId>, before: LocalId) -> Lit {
        let (no, count) = (self.circuit.no(), self.frames.len());
        let mut chosen = |name: LocalId| {
            let mut lits = vec![no; count];
            for (position, lit) in self.positions(name) {
                lits.get_mut(position.index()).into_iter().for_each(|place| *place = lit);
            }
            lits
        };
        let starts = after.map(&mut chosen);
        let mut ends = chosen(before);
        // For each position, whether the end is a later one.
        let mut later = no;
        for lit in ends.iter_mut().rev() {
            let here = std::mem::replace(lit, later);
            later = self.circuit.or(later, here);
        }
        let mut begun = if starts.is_some() { no } else { self.circuit.yes() };
        let (saved, mut found) = (self.now, Vec::new());
        for position in Position::all(count) {
            let inside = self.circuit.and(begun, ends[position.index()]);
            if inside != no {
                self.now = Some(position);
                let holds = self.truth(value);
                found.push(self.circuit.and(inside, holds));
            }
            if let Some(starts) = &starts {
                begun = self.circuit.or(begun, starts[position.index()]);
            }
        }
        self.now = saved;
        !self.circuit.any(&found)
    }

    /// The positions that a name can stand for, each with the literal that it does.
    fn positions(&mut self, at: LocalId) -> Vec<(Position, Lit)> {
        match self.local(at) {
            // Computed with large numbers; of positions there are few.
            S::Binary(number) => {
                let positions = Position::all(self.frames.len());
                positions.map(|at| (at, number.is(self.circuit, i64::from(at.to_u32())))).collect()
            }
            listed => {
                let list = listed.as_scalar(self.circuit).into_iter();
                let position = |(value, lit): (Value, Lit)| match value {
                    Value::Int(position) => Some((Position::from_u32(u32::try_from(position).ok()?), lit)),
                    _ => None,
                };
                list.filter_map(position).collect()
            }
        }
    }

    fn index(&mut self, base: &Expr, key: &Expr) -> S {
        let mut optional = key.ty.is_option();
        let mut key = self.value(key);
        if let (Type::Map(keys, _), S::Record { .. } | S::Set { .. } | S::Map { .. }) =
            (base.ty.inner(), &key)
        {
            // The key may have values outside its type, for which there is no entry.
            let (inside, ok) = key.into_type(self.circuit, &self.model.types, keys);
            optional |= ok != self.circuit.yes();
            key = inside.guarded(self.circuit, ok);
        }
        let base = match self.stored(base) {
            Some(stored) => Cow::Borrowed(stored),
            None => Cow::Owned(self.value(base)),
        };
        let S::Map { present, entries } = &*base else {
            return S::Scalar(vec![(Value::None, self.circuit.yes())]);
        };
        let (present, mut cases) = (*present, Vec::new());
        for (k, value) in entries {
            let selected = key.is_value(self.circuit, k);
            if selected != self.circuit.no() {
                self.circuit.spend(value.size());
                cases.push((selected, value.listed_below(self.circuit, present)));
            }
        }
        let found = if cases.is_empty() {
            S::Scalar(vec![(Value::None, self.circuit.yes())])
        } else {
            S::select(self.circuit, &cases, optional)
        };
        found.below(self.circuit, present)
    }

    fn binary(&mut self, op: Op, a: &Expr, b: &Expr) -> S {
        match op {
            Op::And | Op::Or => unreachable!("handled as truth values"),
            Op::Eq => {
                let (left, right) = (self.value(a), self.value(b));
                S::Bool(left.equal(self.circuit, &right))
            }
            Op::Lt | Op::Le => {
                let (left, right) = (self.value(a), self.value(b));
                S::Bool(self.ordered(&left, &right, op == Op::Le))
            }
            Op::In => {
                let element = self.value(a);
                if let Some(lit) = self.one_of(&element, b) {
                    return S::Bool(lit);
                }
                S::Bool(match self.filtered_member(&element, b) {
                    Some(lit) => lit,
                    None => self.member(&element, b),
                })
            }
            Op::Otherwise => {
                let (left, right) = (self.value(a), self.value(b));
                let some = left.is_some(self.circuit);
                let left = match left {
                    S::Scalar(mut list) => {
                        list.retain(|(v, _)| *v != Value::None);
                        S::Scalar(list)
                    }
                    S::Binary(number) => S::Binary(number.without_none(self.circuit)),
                    other => other,
                };
                if some == self.circuit.yes() {
                    return left;
                }
                let selected = S::select(self.circuit, &[(some, left), (!some, right)], false);
                truth_if_total(selected, b)
            }
            Op::Subset => S::Bool(self.subset(a, b)),
            Op::Union | Op::Intersect | Op::Minus => self.set_operation(op, a, b),
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod => {
                let (left, right) = (self.value(a), self.value(b));
                self.arithmetic(op, &left, &right)
            }
        }
    }
}

/// Converts a truth value to an optional one if the type is optional.
fn optional_truth(value: S, ty: &Type) -> S {
    match value {
        S::Bool(lit) if ty.is_option() => {
            S::Scalar(vec![(Value::Bool(false), !lit), (Value::Bool(true), lit)])
        }
        other => other,
    }
}

/// Converts the result of `otherwise` to a plain truth value if its second operand is one.
fn truth_if_total(value: S, default: &Expr) -> S {
    match value {
        S::Scalar(list) if default.ty == Type::Bool => match literal_of(&list, &Value::Bool(true)) {
            Some(l) => S::Bool(l),
            None => S::Scalar(list),
        },
        other => other,
    }
}
