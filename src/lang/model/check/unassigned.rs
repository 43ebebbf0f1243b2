//! Variables that have one value for ever.

use crate::model::Variable;
use crate::model::expr::{Expr, ExprKind, Op, VarId};
use kit::diagnostics::Diagnostic;
use rustc_hash::FxHashSet;

/// Warnings about variables to which `init` gives a value and no action, in whatever branch, assigns another one. A value that `init` leaves
/// open is chosen once, and can be no constant. Parts of components may be there for their other importers.
pub(super) fn warnings(
    variables: &[Variable],
    init: &[Expr],
    assigned: &FxHashSet<VarId>,
) -> Vec<Diagnostic> {
    let mut given = FxHashSet::default();
    init.iter().for_each(|formula| collect_given(formula, &mut given));
    let warn = |(variable, index): (&Variable, u32)| {
        let is_fixed = given.contains(&VarId(index)) && !assigned.contains(&VarId(index));
        (is_fixed && !variable.name.contains('.')).then(|| {
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
