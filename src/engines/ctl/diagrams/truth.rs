//! The truth of formulas in all reachable states, as decision diagrams.

use super::system::{KeptDiagram, SymbolicSystem};
use crate::ctl::formula::{CtlFormula, CtlOp, Subformula};
use kit::diagram::DiagramStopped;

/// Returns for each part of a formula the reachable states in which it holds; `labels` are those with each label. The
/// sets are kept.
///
/// # Errors
/// If the budget ends or there are too many nodes.
pub fn evaluate(
    formula: &CtlFormula,
    system: &mut SymbolicSystem,
    labels: &[KeptDiagram],
) -> Result<Vec<KeptDiagram>, DiagramStopped> {
    let mut truth: Vec<KeptDiagram> = Vec::with_capacity(formula.len());
    for part in formula.parts() {
        let of = |part: &Subformula| truth[part.index()];
        let all = system.of(system.reachable);
        let set = match formula.node(part) {
            CtlOp::True => all,
            CtlOp::Label(label) => system.of(labels[*label]),
            CtlOp::Not(a) => system.without(all, system.of(of(a))),
            CtlOp::And(a, b) => system.diagrams.and(system.of(of(a)), system.of(of(b))),
            CtlOp::Or(a, b) => system.diagrams.or(system.of(of(a)), system.of(of(b))),
            CtlOp::Next(a) => system.before(system.of(of(a)), system.reachable),
            CtlOp::Until(a, b) => system.until(of(a), of(b))?,
            CtlOp::Always { of: a, fair } => {
                let fair: Vec<KeptDiagram> = fair.iter().map(of).collect();
                system.always(of(a), &fair)?
            }
        };
        system.diagrams.check()?;
        truth.push(system.keep(set));
        system.tidy();
    }
    Ok(truth)
}
