//! Truth of expressions. Quantifiers in them become those of formulas, so that `val(exists n: Nat . e)` is `exists n: Nat . val(e)`.

use crate::mucalc::text::tree::{Data, DataKind, LabelSetSyntax, StateKind, StateSyntax, TypedVariable};

/// The states where an expression is true: all or none.
pub fn of_states(condition: Data) -> StateSyntax {
    let span = condition.span;
    let boxed = |part: Box<Data>| Box::new(of_states(*part));
    let kind = match taken_apart(condition) {
        Connective::Whole(condition) => StateKind::Val(condition),
        Connective::Not(of) => StateKind::Not(boxed(of)),
        Connective::And(a, b) => StateKind::And(vec![of_states(*a), of_states(*b)]),
        Connective::Or(a, b) => StateKind::Or(vec![of_states(*a), of_states(*b)]),
        Connective::Implies(a, b) => StateKind::Implies(boxed(a), boxed(b)),
        Connective::Quantifier(all, variables, body) => {
            StateKind::Quantifier { all, variables, body: boxed(body) }
        }
    };
    StateSyntax { kind, span }
}

/// The labels with which an expression is true: all or none.
pub fn of_actions(condition: Data) -> LabelSetSyntax {
    match taken_apart(condition) {
        Connective::Whole(condition) => LabelSetSyntax::Val(condition),
        Connective::Not(of) => LabelSetSyntax::Not(Box::new(of_actions(*of))),
        Connective::And(a, b) => LabelSetSyntax::And(vec![of_actions(*a), of_actions(*b)]),
        Connective::Or(a, b) => LabelSetSyntax::Or(vec![of_actions(*a), of_actions(*b)]),
        Connective::Implies(a, b) => {
            LabelSetSyntax::Or(vec![LabelSetSyntax::Not(Box::new(of_actions(*a))), of_actions(*b)])
        }
        Connective::Quantifier(all, variables, body) => {
            LabelSetSyntax::Quantifier { all, variables, body: Box::new(of_actions(*body)) }
        }
    }
}

/// An expression as far as quantifiers stand under connectives.
enum Connective {
    /// Without quantifiers, or with one where only an expression can stand.
    Whole(Data),
    Not(Box<Data>),
    And(Box<Data>, Box<Data>),
    Or(Box<Data>, Box<Data>),
    Implies(Box<Data>, Box<Data>),
    Quantifier(bool, Vec<TypedVariable>, Box<Data>),
}

fn taken_apart(condition: Data) -> Connective {
    if !has_quantifier(&condition) {
        return Connective::Whole(condition);
    }
    match condition.kind {
        DataKind::Unary("not", of) => Connective::Not(of),
        DataKind::Binary("and", a, b) => Connective::And(a, b),
        DataKind::Binary("or", a, b) => Connective::Or(a, b),
        DataKind::Binary("implies", a, b) => Connective::Implies(a, b),
        DataKind::Quantifier { all, variables, body } => Connective::Quantifier(all, variables, body),
        _ => Connective::Whole(condition),
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
