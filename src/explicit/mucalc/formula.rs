//! Formulas in which every name is known.

use super::expr::{Expr, Slot, Slots};
use super::value::Value;
use crate::lts::property::{self, Atom};
use kit::diagnostics::Span;

/// A formula over the labels of one system.
#[derive(Debug, Clone)]
pub struct Formula {
    /// The body.
    pub root: State,
    /// The names of its variables for data.
    pub slots: Vec<String>,
    /// The names of its fixpoints.
    pub fixpoints: Vec<String>,
}

/// A fixpoint: its number among those of the formula.
pub type FixpointId = usize;

#[derive(Debug, Clone)]
pub enum State {
    Bool(bool),
    /// All states if the expression is true, else none.
    Val(Expr, Span),
    /// The others.
    Not(Box<State>),
    /// Conjunction.
    And(Vec<State>),
    /// Disjunction.
    Or(Vec<State>),
    /// `[R] f` if `all`, else `<R> f`
    Modal(bool, Regular, Box<State>),
    Fixpoint(Box<Fixpoint>),
    Call(FixpointId, Vec<(Slot, Expr)>),
    /// For all values, or for one.
    Bind(Bind, Box<State>),
}

#[derive(Debug, Clone)]
pub struct Fixpoint {
    pub id: FixpointId,
    pub greatest: bool,
    /// Its parameters with their first values.
    pub parameters: Vec<(Slot, Expr)>,
    pub body: State,
}

/// A variable and the values that matter: with all others, what is said of it is true if `all`, else false.
#[derive(Debug, Clone)]
pub struct Bind {
    /// True if it is for all values.
    pub all: bool,
    pub slot: Slot,
    pub values: Vec<Value>,
}

/// A set of sequences of actions.
pub type Regular = property::Regular<Action>;

#[derive(Debug, Clone)]
pub enum Action {
    /// All, or none.
    Bool(bool),
    /// All if the expression is true, else none.
    Val(Expr, Span),
    /// Labels without data.
    Atom(Atom, Span),
    /// Actions with data, in the order of their names.
    Multi(Vec<(String, Vec<Expr>)>, Span),
    /// All others.
    Not(Box<Action>),
    /// Those in all of them.
    And(Vec<Action>),
    /// Those in one of them.
    Or(Vec<Action>),
    /// For all values, or for one.
    Bind(Bind, Box<Action>),
}

impl Action {
    /// The variables that it reads but does not bind.
    pub fn slots(&self) -> Slots {
        match self {
            Action::Bool(_) | Action::Atom(..) => 0,
            Action::Val(expr, _) => expr.slots(),
            Action::Multi(actions, _) => {
                actions.iter().flat_map(|(_, arguments)| arguments).fold(0, |all, e| all | e.slots())
            }
            Action::Not(action) => action.slots(),
            Action::And(parts) | Action::Or(parts) => parts.iter().fold(0, |all, part| all | part.slots()),
            Action::Bind(bind, action) => action.slots() & !(1 << bind.slot),
        }
    }
}

impl State {
    /// The variables that it reads but does not bind.
    pub fn slots(&self) -> Slots {
        match self {
            State::Bool(_) => 0,
            State::Val(expr, _) => expr.slots(),
            State::Not(of) => of.slots(),
            State::And(parts) | State::Or(parts) => parts.iter().fold(0, |all, part| all | part.slots()),
            State::Modal(_, regular, then) => {
                let mut all = then.slots();
                regular.for_each(&mut |action| all |= action.slots());
                all
            }
            State::Fixpoint(fixpoint) => {
                let first = fixpoint.parameters.iter().fold(0, |all, (_, e)| all | e.slots());
                let own = fixpoint.parameters.iter().fold(0, |all, (slot, _)| all | 1 << slot);
                first | (fixpoint.body.slots() & !own)
            }
            State::Call(_, arguments) => arguments.iter().fold(0, |all, (_, e)| all | e.slots()),
            State::Bind(bind, of) => of.slots() & !(1 << bind.slot),
        }
    }
}
