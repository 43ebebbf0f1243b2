//! The truth of formulas in all reachable states, as decision diagrams.

use super::system::{Kept, System};
use crate::ctl::formula::{Formula, Node, Part};
use kit::diagram::DiagramStopped;

/// Returns for each part of a formula the reachable states in which it holds; `labels` are those with each label. The
/// sets are kept.
///
/// # Errors
/// If the budget ends or there are too many nodes.
pub fn evaluate(
    formula: &Formula,
    system: &mut System,
    labels: &[Kept],
) -> Result<Vec<Kept>, DiagramStopped> {
    let mut truth: Vec<Kept> = Vec::with_capacity(formula.len());
    for part in formula.parts() {
        let of = |part: &Part| truth[part.index()];
        let all = system.of(system.reachable);
        let set = match formula.node(part) {
            Node::True => all,
            Node::Label(label) => system.of(labels[*label]),
            Node::Not(a) => system.without(all, system.of(of(a))),
            Node::And(a, b) => system.diagrams.and(system.of(of(a)), system.of(of(b))),
            Node::Or(a, b) => system.diagrams.or(system.of(of(a)), system.of(of(b))),
            Node::Next(a) => system.before(system.of(of(a)), system.reachable),
            Node::Until(a, b) => system.until(of(a), of(b))?,
            Node::Always { of: a, fair } => {
                let fair: Vec<Kept> = fair.iter().map(of).collect();
                system.always(of(a), &fair)?
            }
        };
        system.diagrams.check()?;
        truth.push(system.keep(set));
        system.tidy();
    }
    Ok(truth)
}
