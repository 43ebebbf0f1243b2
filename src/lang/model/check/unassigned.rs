//! Variables that have one value for ever.

use crate::model::expr::{Expr, ExprKind, Op, VarId};
use crate::model::{Action, Variable};
use kit::diagnostics::Diagnostic;
use rustc_hash::FxHashSet;

/// Warnings about variables to which `init` gives a value and no action gives another one. What `init` leaves open is chosen once, and can
/// be no constant. Parts of components are what their other importers need.
pub(super) fn warnings(variables: &[Variable], init: &[Expr], actions: &[Action]) -> Vec<Diagnostic> {
    let mut given = FxHashSet::default();
    init.iter().for_each(|formula| collect_given(formula, &mut given));
    let updated = actions.iter().flat_map(|a| a.updates.iter().map(|update| update.var));
    let assigned: FxHashSet<VarId> =
        actions.iter().flat_map(|a| a.modifies.iter().copied()).chain(updated).collect();
    let warn = |(variable, index): (&Variable, u32)| {
        let is_fixed = given.contains(&VarId(index)) && !assigned.contains(&VarId(index));
        (is_fixed && !actions.is_empty() && !variable.name.contains('.')).then(|| {
            let message = format!("no action assigns `{}`, so it keeps its first value", variable.name);
            let help = "assign it in an action, or declare it with `const`";
            Diagnostic::warning(variable.span, message).with_help(help)
        })
    };
    variables.iter().zip(0..).filter_map(warn).collect()
}

/// Collects the variables whose value a formula gives.
fn collect_given(formula: &Expr, given: &mut FxHashSet<VarId>) {
    match &formula.kind {
        ExprKind::Binary(Op::And, a, b) => [a, b].into_iter().for_each(|part| collect_given(part, given)),
        ExprKind::Binary(Op::Eq, a, b) => match (&a.kind, &b.kind) {
            (ExprKind::Var(id), other) | (other, ExprKind::Var(id))
                if matches!(other, ExprKind::Const(_)) =>
            {
                given.insert(*id);
            }
            _ => {}
        },
        ExprKind::Var(id) => drop(given.insert(*id)),
        ExprKind::Not(inner) => {
            if let ExprKind::Var(id) = inner.kind {
                given.insert(id);
            }
        }
        _ => {}
    }
}
