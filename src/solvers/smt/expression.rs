//! Expressions as symbolic values, after the reference semantics ([`lang::model::eval`]).

mod collections;
mod numbers;

use super::script::Script;
use super::symbolic::{Body, TermValue};
use super::term::{Number, Terms, Truth};
use lang::model::Model;
use lang::model::expr::{Expr, ExprKind, LocalId, Op, Quantifier};
use lang::model::types::Type;
use rustc_hash::FxHashMap;

/// The label of the step that led to a position.
#[derive(Debug)]
pub struct StepLabel {
    /// The index of the action.
    pub action: Number,
    /// For each action, its arguments, which mean something if it is the one.
    pub args: Vec<Vec<TermValue>>,
}

/// A position of a trace.
#[derive(Debug, Clone, Copy)]
pub struct SmtPosition<'a> {
    /// The values of the variables.
    pub state: &'a [TermValue],
    /// The label of the step that led there, if one did.
    pub label: Option<&'a StepLabel>,
}

/// Translates expressions over a state, a step or a trace.
pub struct Translator<'a> {
    /// Where the terms are made.
    pub script: &'a mut Script,
    model: &'a Model,
    state: &'a [TermValue],
    label: Option<&'a StepLabel>,
    next: Option<&'a [TermValue]>,
    trace: &'a [SmtPosition<'a>],
    /// The position of the state in the trace, where it is read at one.
    position: Option<usize>,
    locals: FxHashMap<LocalId, TermValue>,
}

impl<'a> Translator<'a> {
    /// For expressions over a state.
    pub fn new(script: &'a mut Script, model: &'a Model, state: &'a [TermValue]) -> Self {
        let (label, next, position, locals) = (None, None, None, FxHashMap::default());
        Self { script, model, state, label, next, trace: &[], position, locals }
    }

    /// For expressions over a trace, whose positions are bound as constants.
    pub fn over_trace(script: &'a mut Script, model: &'a Model, trace: &'a [SmtPosition<'a>]) -> Self {
        Self { trace, ..Self::new(script, model, &[]) }
    }

    /// Sets the label of the step that led to the state, if one did.
    pub fn with_label(mut self, label: Option<&'a StepLabel>) -> Self {
        self.label = label;
        self
    }

    /// Sets the next state.
    pub fn with_next(mut self, next: &'a [TermValue]) -> Self {
        self.next = Some(next);
        self
    }

    /// Gives a bound name its value.
    pub fn bind(&mut self, local: LocalId, value: TermValue) {
        self.locals.insert(local, value);
    }

    fn terms(&mut self) -> &mut Terms {
        &mut self.script.terms
    }

    /// True if an expression is true.
    pub fn truth(&mut self, expr: &Expr) -> Truth {
        if !self.terms().goes_on() {
            return Terms::NO;
        }
        match &expr.kind {
            ExprKind::Not(operand) => {
                let operand = self.truth(operand);
                self.terms().not(operand)
            }
            ExprKind::Binary(Op::And, ..) => {
                let parts = expr.conjuncts().into_iter().map(|part| self.truth(part)).collect();
                self.terms().all(parts)
            }
            ExprKind::Binary(Op::Or, left, right) => {
                let (left, right) = (self.truth(left), self.truth(right));
                self.terms().or(left, right)
            }
            ExprKind::Binary(Op::In, element, set) => {
                let element = self.value(element);
                self.is_member(&element, set)
            }
            ExprKind::Binary(op @ (Op::Eq | Op::Lt | Op::Le | Op::Subset), left, right) => {
                let (left, right) = (self.value(left), self.value(right));
                self.compared(*op, &left, &right)
            }
            ExprKind::IsSome(operand) => self.value(operand).present,
            ExprKind::Quant { quantifier, local, set, body } => {
                self.quantified(*quantifier, *local, set, body)
            }
            ExprKind::If(condition, then, otherwise) => {
                let condition = self.truth(condition);
                let (then, otherwise) = (self.truth(then), self.truth(otherwise));
                self.terms().ite(condition, then, otherwise)
            }
            ExprKind::Let { bindings, body } => self.within_all(bindings, |inner| inner.truth(body)),
            ExprKind::Never { value, after, before } => {
                let start = after.map_or(Some(0), |after| self.position_of(after).map(|at| at + 1));
                let end = self.position_of(*before).unwrap_or(0).min(self.trace.len());
                let between = start.unwrap_or(end)..end;
                let there = |at| {
                    let value = self.at(value, Some(at));
                    value.is_true(self.terms())
                };
                let found = between.map(there).collect();
                let found = self.terms().any(found);
                self.terms().not(found)
            }
            _ => {
                let value = self.value(expr);
                value.is_true(self.terms())
            }
        }
    }

    /// The value of an expression.
    pub fn value(&mut self, expr: &Expr) -> TermValue {
        if !self.terms().goes_on() {
            return TermValue::absent();
        }
        match &expr.kind {
            ExprKind::Const(value) => TermValue::constant(self.terms(), value),
            ExprKind::Var(var) => self.state[var.0 as usize].clone(),
            ExprKind::Next(var) => match self.next {
                Some(next) => next[var.0 as usize].clone(),
                None => unreachable!("the checker allows primes in step formulas only"),
            },
            ExprKind::ActionLabel => match self.label {
                Some(label) => TermValue::there(Body::Enum(self.model.action_enum, label.action)),
                None => TermValue::absent(),
            },
            ExprKind::LabelArg { action, param } => self.label_argument(*action, *param),
            ExprKind::Local(local) => match self.locals.get(local) {
                Some(value) => value.clone(),
                None => unreachable!("the checker resolves every name to one that is bound"),
            },
            ExprKind::Let { bindings, body } => self.within_all(bindings, |inner| inner.value(body)),
            ExprKind::At { value, at } => {
                let position = self.position_of(*at);
                self.at(value, position)
            }
            ExprKind::Previous(value) => {
                let step = self.position.filter(|_| self.label.is_some());
                let before = step.and_then(|position| position.checked_sub(1));
                self.at(value, before)
            }
            ExprKind::Field(base, field) => {
                let base = self.value(base);
                match &base.body {
                    Body::Record(_, fields) => fields[*field].clone().only_if(self.terms(), base.present),
                    _ => TermValue::absent(),
                }
            }
            ExprKind::Index(map, key) => self.entry(map, key),
            ExprKind::Record(_) | ExprKind::With(..) => self.record(expr),
            ExprKind::SetLiteral(_) | ExprKind::Filter { .. } | ExprKind::MapOf { .. } => {
                self.collection(expr)
            }
            ExprKind::Size(set) => self.size(set),
            ExprKind::Neg(operand) => {
                let operand = self.value(operand);
                let zero = TermValue::there(Body::Int(self.terms().int(0)));
                self.arithmetic(Op::Sub, &zero, &operand)
            }
            ExprKind::If(condition, then, otherwise) => {
                let condition = self.truth(condition);
                match condition {
                    Terms::YES => self.value(then),
                    Terms::NO => self.value(otherwise),
                    _ => {
                        let (then, otherwise) = (self.value(then), self.value(otherwise));
                        TermValue::select(self.terms(), condition, &then, &otherwise)
                    }
                }
            }
            ExprKind::Fold { fold, local, set, body } => self.folded(*fold, *local, set, body),
            ExprKind::Binary(op, left, right) if !is_truth(*op) => self.binary(*op, left, right),
            ExprKind::Not(_)
            | ExprKind::IsSome(_)
            | ExprKind::Quant { .. }
            | ExprKind::Never { .. }
            | ExprKind::Binary(..) => TermValue::bool(self.truth(expr)),
        }
    }

    /// The position that a name stands for; `None` before the first one.
    fn position_of(&mut self, name: LocalId) -> Option<usize> {
        let position = self.locals.get(&name).and_then(TermValue::number);
        let position = position.and_then(|number| self.terms().value(number));
        let Some(position) = position else { unreachable!("positions are bound as constants") };
        usize::try_from(position).ok()
    }

    /// The value of a state expression at a position; `none` outside of the trace.
    fn at(&mut self, value: &Expr, position: Option<usize>) -> TermValue {
        let moment = position.and_then(|position| self.trace.get(position));
        let Some(&SmtPosition { state, label }) = moment else { return TermValue::absent() };
        let outer = (self.state, self.label, self.position);
        (self.state, self.label, self.position) = (state, label, position);
        let value = self.value(value);
        (self.state, self.label, self.position) = outer;
        value
    }

    fn label_argument(&mut self, action: usize, param: usize) -> TermValue {
        let Some(label) = self.label else { return TermValue::absent() };
        let index = self.terms().int(action as i128);
        let taken = self.terms().equal(label.action, index);
        label.args[action][param].clone().only_if(self.terms(), taken)
    }

    fn within<R>(&mut self, local: LocalId, value: TermValue, body: impl FnOnce(&mut Self) -> R) -> R {
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

    fn compared(&mut self, op: Op, left: &TermValue, right: &TermValue) -> Truth {
        let terms = self.terms();
        let there = terms.and(left.present, right.present);
        match (op, &left.body, &right.body) {
            (Op::Eq, ..) => left.equal(terms, right),
            (Op::Lt | Op::Le, Body::Int(a), Body::Int(b))
            | (Op::Lt | Op::Le, Body::Enum(_, a), Body::Enum(_, b)) => {
                let ordered = if op == Op::Lt { terms.less(*a, *b) } else { terms.at_most(*a, *b) };
                terms.and(there, ordered)
            }
            (Op::Subset, Body::Set(a), Body::Set(b)) => self.subset(there, a, b),
            _ => Terms::NO,
        }
    }

    fn binary(&mut self, op: Op, left: &Expr, right: &Expr) -> TermValue {
        let left = self.value(left);
        if op == Op::Otherwise && left.present == Terms::YES {
            return left;
        }
        let right = self.value(right);
        match op {
            Op::Otherwise => TermValue::select(self.terms(), left.present, &left, &right),
            Op::Union | Op::Intersect | Op::Minus => self.set_operation(op, &left, &right),
            _ => self.arithmetic(op, &left, &right),
        }
    }

    fn quantified(&mut self, quantifier: Quantifier, local: LocalId, set: &Expr, body: &Expr) -> Truth {
        let set = self.value(set);
        let mut parts = Vec::new();
        for (member, inside) in set.members(self.terms()) {
            if !self.terms().goes_on() {
                return Terms::NO;
            }
            if inside == Terms::NO {
                continue;
            }
            let member = TermValue::constant(self.terms(), &member);
            let holds = self.within(local, member, |inner| inner.truth(body));
            let part = match quantifier {
                Quantifier::Forall => self.terms().implies(inside, holds),
                Quantifier::Exists => self.terms().and(inside, holds),
            };
            parts.push(part);
        }
        match quantifier {
            Quantifier::Forall => self.terms().all(parts),
            Quantifier::Exists => self.terms().any(parts),
        }
    }

    /// The value of a map at a key; `none` if there is no such entry.
    fn entry(&mut self, map: &Expr, key: &Expr) -> TermValue {
        let key = self.value(key);
        let Type::Map(key_type, _) = map.ty.inner() else { return TermValue::absent() };
        let map = self.value(map);
        let Body::Map(entries) = &map.body else { return TermValue::absent() };
        let types = &self.model.types;
        let terms = &mut self.script.terms;
        let exists = key.fits(terms, types, key_type);
        let exists = terms.and(exists, key.present);
        let mut found: Option<TermValue> = None;
        for (at, value) in entries.iter() {
            let here = key.is_value(terms, at);
            if here == Terms::NO {
                continue;
            }
            found = Some(match found {
                None => value.clone(),
                Some(others) => TermValue::select(terms, here, value, &others),
            });
        }
        let there = terms.and(map.present, exists);
        found.map_or(TermValue::absent(), |value| value.only_if(terms, there))
    }

    fn record(&mut self, expr: &Expr) -> TermValue {
        match &expr.kind {
            ExprKind::Record(parts) => {
                let Type::Record(id) = expr.ty.inner() else { unreachable!("a record has a record type") };
                TermValue::there(Body::Record(*id, parts.iter().map(|part| self.value(part)).collect()))
            }
            ExprKind::With(base, changes) => {
                let base = self.value(base);
                let Body::Record(id, fields) = &base.body else { return TermValue::absent() };
                let mut fields = fields.to_vec();
                for (field, value) in changes {
                    fields[*field] = self.value(value);
                }
                TermValue { present: base.present, body: Body::Record(*id, fields.into()) }
            }
            _ => unreachable!("only records are asked for"),
        }
    }
}

/// True if the operator gives a truth value.
fn is_truth(op: Op) -> bool {
    matches!(op, Op::Or | Op::And | Op::Eq | Op::Lt | Op::Le | Op::In | Op::Subset)
}
