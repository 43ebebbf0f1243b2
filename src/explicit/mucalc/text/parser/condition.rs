//! Truth of expressions. Quantifiers in them become those of formulas, so that `val(exists n: Nat . e)` is `exists n: Nat . val(e)`.

use crate::mucalc::text::tree::{Action, Data, DataKind, State, StateKind, Variable};

/// The states where an expression is true: all or none.
pub fn of_states(condition: Data) -> State {
    let span = condition.span;
    let boxed = |part: Box<Data>| Box::new(of_states(*part));
    let kind = match taken_apart(condition) {
        Parts::Whole(condition) => StateKind::Val(condition),
        Parts::Not(of) => StateKind::Not(boxed(of)),
        Parts::And(a, b) => StateKind::And(vec![of_states(*a), of_states(*b)]),
        Parts::Or(a, b) => StateKind::Or(vec![of_states(*a), of_states(*b)]),
        Parts::Implies(a, b) => StateKind::Implies(boxed(a), boxed(b)),
        Parts::Quantifier(all, variables, body) => {
            StateKind::Quantifier { all, variables, body: boxed(body) }
        }
    };
    State { kind, span }
}

/// The labels with which an expression is true: all or none.
pub fn of_actions(condition: Data) -> Action {
    match taken_apart(condition) {
        Parts::Whole(condition) => Action::Val(condition),
        Parts::Not(of) => Action::Not(Box::new(of_actions(*of))),
        Parts::And(a, b) => Action::And(vec![of_actions(*a), of_actions(*b)]),
        Parts::Or(a, b) => Action::Or(vec![of_actions(*a), of_actions(*b)]),
        Parts::Implies(a, b) => Action::Or(vec![Action::Not(Box::new(of_actions(*a))), of_actions(*b)]),
        Parts::Quantifier(all, variables, body) => {
            Action::Quantifier { all, variables, body: Box::new(of_actions(*body)) }
        }
    }
}

/// An expression as far as quantifiers stand under connectives.
enum Parts {
    /// Without quantifiers, or with one where only an expression can stand.
    Whole(Data),
    Not(Box<Data>),
    And(Box<Data>, Box<Data>),
    Or(Box<Data>, Box<Data>),
    Implies(Box<Data>, Box<Data>),
    Quantifier(bool, Vec<Variable>, Box<Data>),
}

fn taken_apart(condition: Data) -> Parts {
    if !has_quantifier(&condition) {
        return Parts::Whole(condition);
    }
    match condition.kind {
        DataKind::Unary("not", of) => Parts::Not(of),
        DataKind::Binary("and", a, b) => Parts::And(a, b),
        DataKind::Binary("or", a, b) => Parts::Or(a, b),
        DataKind::Binary("implies", a, b) => Parts::Implies(a, b),
        DataKind::Quantifier { all, variables, body } => Parts::Quantifier(all, variables, body),
        _ => Parts::Whole(condition),
    }
}

fn has_quantifier(data: &Data) -> bool {
    match &data.kind {
        DataKind::Quantifier { .. } => true,
        DataKind::Number(_) | DataKind::Bool(_) => false,
        DataKind::Name(_, parts) | DataKind::List(parts) | DataKind::Set(parts) => {
            parts.iter().any(has_quantifier)
        }
        DataKind::Unary(_, of) => has_quantifier(of),
        DataKind::Binary(_, a, b) => has_quantifier(a) || has_quantifier(b),
    }
}
