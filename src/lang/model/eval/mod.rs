//! The reference semantics: the values of expressions, the initial states and the possible steps.
//!
//! It is independent of solvers and search. The results of the encoding and of the explorer are checked
//! against it.

mod expression;
mod fault;
mod place;
mod step;

pub use expression::apply as operator_value;
pub use expression::folded;
pub use fault::{FaultCause, TraceFault};
pub use place::{Place, PlaceStep};
pub use step::arguments;
pub use step::{allows_step, initial_fault, is_initial, step_fault, successor};
pub use step::{check_trace, failing_conjuncts, first_violation};

use super::expr::{Expr, LocalId};
use super::types::{EnumId, Types};
use super::value::{Label, Moment, State, Value};
use super::{Model, Position};
use std::borrow::Cow;

/// Everything an expression can refer to: states, the label, a trace, the values of bound names.
///
/// # Panics
/// Evaluation panics on an expression that refers to something the scope lacks (a next state outside a
/// step, an unbound name). The checker rejects such models, so this is an error of the caller.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'a> {
    types: &'a Types,
    action_enum: EnumId,
    /// Ends the evaluation of what must be a constant.
    watch: Option<&'a dyn ConstantWatch>,
    state: Option<&'a State>,
    label: Option<&'a Label>,
    next: Option<&'a State>,
    trace: &'a [Moment],
    /// The position of the current state in the trace, where it is read at one.
    at: Option<usize>,
    bound: &'a [(LocalId, Value)],
    inner: Option<&'a ScopeBinding<'a>>,
}

/// Watches the evaluation of what must be a constant.
pub(super) trait ConstantWatch: std::fmt::Debug {
    /// Counts an expression; false if the evaluation is to end.
    fn count(&self) -> bool;
    /// False once the evaluation is to end.
    fn goes_on(&self) -> bool;
    /// Ends the evaluation: the value is not constant.
    fn stop(&self);
}

/// Names bound inside the expression, and the enclosing bindings.
#[derive(Debug)]
struct ScopeBinding<'a> {
    names: BoundNames<'a>,
    outer: Option<&'a ScopeBinding<'a>>,
}

/// Names that are bound at the same time, with their values.
#[derive(Debug)]
enum BoundNames<'a> {
    One(LocalId, &'a Value),
    Several(&'a [(LocalId, Value)]),
}

impl<'a> BoundNames<'a> {
    fn value(&self, name: LocalId) -> Option<&'a Value> {
        match *self {
            Self::One(local, value) => (local == name).then_some(value),
            Self::Several(list) => {
                // Most lists are in the order of their names.
                let ordered = list.binary_search_by_key(&name, |(local, _)| *local).ok();
                let place = ordered.or_else(|| list.iter().rposition(|(local, _)| *local == name));
                place.map(|place| &list[place].1)
            }
        }
    }
}

impl<'a> Scope<'a> {
    /// A scope that provides constants only.
    pub fn new(model: &'a Model) -> Self {
        let (types, action_enum, watch) = (&model.types, model.action_enum, None);
        let (state, label, next, at, inner) = (None, None, None, None, None);
        Self { types, action_enum, watch, state, label, next, trace: &[], at, bound: &[], inner }
    }

    /// The value of an expression, unless it depends on the state, the step, a position or a name bound around it, or the evaluation ends
    /// before.
    pub(super) fn constant(types: &'a Types, watch: &'a dyn ConstantWatch, expr: &'a Expr) -> Option<Value> {
        let (state, label, next, at, inner) = (None, None, None, None, None);
        let (action_enum, watched) = (EnumId(0), Some(watch));
        let scope = Self {
            types,
            action_enum,
            watch: watched,
            state,
            label,
            next,
            trace: &[],
            at,
            bound: &[],
            inner,
        };
        Some(scope.value(expr)).filter(|_| watch.goes_on())
    }

    /// Sets the current state.
    #[must_use]
    pub fn with_state(self, state: &'a State) -> Self {
        Self { state: Some(state), ..self }
    }

    /// Sets the current state and label to those of `moment`.
    #[must_use]
    pub fn with_moment(self, moment: &'a Moment) -> Self {
        Self { state: Some(&moment.state), label: moment.label.as_ref(), at: None, ..self }
    }

    /// Sets the next state.
    #[must_use]
    pub fn with_next(self, next: &'a State) -> Self {
        Self { next: Some(next), ..self }
    }

    /// Sets the trace that positions refer to.
    #[must_use]
    pub fn with_trace(self, trace: &'a [Moment]) -> Self {
        Self { trace, ..self }
    }

    /// Sets the values of bound names; a position of the trace is a [`Value::Int`].
    #[must_use]
    pub fn with_locals(self, bound: &'a [(LocalId, Value)]) -> Self {
        Self { bound, ..self }
    }

    /// Evaluates an expression.
    pub fn value(&self, expr: &'a Expr) -> Value {
        self.look(expr).into_owned()
    }

    /// Evaluates a truth-valued expression.
    pub fn holds(&self, expr: &'a Expr) -> bool {
        self.look(expr).is_true()
    }

    /// Evaluates an expression, borrowing the value where it is part of the scope or of the expression.
    pub fn look(&self, expr: &'a Expr) -> Cow<'a, Value> {
        expression::look(self, expr)
    }

    /// Evaluates `expr` with `local` bound to `value`.
    fn look_with(&self, local: LocalId, value: &Value, expr: &Expr) -> Value {
        self.look_below(BoundNames::One(local, value), expr)
    }

    fn look_below(&self, names: BoundNames<'_>, expr: &Expr) -> Value {
        let binding = ScopeBinding { names, outer: self.inner };
        let inner = Scope { inner: Some(&binding), ..*self };
        expression::look(&inner, expr).into_owned()
    }

    /// Evaluates `body` with names bound, each to its value where those before it are bound.
    fn look_let(&self, bindings: &[(LocalId, Expr)], body: &Expr) -> Value {
        if let [(local, value)] = bindings {
            return self.look_with(*local, &expression::look(self, value), body);
        }
        let mut values: Vec<(LocalId, Value)> = Vec::with_capacity(bindings.len());
        for (local, value) in bindings {
            let value = self.look_below(BoundNames::Several(&values), value);
            values.push((*local, value));
        }
        self.look_below(BoundNames::Several(&values), body)
    }

    /// The value of a bound name, if it has one; inner bindings shadow outer ones.
    fn known_local(&self, local: LocalId) -> Option<&'a Value> {
        let mut binding = self.inner;
        while let Some(b) = binding {
            if let Some(value) = b.names.value(local) {
                return Some(value);
            }
            binding = b.outer;
        }
        self.bound.iter().rev().find(|(l, _)| *l == local).map(|(_, value)| value)
    }

    fn local(&self, local: LocalId) -> &'a Value {
        let found = self.known_local(local);
        found.unwrap_or_else(|| panic!("bound name {} has no value in this scope", local.0))
    }
}

/// Evaluates a state expression in a moment; it may read the label.
pub fn eval_state(model: &Model, expr: &Expr, moment: &Moment) -> Value {
    Scope::new(model).with_moment(moment).value(expr)
}

/// Evaluates a state expression at a position of a trace; it may read the label and the state before.
///
/// # Panics
/// If the trace has no such position.
pub fn eval_at(model: &Model, expr: &Expr, trace: &[Moment], at: Position) -> Value {
    let at = at.index();
    Scope { at: Some(at), ..Scope::new(model).with_trace(trace).with_moment(&trace[at]) }.value(expr)
}

/// Evaluates an expression over a step, given the values of the action's parameters.
pub fn eval_step(
    model: &Model,
    expr: &Expr,
    before: &Moment,
    after: &State,
    locals: &[(LocalId, Value)],
) -> Value {
    Scope::new(model).with_moment(before).with_next(after).with_locals(locals).value(expr)
}

/// Evaluates a predicate body over a trace. Positions are bound as [`Value::Int`], from 0; reading
/// at a position outside the trace gives `none`.
pub fn eval_trace(model: &Model, expr: &Expr, trace: &[Moment], bound: &[(LocalId, Value)]) -> Value {
    Scope::new(model).with_trace(trace).with_locals(bound).value(expr)
}
