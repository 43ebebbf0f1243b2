//! Variables that have one value for ever.

use super::fold::is_constant;
use crate::diagnostics::Diagnostic;
use crate::model::expr::{Expr, ExprKind, Op, VarId};
use crate::model::{Action, Variable};

/// Warnings about variables to which `init` gives a value and no action gives another one. What `init` leaves open is chosen once, and can
/// be no constant. Parts of components are what their other importers need.
pub(super) fn warnings(variables: &[Variable], init: &[Expr], actions: &[Action]) -> Vec<Diagnostic> {
    let mut given = Vec::new();
    init.iter().for_each(|formula| collect_given(formula, &mut given));
    let is_assigned = |id: VarId| {
        actions.iter().any(|a| a.modifies.contains(&id) || a.updates.iter().any(|update| update.var == id))
    };
    let warn = |(variable, index): (&Variable, u32)| {
        let is_fixed = given.contains(&VarId(index)) && !is_assigned(VarId(index));
        (is_fixed && !actions.is_empty() && !variable.name.contains('.')).then(|| {
            let message = format!("no action assigns `{}`, so it keeps its first value", variable.name);
            let help = "assign it in an action, or declare it with `const`";
            Diagnostic::warning(variable.span, message).with_help(help)
        })
    };
    variables.iter().zip(0..).filter_map(warn).collect()
}

/// Collects the variables whose value a formula gives.
fn collect_given(formula: &Expr, given: &mut Vec<VarId>) {
    match &formula.kind {
        ExprKind::Binary(Op::And, a, b) => [a, b].into_iter().for_each(|part| collect_given(part, given)),
        ExprKind::Binary(Op::Eq, a, b) => match (&a.kind, &b.kind) {
            (ExprKind::Var(id), _) if is_constant(b) => given.push(*id),
            (_, ExprKind::Var(id)) if is_constant(a) => given.push(*id),
            _ => {}
        },
        ExprKind::Var(id) => given.push(*id),
        ExprKind::Not(inner) => {
            if let ExprKind::Var(id) = inner.kind {
                given.push(id);
            }
        }
        _ => {}
    }
}
