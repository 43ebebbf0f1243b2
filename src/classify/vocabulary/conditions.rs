//! Words for the conditions under which steps break an invariant, in the language of models: `withdraw.n > pre bal`.

use super::word::RestrictedObservable;
use crate::causes::condition::breaking_condition;
use crate::facts::problem::Problem;
use itertools::Itertools;
use lang::model::expr::{Expr, ExprKind, LocalId, Op};
use lang::model::types::Type;
use lang::model::{
    Action, FactText, Local, Model, Observable, ParameterText, TraceFormula, TraceFormulaText,
};

/// The greatest number of literals.
const MOST_LITERALS: usize = 24;

/// The greatest length of the text of a literal.
const LONGEST: usize = 60;

/// Returns the literals of the conditions under which steps break the invariant, as truth values that hold after such a step; of a choice its
/// alternatives, since each can be a kind of its own. Only comparisons of an
/// argument are taken: other conditions say of the state before a step what the invariant says of that after it.
pub(super) fn breaking_literals(problem: Problem<'_>) -> Vec<RestrictedObservable> {
    let model = problem.model;
    let of_action = |number: usize| {
        let (action, condition) = (&model.actions[number], breaking_condition(problem, number));
        let condition = condition.filter(|parts| !parts.iter().any(is_false)).unwrap_or_default();
        condition.iter().flat_map(|literal| after_steps(model, action, literal)).collect::<Vec<_>>()
    };
    let texts = (0..model.actions.len()).flat_map(of_action).unique().take(MOST_LITERALS);
    texts.filter_map(|text| Some(RestrictedObservable::named(&text, observable(model, &text)?))).collect()
}

/// True for the literal that never holds.
pub(super) fn is_false(expr: &Expr) -> bool {
    expr.kind == Expr::bool(false, expr.span).kind
}

/// Returns the alternatives of a choice.
pub(super) fn alternatives(part: &Expr) -> Vec<Expr> {
    match &part.kind {
        ExprKind::Binary(Op::Or, a, b) => [a, b].into_iter().flat_map(|part| alternatives(part)).collect(),
        _ => vec![part.clone()],
    }
}

/// Returns the text for a literal, or the texts for the alternatives of a choice.
fn after_steps(model: &Model, action: &Action, literal: &Expr) -> Vec<String> {
    let text = |part: &Expr| {
        let text = compared(model, action, part).or_else(|| with_constant(model, action, part));
        text.filter(|text| text.len() <= LONGEST)
    };
    alternatives(literal).iter().filter_map(text).collect()
}

fn parameter(action: &Action, local: LocalId) -> Option<&Local> {
    action.params.iter().find(|param| param.local == local)
}

/// Returns the text of the steps in which an argument has a value: `learn(n: Nb)`.
fn with_constant(model: &Model, action: &Action, literal: &Expr) -> Option<String> {
    let ExprKind::Binary(Op::Eq, a, b) = &literal.kind else { return None };
    let (ExprKind::Local(local), ExprKind::Const(value)) = (&a.kind, &b.kind) else { return None };
    let param = parameter(action, *local)?;
    Some(format!("{}({}: {})", action.name, param.name, model.types.show_value(value)))
}

/// Returns the text of an inequality between arguments and the state before: `withdraw.n > pre bal`. It holds after no step of another action, as
/// there are no arguments then.
fn compared(model: &Model, action: &Action, literal: &Expr) -> Option<String> {
    let ExprKind::Binary(op @ (Op::Lt | Op::Le), a, b) = &literal.kind else { return None };
    let argument = |expr: &Expr| {
        let ExprKind::Local(local) = expr.kind else { return None };
        Some(format!("{}.{}", action.name, parameter(action, local)?.name))
    };
    let state = |expr: &Expr| {
        let text = model.text(expr, &|_| None).filter(|_| expr.reads_state())?;
        let is_plain = text.chars().all(|c| c.is_alphanumeric() || "_.".contains(c));
        Some(if is_plain { format!("pre {text}") } else { format!("pre({text})") })
    };
    let sign = |op: &Op, less: &'static str, equal: &'static str| if *op == Op::Lt { less } else { equal };
    if let (Some(argument), Some(state)) = (argument(a), state(b)) {
        return Some(format!("{argument} {} {state}", sign(op, "<", "<=")));
    }
    Some(format!("{} {} {}", argument(b)?, sign(op, ">", ">="), state(a)?))
}

/// Reads a truth value about a step.
fn observable(model: &Model, text: &str) -> Option<Observable> {
    let (position, ty) = ("t_".to_owned(), "pos".to_owned());
    let holds = format!("({text})@{position}");
    let formula = TraceFormulaText {
        parameters: vec![ParameterText { name: position, ty }],
        facts: vec![FactText { holds, nowhere: None }],
        of_each: false,
    };
    let parts = TraceFormula::read(model, &formula).ok()?.parts;
    let values = parts.into_iter().map(|part| match part.expr.kind {
        ExprKind::At { value, .. } if value.ty == Type::Bool => Some(*value),
        _ => None,
    });
    let expr = Expr::all(values.collect::<Option<Vec<_>>>()?, Default::default());
    Some(Observable { text: format!("({text})"), span: Default::default(), expr })
}
